extension ChangeSet {
    /// Reads the values of all differing rows. O(changed rows + elements of changed collections).
    ///
    package init(_ difference: VersionDifference) { self.init(difference, tables: nil, mine: nil) }

    /// Reads what a merge with other changes needs: values of the rows that these change or
    /// delete, and all links.
    ///
    /// - Parameter tables: See ``ThreeWayMerge/tablesToRead(for:in:)``.
    package init(_ difference: VersionDifference, tables: Set<TableID>, toMergeWith mine: ChangeSet)
    {
        self.init(difference, tables: tables, mine: mine)
    }

    private init(_ difference: VersionDifference, tables ids: Set<TableID>?, mine: ChangeSet?) {
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
                for (column, modified) in changes.modifications {
                    guard let definition = now.definition[column] else { continue }
                    let rows = mine?.rows(among: modified, of: definition, in: id) ?? modified
                    let cells = Cells(definition, rows, from: before, to: now)
                    if !cells.rows.isEmpty { table.columns[column] = cells }
                }
            }
            if !table.isEmpty { tables[id] = table }
        }
    }
}

extension VersionDifference {
    /// Whether the versions differ in rows or values, and not in their stored form alone. Reads up
    /// to the first difference, and what is cheap to compare first: O(rows of the clusters that
    /// differ), and values only of cells that were stored again.
    package var hasChangedValues: Bool {
        func hasRowsOrCheapValues(_ id: TableID) -> Bool {
            let changes = changes(of: id)
            if !changes.insertions.isEmpty || !changes.deletions.isEmpty { return true }
            return hasCells(of: id, changes, where: { $0.collection == nil }) {
                column, row, old, new in
                !ChangeSet.Cells(column, [row], from: old, to: new).rows.isEmpty
            }
        }
        func hasCollections(
            _ id: TableID, _ isDifferent: (ColumnDefinition, Int64, TableView, TableView) -> Bool
        ) -> Bool {
            hasCells(of: id, changes(of: id), where: { $0.collection != nil }, isDifferent)
        }
        if changedTables.contains(where: hasRowsOrCheapValues) { return true }
        let hasOtherCount = changedTables.contains { id in
            hasCollections(id) { column, row, old, new in
                guard let kind = column.collection else { return false }
                var (before, now) = (RowFinder(old), RowFinder(new))
                guard let a = before.find(row), let b = now.find(row) else { return false }
                let (first, second) = StoredCollection.pair(column.id, kind, (old, a), (new, b))
                return first.count != second.count
            }
        }
        return hasOtherCount
            || changedTables.contains { id in
                hasCollections(id) { column, row, old, new in
                    !ChangeSet.Cells(column, [row], from: old, to: new).rows.isEmpty
                }
            }
    }

    /// Whether a condition holds for a modified cell in one of some columns.
    private func hasCells(
        of id: TableID, _ changes: TableChanges, where isCompared: (ColumnDefinition) -> Bool,
        _ isDifferent: (ColumnDefinition, Int64, TableView, TableView) -> Bool
    ) -> Bool {
        guard old.currentCatalog[id] != nil, new.currentCatalog[id] != nil else { return false }
        let (before, now) = (old.table(id), new.table(id))
        return changes.modifications.contains { column, rows in
            guard let definition = now.definition[column], isCompared(definition) else {
                return false
            }
            return rows.contains { isDifferent(definition, $0, before, now) }
        }
    }
}

extension ChangeSet {
    /// The rows whose values in a column matter to a merge with these changes.
    private func rows(
        among modified: ContiguousArray<Int64>, of column: ColumnDefinition, in table: TableID
    ) -> ContiguousArray<Int64> {
        if column.type == .link || column.countsBacklinks { return modified }
        guard let own = tables[table] else { return [] }
        var rows = own.columns[column.id]?.rows ?? []
        rows.append(contentsOf: own.deleted.keys)
        rows.sortAndRemoveDuplicates()
        return modified.intersection(rows)
    }
}

extension ContiguousArray<Int64> {
    /// The keys that both have. Both ascend. O(count of both).
    fileprivate func intersection(_ other: ContiguousArray<Int64>) -> ContiguousArray<Int64> {
        var common: ContiguousArray<Int64> = []
        var index = 0
        for key in self {
            while index < other.count, other[index] < key { index += 1 }
            if index < other.count, other[index] == key { common.append(key) }
        }
        return common
    }
}

extension TableDefinition {
    /// The columns whose values are not the row keys.
    var valueColumns: [ColumnDefinition] {
        usesPrimaryKeyAsRowKey ? columns.filter { $0.id != primaryKey } : columns
    }
}

extension ChangeSet.Rows {
    /// Values of some rows of a table; of all columns if none are named.
    init(
        _ keys: ContiguousArray<Int64>, of table: TableView, _ read: [ColumnDefinition]? = nil
    ) {
        if keys.isEmpty {
            self.init()
            return
        }
        var finder = RowFinder(table)
        // Damage may have taken a row, which is noted, and which then reads as null.
        let places = keys.map { finder.find($0) }
        var columns: [ColumnID: ContiguousArray<StoredValue>] = [:]
        for column in read ?? table.definition.valueColumns {
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
        if let kind = column.collection {
            var (before, now) = (RowFinder(old), RowFinder(new))
            for row in rows {
                if let a = before.find(row), let b = now.find(row),
                    let change = CellChange(column.id, kind, from: (old, a), to: (new, b))
                {
                    append(change, of: row)
                }
            }
            return
        }
        let known = old.definition[column.id]
        let isKnown = known?.type == column.type && known?.collection == nil
        // The comparison of two versions knows that other values differ.
        let mayBeEqual = column.type.isVariableLength || !isKnown
        var before = isKnown ? ColumnReader(column, of: old) : nil
        var now = ColumnReader(column, of: new)
        for row in rows {
            guard let changed = now.value(of: row) else { continue }
            let value = before == nil ? column.initialValue : before?.value(of: row)
            guard let value, !mayBeEqual || value != changed else { continue }
            append(.value(old: value, new: changed), of: row)
        }
    }
}
