extension Environment {
    /// Whether a key opens the file, either as it is now or as it was when this process opened
    /// it: realms are reopened with the configurations that they have. Nil opens a plain file.
    func hasKey(_ key: EncryptionKey?) throws(StorageError) -> Bool {
        guard let key else { return handle.treeEncryption == nil }
        guard let keys = handle.treeEncryption?.keys else { return false }
        if keys.knows(key) { return true }
        do throws(StorageError) {
            guard try read().formatRecord().keys(for: key, path: path) != nil else { return false }
            keys.note(key)
            return true
        } catch {
            guard error.code == .encryptionKeyWrong else { throw error }
            return false
        }
    }

    /// Re-encrypts the file key for the holder of another key, in a transaction that changes
    /// nothing else. The grant is used up, or returned when it is released. O(1).
    ///
    /// The file key does not change, so all processes that have the file open continue. A
    /// process also accepts the key that it opened the file with, until it has closed the file.
    /// Later openers need the new key.
    ///
    /// - Throws: `notEncrypted`, and what a commit throws.
    package func changeEncryptionKey(_ grant: WriteGrant, to key: EncryptionKey)
        throws(StorageError)
    {
        do {
            guard let keys = handle.treeEncryption?.keys else {
                throw StorageError(
                    .notEncrypted,
                    """
                    "\(path)" is not encrypted, so it has no key to change. To encrypt it, \
                    write an encrypted copy.
                    """, path: path)
            }
            var format = try grant.base.formatRecord()
            try format.encrypt(keys, for: key)
            try grant.commit { transaction in try transaction.put(format) }
            keys.note(key)
        } catch {
            throw (error as? StorageError)
                ?? StorageError(
                    .internalLMDB, "The key could not be changed.", path: path, underlying: error)
        }
        EventLog.say(.info, "\(path): the encryption key was changed")
    }
}
