/// The history's table in a write transaction.
///
/// Its rows are the policy, with the key 0, and the entries, with their numbers. Each is a
/// cluster of its own, because a commit adds one: it writes one record of each database and
/// reads none of the table's directory. So the entries are written here, and not through a
/// ``MutableTable``.
struct HistoryTable {
    let id: TableID
    let transaction: WriteTransaction
    let layout: StorageLayout
    private var facts = TableFacts()

    /// The most entries, and about the most bytes, that one commit deletes because of their age.
    static let mostExpired = 8
    static let mostExpiredBytes = 1 << 20

    /// - Throws: `corrupted` if the facts are damaged.
    init(_ id: TableID, _ transaction: WriteTransaction, _ layout: StorageLayout, path: String)
        throws(StorageError)
    {
        self.id = id
        self.transaction = transaction
        self.layout = layout
        facts = try StorageKey.tableFacts(id).withBytes { key throws(StorageError) in
            guard let bytes = try transaction.value(.meta, key: key) else { return TableFacts() }
            guard let facts = TableFacts(decoding: bytes, of: id) else {
                throw StorageError.damaged("The facts of the history are damaged.", path: path)
            }
            return facts
        }
    }

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
            facts = TableFacts(nextRowKey: 1, rowCount: 1)
            try putDirectoryEntry(0)
        } else {
            try transaction.deleteBlob(id, WriteSet.historyColumn, rowKey: 0)
        }
        try put(policy.encoded(), as: 0)
    }

    /// Adds an entry, whose number is ``nextSequence``.
    mutating func append(_ entry: HistoryEntry) throws(StorageError) {
        let sequence = entry.head.sequence
        try putDirectoryEntry(sequence)
        try put(entry.encoded(), as: sequence)
        facts.nextRowKey = sequence + 1
        facts.rowCount += 1
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
        facts.rowCount -= 1
        let chunkCount = try transaction.deleteBlob(
            id, WriteSet.historyColumn, rowKey: sequence)
        return Int(chunkCount) * StoredBlob.chunkSize + layout.longestInlineValue
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

    func finish() throws(StorageError) {
        let bytes = facts.encoded(of: id)
        try StorageKey.tableFacts(id).withBytes { key throws(StorageError) in
            try bytes.withBytes { value throws(StorageError) in
                try transaction.put(.meta, key: key, value: value)
            }
        }
    }

    private func putDirectoryEntry(_ key: Int64) throws(StorageError) {
        let entry = DirectoryEntry(count: 1, consecutiveFrom: key, columnCount: 1)
            .encoded(of: id, firstKey: key)
        try StorageKey.directory(id, firstKey: key).withBytes { key throws(StorageError) in
            try entry.withBytes { value throws(StorageError) in
                try transaction.put(.directory, key: key, value: value)
            }
        }
    }

    private func put(_ bytes: ContiguousArray<UInt8>, as row: Int64) throws(StorageError) {
        let isBlob = bytes.count > layout.longestInlineValue
        let length = withUnsafeBytes(of: UInt64(bytes.count).littleEndian) {
            ContiguousArray($0)
        }
        let cell = MutableCluster(
            firstKey: row, kinds: Self.kinds, capacity: 1)
        cell.insertRow(row, at: 0)
        (isBlob ? length : bytes).withUnsafeBytes {
            cell.setHeapBytes(WriteSet.historyColumn.position, 0, $0, isBlob: isBlob)
        }
        let encoder = ColumnEncoder(
            always: cell.columns[WriteSet.historyColumn.position], rowCount: 1, type: .bytes,
            hidesLengths: layout.hidesLengths)
        try StorageKey.column(id, firstKey: row, WriteSet.historyColumn).withBytes {
            key throws(StorageError) in
            let target = try transaction.reserve(.clusters, key: key, count: encoder.byteCount)
            encoder.write(
                to: target,
                seed: StoredColumn.seed(id, firstKey: row, WriteSet.historyColumn))
        }
        if isBlob {
            _ = try transaction.putBlob(bytes, id, WriteSet.historyColumn, rowKey: row)
        }
    }

    private static let kinds = ColumnKinds(
        TableDefinition(
            id: TableID(rawValue: 0), name: TableDefinition.historyName,
            columns: [
                ColumnDefinition(
                    id: WriteSet.historyColumn, name: "entry", type: .bytes, isNullable: false,
                    isIndexed: false)
            ], primaryKey: nil, nextColumnID: 2))
}
