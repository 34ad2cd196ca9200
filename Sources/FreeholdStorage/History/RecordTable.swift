/// A table of records of bytes, in a write transaction.
///
/// Each record is a cluster of its own, because a commit adds one: it writes one record of each
/// database and reads none of the table's directory. So records are written here, and not through
/// a ``MutableTable``, which can read and delete them.
struct RecordTable {
    let id: TableID
    let transaction: WriteTransaction
    let layout: StorageLayout
    var facts = TableFacts()

    /// The table's only column.
    static let column = ColumnID(rawValue: 1)

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
                throw StorageError.damaged("The facts of the table \(id.rawValue) are damaged.", path: path)
            }
            return facts
        }
    }

    /// Adds a record with a key that is greater than all others.
    mutating func append(_ bytes: ContiguousArray<UInt8>, as key: Int64) throws(StorageError) {
        try putDirectoryEntry(key)
        try put(bytes, as: key)
        facts.nextRowKey = key + 1
        facts.rowCount += 1
    }

    func finish() throws(StorageError) {
        let bytes = facts.encoded(of: id)
        try StorageKey.tableFacts(id).withBytes { key throws(StorageError) in
            try bytes.withBytes { value throws(StorageError) in
                try transaction.put(.meta, key: key, value: value)
            }
        }
    }

    func putDirectoryEntry(_ key: Int64) throws(StorageError) {
        let entry = DirectoryEntry(count: 1, consecutiveFrom: key, columnCount: 1)
            .encoded(of: id, firstKey: key)
        try StorageKey.directory(id, firstKey: key).withBytes { key throws(StorageError) in
            try entry.withBytes { value throws(StorageError) in
                try transaction.put(.directory, key: key, value: value)
            }
        }
    }

    func put(_ bytes: ContiguousArray<UInt8>, as row: Int64) throws(StorageError) {
        let isBlob = bytes.count > layout.longestInlineValue
        let length = withUnsafeBytes(of: UInt64(bytes.count).littleEndian) {
            ContiguousArray($0)
        }
        let cell = MutableCluster(
            firstKey: row, kinds: Self.kinds, capacity: 1)
        cell.insertRow(row, at: 0)
        (isBlob ? length : bytes).withUnsafeBytes {
            cell.setHeapBytes(Self.column.position, 0, $0, isBlob: isBlob)
        }
        let encoder = ColumnEncoder(
            always: cell.columns[Self.column.position], rowCount: 1, type: .bytes,
            hidesLengths: layout.hidesLengths)
        try StorageKey.column(id, firstKey: row, Self.column).withBytes {
            key throws(StorageError) in
            let target = try transaction.reserve(.clusters, key: key, count: encoder.byteCount)
            encoder.write(
                to: target,
                seed: StoredColumn.seed(id, firstKey: row, Self.column))
        }
        if isBlob {
            _ = try transaction.putBlob(bytes, id, Self.column, rowKey: row)
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
