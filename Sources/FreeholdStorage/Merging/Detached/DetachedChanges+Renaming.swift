extension DetachedChanges {
    /// The changes as if the rows that they add had other keys, for a version that they apply to.
    ///
    /// A row may get the key of one that the version has: it replaces a row that the changes
    /// delete, or others have made both one. Then the version's row gets its values. O(size).
    ///
    /// - Parameters:
    ///   - moves: New keys of added rows by the old ones, one renaming after the other.
    ///   - version: The state that the changes begin with.
    package func renamed(_ moves: [[TableID: [Int64: Int64]]], on version: TableSource)
        -> ChangeSet
    {
        var renamed = changes
        for move in moves {
            let renaming = RowRenaming(moved: move, dropped: [:])
            for (id, table) in renamed.tables {
                renamed.tables[id] = renaming.moving(
                    table, id, base.tables[id]?.rows ?? ChangeSet.Rows())
            }
        }
        return ChangeSet(
            tables: Dictionary(
                uniqueKeysWithValues: renamed.tables.map { id, table in
                    (id, Self.fitting(table, version.table(id)))
                }))
    }

    /// The changes of a table for a version that has some of the rows that they add: these are
    /// changed instead.
    private static func fitting(_ table: ChangeSet.Table, _ version: TableView)
        -> ChangeSet.Table
    {
        var fitted = table
        var finder = RowFinder(version)
        var replaced: [Int64: [ColumnID: StoredValue]] = [:]
        var inserted: [Int64: [ColumnID: StoredValue]] = [:]
        var cells: [ColumnID: [Int64: CellChange]] = [:]
        for (index, key) in table.inserted.keys.enumerated() {
            let values = table.inserted[index]
            guard let place = finder.find(key) else {
                inserted[key] = values
                continue
            }
            replaced[key] = values
            for column in table.definition.valueColumns {
                guard let new = values[column.id] else { continue }
                let old = StoredValue(column, place.cluster, row: place.row, of: version)
                cells[column.id, default: [:]][key] = CellChange(from: old, to: new)
            }
        }
        if replaced.isEmpty { return fitted }
        let columns = table.inserted.columns.keys
        fitted.inserted = ChangeSet.Rows(inserted, columns: columns)
        var deleted: [Int64: [ColumnID: StoredValue]] = [:]
        for (index, key) in table.deleted.keys.enumerated() where replaced[key] == nil {
            deleted[key] = table.deleted[index]
        }
        fitted.deleted = ChangeSet.Rows(deleted, columns: table.deleted.columns.keys)
        for (column, changes) in table.columns {
            for (row, change) in zip(changes.rows, changes.changes) where replaced[row] == nil {
                cells[column, default: [:]][row] = change
            }
        }
        fitted.columns = cells.compactMapValues { $0.isEmpty ? nil : ChangeSet.Cells($0) }
        return fitted
    }
}
