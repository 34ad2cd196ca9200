/// A table of records of bytes, in a write transaction.
///
/// Each record is a cluster of its own, because a commit adds one: it writes one record of each
/// database and reads none of the table's directory. So records are written here, and not through
/// a ``MutableTable``, which can read and delete them.
struct RecordTable {
    let id: TableID
    let transaction: WriteTransaction
    let layout: StorageLayout
    private(set) var facts = TableFacts()
    private var storedFacts = TableFacts()

    static let column = TableDefinition.recordColumn

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
                throw StorageError.damaged(
                    "The facts of the table \(id.rawValue) are damaged.", path: path)
            }
            return facts
        }
        storedFacts = facts
    }

    /// The bytes of a record, or the length of its blob; nil if it is missing or damaged.
    func cell(_ key: Int64) throws(StorageError) -> (bytes: ContiguousArray<UInt8>, isBlob: Bool)? {
        try StorageKey.column(id, firstKey: key, Self.column).withBytes {
            name throws(StorageError) in
            try transaction.value(.clusters, key: name).flatMap { Self.cell($0, id, key) }
        }
    }

    static func cell(_ stored: UnsafeRawBufferPointer, _ id: TableID, _ key: Int64) -> (
        bytes: ContiguousArray<UInt8>, isBlob: Bool
    )? {
        let seed = StoredColumn.seed(id, firstKey: key, column)
        guard StoredColumn.hasRightChecksum(stored, seed: seed),
            let view = try? StoredColumn.view(of: stored, count: 1, type: .bytes, isNullable: false)
        else { return nil }
        return (ContiguousArray(view.heapBytes(at: 0)), view.isBlob(at: 0))
    }

    /// The key of the first record at or after a key; nil without one.
    func firstKey(from key: Int64) throws(StorageError) -> Int64? {
        try StorageKey.column(id, firstKey: key, Self.column).withBytes {
            key throws(StorageError) in
            var cursor = try transaction.cursor(.clusters)
            guard let found = try cursor.seek(atOrAfter: key) else { return nil }
            return Self.firstKey(found.key, of: id)
        }
    }

    /// The record's key in a key of the clusters; nil in one of another table.
    static func firstKey(_ key: UnsafeRawBufferPointer, of id: TableID) -> Int64? {
        let table = MemoryLayout<UInt32>.size
        guard key.count == table + 10,
            UInt32(bigEndian: key.loadUnaligned(as: UInt32.self)) == id.rawValue
        else { return nil }
        return StorageKey.rowKey(in: key, at: table)
    }

    /// Adds a record with a key that is not there.
    ///
    /// - Parameter longest: The most bytes that are no blob; nil for those of the layout.
    mutating func insert(_ bytes: ContiguousArray<UInt8>, as key: Int64, longest: Int? = nil)
        throws(StorageError)
    {
        try putDirectoryEntry(key)
        try put(bytes, as: key, longest: longest)
        facts.nextRowKey = max(facts.nextRowKey, key + 1)
        facts.rowCount += 1
    }

    /// Sets the bytes of a record that has no blob, or whose blob was deleted.
    func put(_ bytes: ContiguousArray<UInt8>, as key: Int64, longest: Int? = nil)
        throws(StorageError)
    {
        let isBlob = bytes.count > longest ?? layout.longestInlineValue
        let length = withUnsafeBytes(of: UInt64(bytes.count).littleEndian) {
            ContiguousArray($0)
        }
        let cell = MutableCluster(firstKey: key, kinds: Self.kinds, capacity: 1)
        cell.insertRow(key, at: 0)
        (isBlob ? length : bytes).withUnsafeBytes {
            cell.setHeapBytes(Self.column.position, 0, $0, isBlob: isBlob)
        }
        let encoder = ColumnEncoder(
            always: cell.columns[Self.column.position], rowCount: 1, type: .bytes,
            hidesLengths: layout.hidesLengths)
        try StorageKey.column(id, firstKey: key, Self.column).withBytes {
            name throws(StorageError) in
            let target = try transaction.reserve(.clusters, key: name, count: encoder.byteCount)
            encoder.write(to: target, seed: StoredColumn.seed(id, firstKey: key, Self.column))
        }
        if isBlob { _ = try transaction.putBlob(bytes, id, Self.column, rowKey: key) }
    }

    /// Deletes a record. Returns about how many bytes it had.
    mutating func delete(_ key: Int64) throws(StorageError) -> Int {
        try StorageKey.column(id, firstKey: key, Self.column).withBytes {
            key throws(StorageError) in _ = try transaction.delete(.clusters, key: key)
        }
        try StorageKey.directory(id, firstKey: key).withBytes {
            key throws(StorageError) in _ = try transaction.delete(.directory, key: key)
        }
        facts.rowCount -= 1
        let chunkCount = try transaction.deleteBlob(id, Self.column, rowKey: key)
        return Int(chunkCount) * StoredBlob.chunkSize + layout.longestInlineValue
    }

    func finish() throws(StorageError) {
        if facts == storedFacts { return }
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

    private static let kinds = ColumnKinds(
        TableDefinition(
            id: TableID(rawValue: 0), name: "",
            columns: [
                ColumnDefinition(
                    id: Self.column, name: "bytes", type: .bytes, isNullable: false,
                    isIndexed: false)
            ], primaryKey: nil, nextColumnID: 2))
}
