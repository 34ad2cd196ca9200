internal import Foundation

/// The encryption part of a file's format record. It contains no secret.
///
///     0           32           44                      108
///     +-----------+------------+-----------------------+---------+
///     | salt      | nonce      | file key, encrypted   | tag     |
///     | 32 random | 12 random  | 64                    | 16      |
///     +-----------+------------+-----------------------+---------+
///
/// The file key is encrypted with AES-256-GCM, under a key derived from the user's key and the
/// salt. The preceding bytes of the record are authenticated: magic, format, method, the file's
/// identifier and the salt.
struct FileEncryption: Equatable, Sendable {
    static let saltSize = 32
    static let size = saltSize + TreeEncryption.overhead + TreeEncryptionKeys.fileKeySize

    /// The bytes as the record stores them.
    let bytes: [UInt8]

    private var salt: ArraySlice<UInt8> { bytes[..<Self.saltSize] }
    private var wrapped: ArraySlice<UInt8> { bytes[Self.saltSize...] }

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// Encrypts a file's keys for the holder of `key`.
    ///
    /// - Parameter head: The preceding bytes of the record.
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

    /// The file key; nil if it was encrypted with another key or for another file.
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

    static func randomSalt() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<saltSize / 8).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) }
        }
    }
}

extension FormatRecord {
    /// The keys of the file; nil if it is not encrypted.
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
                """, path: path)
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

    /// Creates the record of a new file. An encrypted file's record contains its file key,
    /// encrypted for the holder of the user's key.
    init(newFileWith keys: TreeEncryptionKeys?, for key: EncryptionKey?) throws(StorageError) {
        self.init(uuid: keys?.identifier ?? .random())
        if let keys, let key { try encrypt(keys, for: key) }
    }

    /// Re-encrypts the file's keys for the holder of `key`.
    mutating func encrypt(_ keys: TreeEncryptionKeys, for key: EncryptionKey) throws(StorageError) {
        // The head depends on whether there is an encryption.
        encryption = FileEncryption([])
        encryption = try FileEncryption(keys, for: key, head: head)
    }
}

extension Data {
    /// Overwrites the bytes. The caller must have the only copy.
    mutating func wipe() { withUnsafeMutableBytes { Memory.wipe($0) } }
}
