internal import Foundation

extension CommitWriter {
    /// The changes that the history records; nil if the file keeps none. Call it before anything
    /// is written.
    func captureHistory(in table: TableDefinition?) throws(StorageError) -> CapturedHistory? {
        guard let table else { return nil }
        let isBegun = writeSet.base.catalog[table.id] != nil
        let deletes = writeSet.firstKeptEntry != nil
        guard isBegun || writeSet.historyPolicy != nil else { return nil }
        let known = isBegun ? try HistoryReader.policy(of: writeSet.base, table.id) : nil
        guard
            let policy = writeSet.historyPolicy
                ?? known?.policy.renamingColumns(
                    from: writeSet.base.catalog, to: writeSet.catalog, moved: writeSet.moved)
        else { return nil }
        var captured = CapturedHistory(
            table: table.id, policy: policy, isNewPolicy: policy != known?.policy,
            hasTail: known?.hasTail ?? false)
        if !writeSet.hasNoDataChanges {
            (captured.changes, captured.targets) = try HistoryCapture(writeSet, policy).capture()
        }
        return captured.changes.isEmpty && !captured.isNewPolicy && !deletes
            ? nil : captured
    }

    /// Writes what was captured, and deletes expired entries.
    func write(_ captured: CapturedHistory) throws(StorageError) {
        var table = try HistoryTable(
            captured.table, hasTail: captured.hasTail && transaction.hasHistoryTail, transaction,
            writeSet.layout, path: path)
        if captured.isNewPolicy || table.hasNewTail { try table.put(captured.policy) }
        let now = writeSet.time ?? Date.timeIntervalSinceReferenceDate
        if !captured.changes.isEmpty {
            let sequence = table.nextSequence
            let previous = sequence == 1 ? captured.policy.lineage.low : table.lastMark ?? 0
            let head = HistoryEntry.Head(
                sequence: sequence, mark: .random(in: 1 ... .max), previousMark: previous,
                time: now)
            try table.append(
                HistoryEntry(
                    head: head, author: writeSet.author, processName: Self.processName,
                    processID: ProcessInfo.processInfo.processIdentifier,
                    tables: captured.changes, targets: captured.targets))
        }
        if let first = writeSet.firstKeptEntry { try table.deleteAll(before: first) }
        if let seconds = captured.policy.seconds {
            try table.deleteExpired(before: now - seconds, overdue: now - seconds * 1.1, now: now)
        }
        try table.finish()
    }
}

extension CommitWriter {
    private static let processName = ProcessInfo.processInfo.processName
}

/// What a commit adds to the history.
struct CapturedHistory {
    let table: TableID
    let policy: HistoryPolicy
    /// Whether the file has another policy yet.
    let isNewPolicy: Bool
    /// Whether the newest entries are in the tail.
    let hasTail: Bool
    var changes: [HistoryEntry.Table] = []
    var targets: [TableID: HistoryEntry.Target] = [:]
}
