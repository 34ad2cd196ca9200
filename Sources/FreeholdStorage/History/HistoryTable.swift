/// The history's table in a write transaction.
///
/// Its rows are the policy, with the key 0, and the entries, some in each row
/// (``HistoryRow``). Each row is a cluster of its own, because a commit adds one entry: it writes
/// one record and reads none of the table's directory. So the entries are written here, and not
/// through a ``MutableTable``.
struct HistoryTable {
    let id: TableID
    let transaction: WriteTransaction
    let layout: StorageLayout
    private var facts = TableFacts()
    private var storedFacts = TableFacts()
    /// The last row, if more entries may go there.
    private var last: HistoryRow?
    /// The mark of the last entry; nil without one, or if it cannot be read, which a reader of
    /// the history finds.
    private(set) var lastMark: UInt64?
    /// The number of the next entry.
    private(set) var nextSequence: Int64 = 1

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
        storedFacts = facts
        if facts.rowCount > 1 { try findLast() }
    }

    private mutating func findLast() throws(StorageError) {
        let key = facts.nextRowKey - 1
        switch try row(key) {
        case .several(let row):
            last = row
            lastMark = row.head(of: row.end - 1)?.mark
            nextSequence = row.end
        case .one(let head):
            lastMark = head?.mark
            nextSequence = key + 1
        case nil:
            // More than such a row has: readers find that these entries are not there.
            nextSequence = key + Int64(HistoryRow.mostBytes(layout))
        }
    }

    // MARK: Reading

    private enum Row {
        case several(HistoryRow)
        /// An entry that is too long to share a row.
        case one(HistoryEntry.Head?)
    }

    /// Nil if the row is missing or damaged.
    private func row(_ key: Int64) throws(StorageError) -> Row? {
        let column = WriteSet.historyColumn
        let isBlob = try StorageKey.column(id, firstKey: key, column).withBytes {
            name throws(StorageError) -> (HistoryRow?, isBlob: Bool)? in
            guard let stored = try transaction.value(.clusters, key: name),
                let (bytes, isBlob) = HistoryReader.cell(stored, id, key)
            else { return nil }
            return (isBlob ? nil : HistoryRow(first: key, decoding: bytes), isBlob)
        }
        guard let (row, isBlob) = isBlob else { return nil }
        guard isBlob else { return row.map { .several($0) } }
        return try StorageKey.blob(id, column, rowKey: key, chunk: 0).withBytes {
            name throws(StorageError) in
            guard let stored = try transaction.value(.blobs, key: name),
                stored.count > StoredBlob.headerSize,
                StoredBlob.hasRightChecksum(stored, id, column, rowKey: key, chunk: 0)
            else { return .one(nil) }
            return .one(
                HistoryEntry.head(
                    ofRow: UnsafeRawBufferPointer(rebasing: stored[StoredBlob.headerSize...]), key))
        }
    }

    /// The key of the first row at or after a number; nil without one.
    private func firstKey(from sequence: Int64) throws(StorageError) -> Int64? {
        try StorageKey.column(id, firstKey: sequence, WriteSet.historyColumn).withBytes {
            key throws(StorageError) in
            var cursor = try transaction.cursor(.clusters)
            guard let found = try cursor.seek(atOrAfter: key) else { return nil }
            return HistoryReader.firstKey(found.key, of: id)
        }
    }

    // MARK: Writing

    mutating func put(_ policy: HistoryPolicy) throws(StorageError) {
        if facts.rowCount == 0 {
            facts = TableFacts(nextRowKey: 1, rowCount: 1)
            try putDirectoryEntry(0)
        } else {
            try transaction.deleteBlob(id, WriteSet.historyColumn, rowKey: 0)
        }
        try put(policy.encoded(), as: 0, longest: layout.longestInlineValue)
    }

    /// Adds an entry, whose number is ``nextSequence``.
    mutating func append(_ entry: HistoryEntry) throws(StorageError) {
        let bytes = entry.encoded()
        let most = HistoryRow.mostBytes(layout)
        if var row = last, row.bytes.count + bytes.count + HistoryRow.lengthSize <= most {
            row.append(bytes)
            try put(row.bytes, as: row.first, longest: most)
            last = row
        } else {
            var row = HistoryRow(first: nextSequence)
            row.append(bytes)
            try insert(row)
            last = row.bytes.count <= most ? row : nil
        }
        lastMark = entry.head.mark
        nextSequence += 1
    }

    private mutating func insert(_ row: HistoryRow) throws(StorageError) {
        try putDirectoryEntry(row.first)
        try put(row.bytes, as: row.first, longest: HistoryRow.mostBytes(layout))
        facts.nextRowKey = max(facts.nextRowKey, row.first + 1)
        facts.rowCount += 1
    }

    // MARK: Deleting

    /// Deletes the entries before one, which stays, as do all that follow.
    mutating func deleteAll(before sequence: Int64) throws(StorageError) {
        let end = min(sequence, nextSequence - 1)
        while let first = try firstKey(from: 1), first < end {
            guard case .several(let row) = try row(first) else {
                // A large entry, or a row that cannot be read: up to the next one.
                if try firstKey(from: first + 1) == nil { return }
                _ = try deleteRow(first)
                continue
            }
            _ = try delete(Int(min(end, row.end) - row.first), of: row)
        }
    }

    /// Deletes some of the entries that were made before a time, and never the last entry: tokens
    /// of it stay valid.
    ///
    /// - Parameter overdue: Until then entries wait, if a row has others that have not expired,
    ///   so that not each commit writes the first row again.
    mutating func deleteExpired(before time: Double, overdue: Double) throws(StorageError) {
        var (count, byteCount) = (0, 0)
        while count < Self.mostExpired, byteCount < Self.mostExpiredBytes,
            let first = try firstKey(from: 1)
        {
            switch try row(first) {
            case .one(let head):
                guard first < nextSequence - 1, let head, head.time < time else { return }
                byteCount += try deleteRow(first)
                count += 1
            case .several(let row):
                let most = min(row.count, Self.mostExpired - count, Int(nextSequence - 1 - first))
                var expired = 0
                while expired < most,
                    let head = row.head(of: first + Int64(expired)), head.time < time
                { expired += 1 }
                guard expired > 0 else { return }
                if expired < min(row.count, Self.mostExpired),
                    row.head(of: first)?.time ?? 0 >= overdue
                {
                    return
                }
                byteCount += try delete(expired, of: row)
                count += expired
            case nil: return
            }
        }
    }

    /// Deletes the first entries of a row. Returns about how many bytes they had.
    private mutating func delete(_ count: Int, of row: HistoryRow) throws(StorageError) -> Int {
        let rest = count < row.count ? row.dropping(count) : nil
        let byteCount = try deleteRow(row.first)
        guard let rest else { return byteCount }
        try insert(rest)
        if rest.end == nextSequence { last = rest }
        return row.bytes.count - rest.bytes.count
    }

    private mutating func deleteRow(_ key: Int64) throws(StorageError) -> Int {
        try StorageKey.column(id, firstKey: key, WriteSet.historyColumn).withBytes {
            key throws(StorageError) in _ = try transaction.delete(.clusters, key: key)
        }
        try StorageKey.directory(id, firstKey: key).withBytes {
            key throws(StorageError) in _ = try transaction.delete(.directory, key: key)
        }
        facts.rowCount -= 1
        let chunkCount = try transaction.deleteBlob(id, WriteSet.historyColumn, rowKey: key)
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

    private func put(_ bytes: ContiguousArray<UInt8>, as row: Int64, longest: Int)
        throws(StorageError)
    {
        let isBlob = bytes.count > longest
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
