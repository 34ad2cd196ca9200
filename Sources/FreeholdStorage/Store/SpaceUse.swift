/// What the bytes of one version are used for.
package struct SpaceUse: Sendable {
    /// The bytes of the keys and values that belong to one column, or to the rows of a table as
    /// such. Without the pages around them.
    package struct Part: Sendable {
        /// The values in clusters.
        package var values = 0
        /// Values too long for a row.
        package var longValues = 0
        /// The nodes of large collections.
        package var elements = 0
        /// Index entries, or backlinks.
        package var index = 0

        package var total: Int { values + longValues + elements + index }
    }

    /// By table and column; ``ColumnID/rowKeys`` has the keys of the rows.
    package internal(set) var columns: [TableID: [ColumnID: Part]] = [:]
    /// Where the clusters of each table begin.
    package internal(set) var directories: [TableID: Int] = [:]
    /// The catalog and the facts about tables.
    package internal(set) var meta = 0
    /// The bytes of the file.
    package let fileByteCount: Int
    /// The bytes of the file's pages that are in use; the others are free and are used again.
    package let usedByteCount: Int

    /// The bytes of keys and values. The rest of ``usedByteCount`` is headers, branches and unused
    /// parts of pages, and pages that older versions keep.
    package var contentByteCount: Int {
        columns.values.reduce(meta) { $0 + $1.values.reduce(0) { $0 + $1.total } }
            + directories.values.reduce(0, +)
    }
}

extension Store {
    /// Adds up what a version is made of. O(entries): reads the file once.
    ///
    /// - Parameter progress: Called now and then with the part that is done, from 0 to 1.
    package func spaceUse(of snapshot: Snapshot, progress: (Double) -> Void = { _ in })
        throws(StorageError) -> SpaceUse
    {
        let bytes = try byteCounts()
        var use = SpaceUse(fileByteCount: bytes.total, usedByteCount: bytes.used)
        let transaction = snapshot.transaction
        let total = Database.allCases.reduce(0) { $0 + transaction.entryCount($1) }
        var done = 0
        for database in Database.allCases {
            var cursor = try transaction.cursor(database)
            // Entries of one column follow each other, but for those of clusters.
            var (prefix, size) = (UInt64(0), 0)
            while let entry = try cursor.next() {
                let next = Self.prefix(of: entry.key, database)
                if next != prefix {
                    use.add(size, prefix, database)
                    (prefix, size) = (next, 0)
                }
                size += entry.key.count + entry.value.count
                done += 1
                if done & 0xFFFF == 0 { progress(Double(done) / Double(max(total, 1))) }
            }
            use.add(size, prefix, database)
        }
        return use
    }

    /// The table that an entry belongs to, and its column, which other keys have elsewhere than
    /// clusters.
    private static func prefix(of key: UnsafeRawBufferPointer, _ database: Database) -> UInt64 {
        guard database != .meta, key.count >= 4 else { return SpaceUse.ofNoTable }
        let table = UInt64(UInt32(bigEndian: key.loadUnaligned(as: UInt32.self)))
        if database == .directory || key.count < 6 { return table << 32 }
        let place = database == .clusters && key.count >= 14 ? 12 : 4
        return table << 32 | SpaceUse.hasColumn
            | UInt64(StorageKey.column(in: key, at: place).rawValue)
    }
}

extension SpaceUse {
    fileprivate static let ofNoTable = UInt64.max
    /// In the prefix of an entry: below it is the column.
    fileprivate static let hasColumn: UInt64 = 1 << 16

    fileprivate mutating func add(_ size: Int, _ prefix: UInt64, _ database: Database) {
        if size == 0 { return }
        let table = TableID(rawValue: UInt32(truncatingIfNeeded: prefix >> 32))
        guard prefix != Self.ofNoTable else {
            meta += size
            return
        }
        guard prefix & Self.hasColumn != 0 else {
            directories[table, default: 0] += size
            return
        }
        let column = ColumnID(rawValue: UInt16(truncatingIfNeeded: prefix))
        var part = columns[table]?[column] ?? Part()
        switch database {
        case .clusters: part.values += size
        case .blobs: part.longValues += size
        case .elements: part.elements += size
        case .indexes: part.index += size
        case .meta, .directory: break
        }
        columns[table, default: [:]][column] = part
    }
}
