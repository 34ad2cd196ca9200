extension Store {
    /// See ``Environment/byteCounts()``.
    package func byteCounts() throws(StorageError) -> (total: Int, used: Int) {
        try environment.byteCounts()
    }

    /// Compacts the file. Waits for the write lock. See ``Environment/compact(_:)``.
    package func compact(as identity: WriterIdentity = WriterIdentity()) throws(StorageError) {
        try corruption.check()
        // Before waiting for the write transaction of a process whose holding the file open
        // refuses this anyway.
        try environment.checkNotOpenElsewhere()
        try compact(try environment.writer.begin(as: identity))
    }

    /// As ``compact(as:)``, if nobody writes; false if somebody does, which is not waited for.
    package func compactIfNobodyWrites(as identity: WriterIdentity) throws(StorageError) -> Bool {
        try corruption.check()
        guard let grant = try environment.writer.tryBegin(as: identity) else { return false }
        try compact(grant)
        return true
    }

    private func compact(_ grant: WriteGrant) throws(StorageError) {
        defer { grant.cancel() }
        try environment.compact(grant)
        commitListener.call()
    }

    /// Compacts the file within a transaction, which has changed nothing and stays open.
    /// Snapshots from before go on with the old file.
    package func compact(within writeSet: WriteSet) throws(StorageError) {
        try corruption.check()
        try environment.compact(writeSet.grant)
        commitListener.call()
    }

    /// Writes a version into a new file, compacted. See ``Environment/copy(_:to:_:)``.
    ///
    /// - Parameters:
    ///   - changes: What was changed in a transaction on this version: a fork that nobody else
    ///     uses.
    ///   - key: What the new file is encrypted with; nil for a plain one.
    package func copy(
        _ snapshot: Snapshot, with changes: WriteSet? = nil, to path: String, key: EncryptionKey?
    ) throws(StorageError) {
        try corruption.check()
        if let changes { try changes.checkValueLengths(path: path) }
        try Environment.copy(snapshot.transaction, to: path, key: key) {
            transaction throws(StorageError) in
            if let changes { _ = try CommitWriter(changes, transaction, path: path).apply() }
        }
        // Damage found while the changes were compared with the stored rows.
        try corruption.check()
    }
}
