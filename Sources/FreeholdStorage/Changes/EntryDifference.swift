/// The entries of one table that differ between two versions.
struct EntryDifference {
    struct ClusterColumn {
        let firstKey: Int64
        let column: ColumnID
    }

    /// The first keys of the clusters whose sets of rows differ, or that only one version has;
    /// ascending.
    var clusters: ContiguousArray<Int64> = []
    /// The differing columns of clusters, in the order of the first keys.
    var columns: ContiguousArray<ClusterColumn> = []
    /// For each column, the rows with a differing long value or collection node; ascending.
    var cells: [ColumnID: ContiguousArray<Int64>] = [:]

    /// Sorts the results of several databases.
    mutating func finish() {
        clusters.sortAndRemoveDuplicates()
        for column in cells.keys { cells[column]?.sortAndRemoveDuplicates() }
    }
}

extension EntryDifference {
    /// The tables with differing entries. O(changed pages), or O(entries) if only LMDB can read
    /// the pages.
    static func find(from old: ReadTransaction, to new: ReadTransaction) throws(StorageError)
        -> [TableID: EntryDifference]
    {
        var collector = Collector()
        for database in [Database.directory, .clusters, .blobs, .elements] {
            var found = collector
            found.database = database
            if try new.forEachDifference(database, from: old, { found.add($0) }) == nil {
                found = collector
                found.database = database
                try CursorComparison.forEachDifference(database, from: old, to: new) {
                    found.add($0)
                }
            }
            collector = found
            if let key = collector.impossibleKey {
                throw StorageError.damaged(
                    """
                    The database "\(database.name)" has an entry with the impossible key \
                    \(key).
                    """, path: new.environment.path)
            }
        }
        collector.finish()
        return collector.tables
    }

    /// Assigns keys to tables and columns.
    private struct Collector {
        var tables: [TableID: EntryDifference] = [:]
        var database = Database.directory
        var impossibleKey: [UInt8]?
        /// The table of the last key, kept outside of `tables`: the keys of one table are
        /// consecutive.
        private var current: (id: TableID, entries: EntryDifference)?

        mutating func add(_ key: UnsafeRawBufferPointer) {
            let isPossible =
                switch database {
                case .directory: key.count == 12
                case .clusters: key.count == 14
                default: key.count == 18
                }
            guard isPossible else {
                impossibleKey = Array(key)
                return
            }
            let id = TableID(rawValue: UInt32(bigEndian: key.loadUnaligned(as: UInt32.self)))
            if current?.id != id {
                putCurrentBack()
                current = (id, tables.removeValue(forKey: id) ?? EntryDifference())
            }
            switch database {
            case .directory: current?.entries.clusters.append(StorageKey.rowKey(in: key, at: 4))
            case .clusters:
                let firstKey = StorageKey.rowKey(in: key, at: 4)
                let column = StorageKey.column(in: key, at: 12)
                if column == .rowKeys {
                    current?.entries.clusters.append(firstKey)
                } else {
                    current?.entries.columns.append(
                        ClusterColumn(firstKey: firstKey, column: column))
                }
            default:
                let column = StorageKey.column(in: key, at: 4)
                let row = StorageKey.rowKey(in: key, at: 6)
                if current?.entries.cells[column]?.last != row {
                    current?.entries.cells[column, default: []].append(row)
                }
            }
        }

        private mutating func putCurrentBack() {
            if let current { tables[current.id] = current.entries }
            current = nil
        }

        mutating func finish() {
            putCurrentBack()
            for id in tables.keys { tables[id]?.finish() }
        }
    }
}
