extension CommitWriter {
    /// What a commit adds to the outbox.
    struct CapturedCommit {
        let table: TableID
        let entry: SharedOutboxEntry
    }

    /// The changes that other machines are to have; nil if the file is not shared. Call it before
    /// anything is written.
    func captureShared(in table: TableDefinition?) throws(StorageError) -> CapturedCommit? {
        guard let table, !writeSet.isFromUpstream, writeSet.base.catalog[table.id] != nil,
            !writeSet.hasNoDataChanges,
            let captured = try SharedCapture(writeSet).capture(path: path)
        else { return nil }
        let limit = writeSet.layout.longestSharedCommit
        return CapturedCommit(
            table: table.id,
            entry: SharedOutboxEntry(
                commit: try captured.commit.encoded(upTo: limit, path: path),
                undo: captured.undo.encoded()))
    }

    func write(_ captured: CapturedCommit) throws(StorageError) {
        var records = try RecordTable(captured.table, transaction, writeSet.layout, path: path)
        try records.insert(captured.entry.encoded(), as: max(records.facts.nextRowKey, 1))
        try records.finish()
    }

    /// Removes records that are clusters of their own.
    func removeRecords(_ keys: [Int64], of table: TableID) throws(StorageError) {
        precondition(
            writeSet.tables[table]?.isChanged != true,
            "A transaction that removes records does not change the rows of their table after it.")
        var records = try RecordTable(table, transaction, writeSet.layout, path: path)
        for key in keys { _ = try records.delete(key) }
        try records.finish()
    }
}
