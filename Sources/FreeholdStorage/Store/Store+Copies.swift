extension Store {
    /// See ``Environment/byteCounts()``.
    package func byteCounts() throws(StorageError) -> (total: Int, used: Int) {
        try environment.byteCounts()
    }

    /// Compacts the file. Waits for the write lock. See ``Environment/compact(_:)``.
    package func compact(
        as identity: WriterIdentity = WriterIdentity(),
        progress: (@Sendable (Double) -> Void)? = nil
    ) throws(StorageError) {
        try corruption.check()
        // Checked before waiting for another process's write: a process that has the file open
        // makes the compaction fail anyway.
        try environment.checkNotOpenElsewhere()
        try compact(try environment.writer.begin(as: identity), progress: progress)
    }

    /// Compacts the file as ``compact(as:)``, without waiting. Returns false if another writer
    /// holds the grant.
    package func compactUnlessWriting(as identity: WriterIdentity) throws(StorageError) -> Bool {
        try corruption.check()
        guard let grant = try environment.writer.tryBegin(as: identity) else { return false }
        try compact(grant)
        return true
    }

    private func compact(_ grant: WriteGrant, progress: (@Sendable (Double) -> Void)? = nil)
        throws(StorageError)
    {
        defer { grant.cancel() }
        try environment.compact(grant, progress: progress)
        commitListener.call()
    }

    /// Compacts the file within a transaction, which has no changes yet and stays open.
    /// Existing snapshots continue with the old file.
    package func compact(within writeSet: WriteSet) throws(StorageError) {
        try corruption.check()
        try environment.compact(grant(of: writeSet))
        commitListener.call()
    }

    /// Writes a version into a new, compacted file. See ``Environment/copy(_:to:key:_:)``.
    ///
    /// - Parameters:
    ///   - changes: Changes of a transaction on this version: a savepoint with no other user.
    ///   - key: The key to encrypt the new file with; nil for a plain one.
    ///   - progress: Called from time to time with the part that is copied, from 0 to 1.
    ///
    /// The copy of a shared file is an ordinary one: it must not have the client's identity.
    package func copy(
        _ snapshot: Snapshot, with changes: WriteSet? = nil, to path: String, key: EncryptionKey?,
        progress: (@Sendable (Double) -> Void)? = nil
    ) throws(StorageError) {
        try corruption.check()
        var changes = changes
        if snapshot.catalog[TableDefinition.sharingName] != nil {
            let unshared = changes ?? draft(on: snapshot)
            unshared.endSharing()
            changes = unshared
        }
        if let changes { try changes.checkValueLengths(path: path) }
        let change = { [changes] (transaction: WriteTransaction) throws(StorageError) in
            try self.moveHistoryTail(of: snapshot, to: transaction)
            if let changes { _ = try CommitWriter(changes, transaction, path: path).apply() }
        }
        try Environment.copy(
            snapshot.transaction, to: path, key: key, change, progress: progress)
        // Damage found while comparing the changes with the stored rows.
        try corruption.check()
    }

    /// Encrypted files have no tail: in a copy that is encrypted, it is a row.
    private func moveHistoryTail(of snapshot: Snapshot, to transaction: WriteTransaction)
        throws(StorageError)
    {
        guard !transaction.hasHistoryTail, let id = snapshot.catalog.history?.id,
            let known = try HistoryReader.policy(of: snapshot), known.hasTail
        else { return }
        guard
            let tail = try snapshot.transaction.historyTail().flatMap({
                HistoryTail(decoding: $0, of: id)
            })
        else {
            throw StorageError.damaged("The newest entries of the history are damaged.", path: path)
        }
        var table = try HistoryTable(
            id, hasTail: false, transaction, layout.hidingLengths, path: path)
        try table.insert(tail)
        try table.put(known.policy)
        try table.finish()
    }
}
