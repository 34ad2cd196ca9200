/// What a file's format record says of its encryption: nothing secret.
struct FileEncryption: Equatable, Sendable {
    /// Random, of each file its own.
    var salt: [UInt8]
    /// ``SealingKeys/verifier`` of the right key.
    var verifier: [UInt8]

    init(salt: [UInt8], verifier: [UInt8]) {
        self.salt = salt
        self.verifier = verifier
    }
}

extension FormatRecord {
    /// The keys of the file, where it is encrypted.
    ///
    /// - Throws: `encryptionKeyMissing`, `encryptionKeyWrong`, or `notEncrypted` for a key that a plain file was opened with.
    func keys(for key: EncryptionKey?, path: String) throws(StorageError) -> SealingKeys? {
        switch (encryption, key) {
        case (nil, nil): return nil
        case (nil, .some):
            throw StorageError(
                .notEncrypted, "Realm file decryption failed: \"\(path)\" is not encrypted. Open it without an encryption key; to encrypt it, "
                    + "write an encrypted copy.", path: path)
        case (.some, nil):
            throw StorageError(
                .encryptionKeyMissing, "Realm file decryption failed: \"\(path)\" is encrypted. Open it with its encryption key.", path: path)
        case (let encryption?, let key?):
            let keys = SealingKeys(key, salt: encryption.salt)
            if keys.verifier == encryption.verifier { return keys }
            throw StorageError(
                .encryptionKeyWrong, "Realm file decryption failed: \"\(path)\" is encrypted with another key. Open it with the key that it was "
                    + "written with.", path: path)
        }
    }
}
