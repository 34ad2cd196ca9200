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
            while let entry = try cursor.next() {
                use.add(entry.key, entry.value.count, database)
                done += 1
                if done & 0xFFFF == 0 { progress(Double(done) / Double(max(total, 1))) }
            }
        }
        return use
    }
}

extension SpaceUse {
    fileprivate mutating func add(
        _ key: UnsafeRawBufferPointer, _ valueCount: Int, _ database: Database
    ) {
        let size = key.count + valueCount
        guard database != .meta, key.count >= 4 else {
            meta += size
            return
        }
        let table = TableID(
            rawValue: UInt32(bigEndian: key.loadUnaligned(fromByteOffset: 0, as: UInt32.self)))
        if database == .directory || key.count < 6 {
            directories[table, default: 0] += size
            return
        }
        let isCluster = database == .clusters && key.count >= 14
        let column = StorageKey.column(in: key, at: isCluster ? 12 : 4)
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
