internal import Foundation

/// What a file's format record says of its encryption: nothing secret.
///
///     0           32           44                      108
///     +-----------+------------+-----------------------+---------+
///     | salt      | nonce      | file key, encrypted   | tag     |
///     | 32 random | 12 random  | 64                    | 16      |
///     +-----------+------------+-----------------------+---------+
///
/// The file key is encrypted with AES-256-GCM, under a key that is derived from the user's and
/// the salt. What stands before it in the record is authenticated: magic, format, method, the
/// file's identifier and the salt.
struct FileEncryption: Equatable, Sendable {
    static let saltSize = 32
    static let size = saltSize + TreeEncryption.overhead + TreeEncryptionKeys.fileKeySize

    /// The bytes as they stand in the record.
    let bytes: [UInt8]

    private var salt: ArraySlice<UInt8> { bytes[..<Self.saltSize] }
    private var wrapped: ArraySlice<UInt8> { bytes[Self.saltSize...] }

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// Encrypts a file's keys for the holder of `key`.
    ///
    /// - Parameter head: What stands before in the record.
    init(_ keys: TreeEncryptionKeys, for key: EncryptionKey, head: [UInt8]) throws(StorageError) {
        let salt = Self.randomSalt()
        do {
            bytes =
                salt
                + (try keys.withFileKey {
                    try Cipher.encrypt(
                        $0, using: Self.wrappingKey(key, salt), authenticating: head + salt)
                })
        } catch {
            throw StorageError(
                .internalLMDB, "The key of a file could not be encrypted. Please report this.",
                path: "", underlying: error)
        }
    }

    /// The file key; nil where it was encrypted with another key, or for another file.
    fileprivate func fileKey(for key: EncryptionKey, head: [UInt8]) -> Cipher.Key? {
        guard
            var opened = try? Cipher.open(
                wrapped, using: Self.wrappingKey(key, Array(salt)), authenticating: head + salt)
        else { return nil }
        defer { opened.wipe() }
        return Cipher.Key(data: opened)
    }

    private static func wrappingKey(_ key: EncryptionKey, _ salt: [UInt8]) -> Cipher.Key {
        key.material.derivedKey(salt: salt, info: Array("Freehold file key".utf8), byteCount: 32)
    }

    private static func randomSalt() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<saltSize / 8).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) }
        }
    }
}

extension FormatRecord {
    /// The keys of the file, where it is encrypted.
    ///
    /// - Throws: `encryptionKeyMissing`, `encryptionKeyWrong`, `encryptionUnavailable`, or
    ///   `notEncrypted` for a key that a plain file was opened with.
    func keys(for key: EncryptionKey?, path: String) throws(StorageError) -> TreeEncryptionKeys? {
        switch (encryption, key) {
        case (nil, nil): return nil
        case (nil, .some):
            throw StorageError(
                .notEncrypted,
                """
                Realm file decryption failed: "\(path)" is not encrypted. Open it without an \
                encryption key; to encrypt it, write an encrypted copy.
                """, path: path)
        case (.some, nil):
            throw StorageError(
                .encryptionKeyMissing,
                """
                Realm file decryption failed: "\(path)" is encrypted. Open it with its \
                encryption key.
                """,
                path: path)
        case (let encryption?, let key?):
            try Cipher.check(path)
            guard let fileKey = encryption.fileKey(for: key, head: head) else {
                throw StorageError(
                    .encryptionKeyWrong,
                    """
                    Realm file decryption failed: "\(path)" is encrypted with another key. \
                    Open it with the key that it was written with, or that it was changed to.
                    """, path: path)
            }
            let keys = TreeEncryptionKeys(fileKey: fileKey, of: uuid)
            keys.note(key)
            return keys
        }
    }

    /// The record of a new file: of an encrypted one with its keys, encrypted for the holder of
    /// the user's key.
    init(newFileWith keys: TreeEncryptionKeys?, for key: EncryptionKey?) throws(StorageError) {
        self.init(uuid: keys?.identifier ?? .random())
        if let keys, let key { try encrypt(keys, for: key) }
    }

    /// Encrypts the file's keys anew, for the holder of `key`.
    mutating func encrypt(_ keys: TreeEncryptionKeys, for key: EncryptionKey) throws(StorageError) {
        // The head says whether there is any.
        encryption = FileEncryption([])
        encryption = try FileEncryption(keys, for: key, head: head)
    }
}

extension Data {
    /// Overwrites the bytes, of which nobody else has a copy.
    mutating func wipe() {
        withUnsafeMutableBytes { Memory.wipe($0) }
    }
}
