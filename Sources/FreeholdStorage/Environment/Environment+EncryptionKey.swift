extension Environment {
    /// Whether a key opens the file: as it is now, or when this process opened it, for its
    /// realms are opened again with the configurations that they have. Nil opens a plain one.
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

    /// Encrypts the file key for the holder of another key, in a transaction that changes
    /// nothing else. The grant is used up, or given back when it is released. O(1).
    ///
    /// The file key stays what it is, so those who have the file open go on, in other
    /// processes, too, and a process takes the key that it opened the file with until it has
    /// closed it. Whoever opens it from then on needs the new key.
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
                    """,
                    path: path)
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
