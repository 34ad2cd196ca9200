internal import Foundation

/// The keys of one encrypted file, all derived from its file key: 64 random bytes that are
/// created with the file and do not change with the user's key (``FileEncryption``).
///
/// A subkey (RFC 5869, SHA-512) encrypts the records of 4,096 versions and 1,048,576 record
/// numbers of one database. That is 2^32 pairs of version and number, the number of messages
/// that NIST SP 800-38D allows for one key with random 96-bit nonces.
final class TreeEncryptionKeys: Sendable {
    static let fileKeySize = 64
    private static let versionBits: UInt64 = 12
    private static let numberBits: UInt64 = 20

    /// The file's identifier, which is authenticated with its key.
    let identifier: UniqueIdentifier
    private let fileKey: Cipher.Key
    /// Fingerprints of the users' keys that opened the file while it has been open. The keys
    /// themselves are not kept.
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

    /// Records that a user's key opens the file.
    func note(_ key: EncryptionKey) {
        let fingerprint = fingerprint(of: key)
        knownKeys.withLock { _ = $0.insert(fingerprint) }
    }

    /// Whether a user's key has opened the file while it has been open. About a microsecond.
    func knows(_ key: EncryptionKey) -> Bool {
        let fingerprint = fingerprint(of: key)
        return knownKeys.withLock { $0.contains(fingerprint) }
    }

    private func fingerprint(of key: EncryptionKey) -> [UInt8] {
        key.material.withUnsafeBytes { fileKey.authenticationCode(for: $0) }
    }

    /// The key of a record. A hash look-up, except for the first record of a subkey.
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
