extension CommitWriter {
    /// Deletes the stored data of removed tables, columns and indexes, except values in
    /// clusters. O(deleted entries).
    func delete(_ changes: CatalogChanges, _ directories: inout [TableID: ClusterDirectory])
        throws(StorageError)
    {
        if let id = writeSet.base.catalog.history?.id, changes.removedTables.contains(id) {
            try transaction.deleteHistoryTail()
        }
        for table in changes.removedTables {
            let prefix = StorageKey.prefix(table)
            for database in [Database.directory, .clusters, .indexes, .blobs, .elements] {
                try transaction.deleteAll(database, with: prefix)
            }
            try StorageKey.tableFacts(table).withBytes { key throws(StorageError) in
                _ = try transaction.delete(.meta, key: key)
            }
            directories[table] = nil
        }
        for place in changes.removedIndexes {
            try transaction.deleteAll(.indexes, with: .prefix(place.table, place.column))
        }
        for place in changes.removedColumns {
            let prefix = StorageKey.prefix(place.table, place.column.id)
            if place.column.collection != nil { try transaction.deleteAll(.elements, with: prefix) }
            if place.column.type.isVariableLength {
                try transaction.deleteAll(.blobs, with: prefix)
            }
        }
    }
}

/// The differences between two catalogs that require writing more than the catalog.
struct CatalogChanges {
    private(set) var removedTables: [TableID] = []
    /// Removed columns of tables that remain.
    private(set) var removedColumns: [(table: TableID, column: ColumnDefinition)] = []
    /// Indexes to delete, of tables that remain.
    private(set) var removedIndexes: [(table: TableID, column: ColumnID)] = []
    /// Indexes to build from all rows. Not those of counted backlinks: their columns are new
    /// and empty, and each link is logged.
    private(set) var addedIndexes: [TableID: Set<ColumnID>] = [:]
    let isEmpty: Bool

    /// Compares two catalogs. O(1) if both are the same; else O(columns).
    init(from old: Catalog, to new: Catalog) {
        isEmpty = old == new
        if isEmpty { return }
        for table in old.tables {
            guard let now = new[table.id] else {
                removedTables.append(table.id)
                continue
            }
            if now == table { continue }
            for column in table.columns where now[column.id] == nil {
                removedColumns.append((table.id, column))
            }
            compareIndexes(table, now)
        }
        for table in new.tables where old[table.id] == nil { compareIndexes(nil, table) }
    }

    private mutating func compareIndexes(_ old: TableDefinition?, _ new: TableDefinition) {
        func indexes(_ table: TableDefinition?) -> [ColumnID: Bool] {
            Dictionary(
                uniqueKeysWithValues: (table?.indexedColumns ?? []).map { ($0.id, $0.isFullText) })
        }
        let (before, now) = (indexes(old), indexes(new))
        for (column, isFullText) in before.sorted(by: { $0.key < $1.key })
        where now[column] != isFullText { removedIndexes.append((new.id, column)) }
        for (column, isFullText) in now where before[column] != isFullText {
            if new[column]?.countsBacklinks ?? false { continue }
            addedIndexes[new.id, default: []].insert(column)
        }
    }
}

extension WriteTransaction {
    /// Removes every entry whose key begins with `prefix`. O(log entries) for each.
    func deleteAll(_ database: Database, with prefix: StorageKey) throws(StorageError) {
        try prefix.withBytes { bytes throws(StorageError) in
            var cursor = try self.cursor(database)
            while let entry = try cursor.seek(atOrAfter: bytes), entry.key.starts(with: bytes) {
                try cursor.deleteFound()
            }
        }
    }
}
