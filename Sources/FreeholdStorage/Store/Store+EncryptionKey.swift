extension Store {
    /// Re-encrypts the file key for the holder of another key. Waits for the write lock. See
    /// ``Environment/changeEncryptionKey(_:to:)``.
    package func changeEncryptionKey(
        to key: EncryptionKey, as identity: WriterIdentity = WriterIdentity(),
        timeout: Duration? = nil
    ) throws(StorageError) {
        try corruption.check()
        try environment.changeEncryptionKey(
            try environment.writer.begin(as: identity, timeout: timeout), to: key)
        commitListener.call()
    }
}
