/// The history's table in a write transaction.
///
/// Its records are the policy, with the key 0, and the entries, with their numbers.
struct HistoryTable {
    private var records: RecordTable

    /// The most entries, and about the most bytes, that one commit deletes because of their age.
    static let mostExpired = 8
    static let mostExpiredBytes = 1 << 20

    /// - Throws: `corrupted` if the facts are damaged.
    init(_ id: TableID, _ transaction: WriteTransaction, _ layout: StorageLayout, path: String)
        throws(StorageError)
    {
        records = try RecordTable(id, transaction, layout, path: path)
    }

    private var id: TableID { records.id }
    private var transaction: WriteTransaction { records.transaction }
    private var facts: TableFacts { records.facts }

    /// The number of the next entry.
    var nextSequence: Int64 { max(facts.nextRowKey, 1) }

    /// The number of the first entry; ``nextSequence`` without entries.
    var firstSequence: Int64 { nextSequence - max(facts.rowCount - 1, 0) }

    // MARK: Reading

    /// The head of an entry; nil if it cannot be read, which a reader of the history finds.
    func head(of sequence: Int64) throws(StorageError) -> HistoryEntry.Head? {
        let start = try StorageKey.column(id, firstKey: sequence, WriteSet.historyColumn)
            .withBytes { key throws(StorageError) -> Start? in
                guard let bytes = try transaction.value(.clusters, key: key),
                    let view = try? StoredColumn.view(
                        of: bytes, count: 1, type: .bytes, isNullable: false)
                else { return nil }
                if view.isBlob(at: 0) { return .chunk }
                return .head(
                    HistoryEntry.head(decoding: view.heapBytes(at: 0), sequence: sequence))
            }
        guard case .chunk = start else {
            if case .head(let head) = start { return head }
            return nil
        }
        return try StorageKey.blob(id, WriteSet.historyColumn, rowKey: sequence, chunk: 0)
            .withBytes { key throws(StorageError) in
                guard let bytes = try transaction.value(.blobs, key: key),
                    bytes.count > StoredBlob.headerSize
                else { return nil }
                return HistoryEntry.head(
                    decoding: UnsafeRawBufferPointer(rebasing: bytes[StoredBlob.headerSize...]),
                    sequence: sequence)
            }
    }

    private enum Start {
        case head(HistoryEntry.Head?)
        case chunk
    }

    // MARK: Writing

    mutating func put(_ policy: HistoryPolicy) throws(StorageError) {
        if facts.rowCount == 0 {
            records.facts = TableFacts(nextRowKey: 1, rowCount: 1)
            try records.putDirectoryEntry(0)
        } else {
            try transaction.deleteBlob(id, WriteSet.historyColumn, rowKey: 0)
        }
        try records.put(policy.encoded(), as: 0)
    }

    /// Adds an entry, whose number is ``nextSequence``.
    mutating func append(_ entry: HistoryEntry) throws(StorageError) {
        try records.append(entry.encoded(), as: entry.head.sequence)
    }

    /// Deletes the first entry. Returns about how many bytes it had.
    mutating func deleteFirst() throws(StorageError) -> Int {
        let sequence = firstSequence
        try StorageKey.column(id, firstKey: sequence, WriteSet.historyColumn).withBytes {
            key throws(StorageError) in _ = try transaction.delete(.clusters, key: key)
        }
        try StorageKey.directory(id, firstKey: sequence).withBytes {
            key throws(StorageError) in _ = try transaction.delete(.directory, key: key)
        }
        records.facts.rowCount -= 1
        let chunkCount = try transaction.deleteBlob(
            id, WriteSet.historyColumn, rowKey: sequence)
        return Int(chunkCount) * StoredBlob.chunkSize + records.layout.longestInlineValue
    }

    /// Deletes the entries before one, which stays, as do all that follow.
    mutating func deleteAll(before sequence: Int64) throws(StorageError) {
        while firstSequence < min(sequence, nextSequence - 1) { _ = try deleteFirst() }
    }

    /// Deletes some of the entries that were made before a time, and never the last entry: tokens
    /// of it stay valid.
    mutating func deleteExpired(before time: Double) throws(StorageError) {
        var (count, byteCount) = (0, 0)
        while count < Self.mostExpired, byteCount < Self.mostExpiredBytes,
            firstSequence < nextSequence - 1
        {
            guard let head = try head(of: firstSequence), head.time < time else { return }
            byteCount += try deleteFirst()
            count += 1
        }
    }

    func finish() throws(StorageError) { try records.finish() }
}
