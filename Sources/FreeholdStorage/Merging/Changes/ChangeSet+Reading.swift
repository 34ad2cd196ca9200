extension ChangeSet {
    /// Reads the values of all differing rows. O(changed rows + elements of changed collections).
    ///
    /// - Parameter tables: Nil for all tables.
    package init(_ difference: VersionDifference, tables ids: Set<TableID>? = nil) {
        for id in difference.changedTables where ids?.contains(id) ?? true {
            let changes = difference.changes(of: id)
            if changes.isEmpty { continue }
            let (before, now) = (
                difference.old.currentCatalog[id].map { _ in difference.old.table(id) },
                difference.new.currentCatalog[id].map { _ in difference.new.table(id) }
            )
            guard let definition = (now ?? before)?.definition else { continue }
            var table = Table(definition, nextRowKey: difference.old.nextRowKey(of: id))
            if let now { table.inserted = Rows(changes.insertions, of: now) }
            if let before { table.deleted = Rows(changes.deletions, of: before) }
            if let before, let now {
                for (column, rows) in changes.modifications {
                    guard let definition = now.definition[column] else { continue }
                    let cells = Cells(definition, rows, from: before, to: now)
                    if !cells.rows.isEmpty { table.columns[column] = cells }
                }
            }
            if !table.isEmpty { tables[id] = table }
        }
    }
}

extension TableDefinition {
    /// The columns whose values are not the row keys.
    var valueColumns: [ColumnDefinition] {
        usesPrimaryKeyAsRowKey ? columns.filter { $0.id != primaryKey } : columns
    }
}

extension ChangeSet.Rows {
    /// All values of some rows of a table.
    init(_ keys: ContiguousArray<Int64>, of table: TableView) {
        if keys.isEmpty {
            self.init()
            return
        }
        var finder = RowFinder(table)
        // Damage may have taken a row, which is noted, and which then reads as null.
        let places = keys.map { finder.find($0) }
        var columns: [ColumnID: ContiguousArray<StoredValue>] = [:]
        for column in table.definition.valueColumns {
            columns[column.id] = ContiguousArray(
                places.map { place in
                    place.map {
                        StoredValue(column, $0.cluster, row: $0.row, of: table)
                    } ?? column.initialValue
                })
        }
        self.init(keys: keys, columns: columns)
    }
}

extension ChangeSet.Cells {
    fileprivate init(
        _ column: ColumnDefinition, _ rows: ContiguousArray<Int64>, from old: TableView,
        to new: TableView
    ) {
        reserveCapacity(rows.count)
        let known = old.definition[column.id]
        let isKnown = known?.type == column.type && known?.collection == column.collection
        var (before, now) = (RowFinder(old), RowFinder(new))
        for row in rows {
            guard let a = before.find(row), let b = now.find(row) else { continue }
            if let kind = column.collection {
                if let change = CellChange(column.id, kind, from: (old, a), to: (new, b)) {
                    append(change, of: row)
                }
                continue
            }
            let value =
                isKnown
                ? StoredValue(column, a.cluster, row: a.row, of: old) : column.initialValue
            let changed = StoredValue(column, b.cluster, row: b.row, of: new)
            if value != changed { append(.value(old: value, new: changed), of: row) }
        }
    }
}
