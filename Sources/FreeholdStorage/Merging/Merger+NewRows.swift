/// Rows that my side added: which of them are rows of theirs, and which keys the others get.
extension Merger {
    func settleNewRows() throws(StorageError) {
        for id in minesTables {
            guard let table = mine.tables[id], !table.inserted.isEmpty else { continue }
            if table.definition.usesPrimaryKeyAsRowKey {
                uniteNewRows(id, table)
            } else {
                try uniteNewRowsByPrimaryKey(id, table)
            }
            chooseKeys(id, table)
        }
        followNewKeys()
    }

    /// Makes a row of my side the same as a row of theirs.
    func unite(_ row: LinkTarget, with other: Int64, getsMyValues: Bool) {
        newRows[row.table, default: [:]][row.key] = other
        united[LinkTarget(table: row.table, key: other)] = (row.key, getsMyValues)
    }

    // MARK: Primary keys

    private func uniteNewRows(_ id: TableID, _ table: ChangeSet.Table) {
        if renumbers(id) { return }
        let rows = target.table(id)
        for key in table.inserted.keys where rows.contains(RowKey(rawValue: key)) {
            settleTwins(LinkTarget(table: id, key: key), key, table.definition)
        }
    }

    private func uniteNewRowsByPrimaryKey(_ id: TableID, _ table: ChangeSet.Table)
        throws(StorageError)
    {
        guard let column = table.definition.primaryKey, !renumbers(id),
            let keys = table.inserted.columns[column]
        else { return }
        for (index, key) in table.inserted.keys.enumerated() {
            guard
                let other = try rowInTarget(
                    withPrimaryKeyOf: [column: keys[index]], table.definition)
            else { continue }
            settleTwins(LinkTarget(table: id, key: key), other, table.definition)
        }
    }

    /// The row of the target with a primary key that is not the row key, unless the merge deletes
    /// it.
    func rowInTarget(withPrimaryKeyOf values: [ColumnID: StoredValue], _ table: TableDefinition)
        throws(StorageError) -> Int64?
    {
        guard let column = table.primaryKey, !table.usesPrimaryKeyAsRowKey,
            case .plain(let value)? = values[column],
            let row = try target.mutableTable(table.id).rowKey(forPrimaryKey: value.indexKey)
        else { return nil }
        return output.deleted[table.id]?.contains(row.rawValue) ?? false ? nil : row.rawValue
    }

    /// Settles that a new row has the primary key of a row of theirs.
    private func settleTwins(
        _ row: LinkTarget, _ other: Int64, _ table: TableDefinition
    ) {
        let isNew = theirs.tables[row.table]?.inserted.contains(other) ?? false
        if isNew, contentComparison.areEqual(row.table, row.key, other) {
            return unite(row, with: other, getsMyValues: false)
        }
        let wins = mineWins(
            Conflict(kind: isNew ? .createdTwice : .notUnique, table: row.table, row: other))
        unite(row, with: other, getsMyValues: wins)
    }

    // MARK: Keys

    /// Whether rows of a table whose primary keys are taken get other ones.
    private func renumbers(_ table: TableID) -> Bool {
        automaticKeys.contains(table) && target.mutableTable(table).nextPrimaryKey() != nil
    }

    private func chooseKeys(_ id: TableID, _ table: ChangeSet.Table) {
        let rows = target.mutableTable(id)
        let known = newRows[id] ?? [:]
        let keys = table.inserted.keys.filter { known[$0] == nil }
        var next = target.nextRowKey(of: id)
        if table.definition.usesPrimaryKeyAsRowKey {
            next = max(next, 1)
            for key in keys where rows.contains(RowKey(rawValue: key)) {
                while table.inserted.contains(next) { next += 1 }
                newRows[id, default: [:]][key] = next
                next += 1
            }
            return
        }
        // Where edits that were dropped had used keys, the base's next one may be greater.
        next = max(next, table.nextRowKey)
        // Keys below the base's next one are those of rows that existed, and return. The others
        // keep their order: after the first one that is taken, each is below the next key, up to
        // one from which on all are free.
        for key in keys {
            let isTaken =
                key < table.nextRowKey ? rows.contains(RowKey(rawValue: key)) : key < next
            if isTaken {
                newRows[id, default: [:]][key] = next
                next += 1
            }
        }
        guard let column = table.definition.primaryKey, renumbers(id) else { return }
        next = max(next, (keys.last ?? 0) + 1)
        for key in takenPrimaryKeys(column, id, table) {
            mine.tables[id]?.inserted.set(
                column, of: key, .plain(.integer(newRows[id]?[key] ?? next)))
            if newRows[id]?[key] == nil { next += 1 }
        }
    }

    /// The rows whose automatic primary key, which is not their row key, a row of theirs has.
    private func takenPrimaryKeys(_ column: ColumnID, _ id: TableID, _ table: ChangeSet.Table)
        -> [Int64]
    {
        guard let theirKeys = theirs.tables[id]?.inserted.columns[column] else { return [] }
        let taken = Set(theirKeys)
        let own = table.inserted.columns[column] ?? []
        return zip(table.inserted.keys, own).filter { taken.contains($1) }.map(\.0)
    }

    /// Rewrites the keys and links of my side.
    private func followNewKeys() {
        let moved = newRows
        guard moved.values.contains(where: { !$0.isEmpty }) else { return }
        for id in minesTables {
            mine.tables[id]?.mapNewLinks { link in
                LinkTarget(table: link.table, key: moved[link.table]?[link.key] ?? link.key)
            }
            guard let keys = moved[id], let rows = mine.tables[id]?.inserted else { continue }
            mine.tables[id]?.inserted = rows.renamed { keys[$0] ?? $0 }
        }
    }
}

extension ChangeSet.Rows {
    fileprivate mutating func set(_ column: ColumnID, of key: Int64, _ value: StoredValue) {
        guard let index = index(of: key), var values = columns[column] else { return }
        values[index] = value
        self = ChangeSet.Rows(
            keys: keys, columns: columns.merging([column: values]) { $1 })
    }

    /// The rows with other keys, all different.
    fileprivate func renamed(_ name: (Int64) -> Int64) -> ChangeSet.Rows {
        let new = keys.map(name)
        let order = new.indices.sorted { new[$0] < new[$1] }
        return ChangeSet.Rows(
            keys: ContiguousArray(order.map { new[$0] }),
            columns: columns.mapValues { values in ContiguousArray(order.map { values[$0] }) })
    }
}
