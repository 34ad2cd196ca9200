internal import Foundation

/// The keys of one encrypted file, all derived from its file key: 64 random bytes that are made
/// with the file and stay what they are when the user's key is changed (``FileEncryption``).
///
/// A subkey (RFC 5869, SHA-512) encrypts the records of 4,096 versions and 1,048,576 record
/// numbers of one database: 2^32 pairs of a version and a number, which is how many messages
/// NIST SP 800-38D allows under one key with random nonces of 96 bits.
final class TreeEncryptionKeys: Sendable {
    static let fileKeySize = 64
    private static let versionBits: UInt64 = 12
    private static let numberBits: UInt64 = 20

    /// The file's, which is authenticated with its key.
    let identifier: UniqueIdentifier
    private let fileKey: Cipher.Key
    /// Of the users' keys that the file was opened with while it is open. They are not kept
    /// themselves.
    private let knownKeys = Locked<Set<[UInt8]>>([])
    private let subkeys = Locked<[SubkeyName: Cipher.Key]>([:])

    private struct SubkeyName: Hashable {
        let database: UInt8
        let versions: UInt64
        let numbers: UInt64
    }

    init(fileKey: Cipher.Key, of identifier: UniqueIdentifier) {
        self.fileKey = fileKey
        self.identifier = identifier
    }

    /// Keys of a new file.
    ///
    /// - Throws: `encryptionUnavailable`.
    static func random(for path: String) throws(StorageError) -> TreeEncryptionKeys {
        try Cipher.check(path)
        return TreeEncryptionKeys(fileKey: .random(byteCount: fileKeySize), of: .random())
    }

    func withFileKey<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try fileKey.withUnsafeBytes(body)
    }

    /// Remembers a user's key that opens the file.
    func note(_ key: EncryptionKey) {
        let fingerprint = fingerprint(of: key)
        knownKeys.withLock { _ = $0.insert(fingerprint) }
    }

    /// Whether a user's key opened the file since it is open. About a microsecond.
    func knows(_ key: EncryptionKey) -> Bool {
        let fingerprint = fingerprint(of: key)
        return knownKeys.withLock { $0.contains(fingerprint) }
    }

    private func fingerprint(of key: EncryptionKey) -> [UInt8] {
        key.material.withUnsafeBytes { fileKey.authenticationCode(for: $0) }
    }

    /// The key of a record. A hash lookup, but for the first record of its kind.
    func subkey(of place: RecordPlace) -> Cipher.Key {
        let name = SubkeyName(
            database: place.database, versions: place.version >> Self.versionBits,
            numbers: place.number >> Self.numberBits)
        return subkeys.withLock { known in
            if let key = known[name] { return key }
            var info = Array("Freehold records".utf8)
            info.append(name.database)
            withUnsafeBytes(of: name.versions.littleEndian) { info.append(contentsOf: $0) }
            withUnsafeBytes(of: name.numbers.littleEndian) { info.append(contentsOf: $0) }
            let key = fileKey.expandedKey(info: info, byteCount: 32)
            known[name] = key
            return key
        }
    }
}
