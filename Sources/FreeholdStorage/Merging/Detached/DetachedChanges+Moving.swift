// When the edits that contain a step's rows are merged, rows get other keys, or are left out. The
// step must follow, or it would be about the rows of others.
extension DetachedChanges {
    /// Renames rows, and removes those that do not exist any more. O(size).
    ///
    /// A merge may store a row of one side in the place of one that this side deleted, and give it
    /// that row's key. The deleted row, which a step may bring back, then gets the key that is free
    /// in exchange.
    ///
    /// - Parameters:
    ///   - moved: The new keys of rows by their old ones.
    ///   - dropped: Rows that are gone. What the step does to them is left out, and links to them
    ///     become null or leave their collections. To replace an owned row counts as editing it,
    ///     so what the step puts in its place is left out, too.
    package mutating func moveRows(
        _ moved: [TableID: [Int64: Int64]], dropping dropped: [TableID: Set<Int64>] = [:]
    ) {
        let move = RowRenaming(
            moved: moved.mapValues(RowRenaming.permutation), dropped: withSuccessors(of: dropped))
        if move.isEmpty { return }
        changes = ChangeSet(
            tables: Dictionary(
                uniqueKeysWithValues: changes.tables.map { id, table in
                    (id, move.moving(table, id, base.tables[id]?.rows ?? ChangeSet.Rows()))
                }))
        for (id, table) in base.tables {
            base.tables[id]?.rows = move.moving(table.rows, of: id, table.definition)
        }
    }

    /// Adds the rows that the changes put in the place of owned ones, and what they own.
    private func withSuccessors(of dropped: [TableID: Set<Int64>]) -> [TableID: Set<Int64>] {
        let isNeeded = dropped.contains { id, rows in
            guard let table = changes.tables[id], table.definition.isOwned else { return false }
            return !table.inserted.isEmpty && rows.contains { table.deleted.contains($0) }
        }
        if !isNeeded { return dropped }
        var unified = changes
        let successors = OwnedReplacements.unify(&unified)
        var (all, work) = (dropped, [LinkTarget]())
        for (id, rows) in dropped {
            for row in rows {
                if let new = successors[id]?[row] { work.append(LinkTarget(table: id, key: new)) }
            }
        }
        while let row = work.popLast() {
            guard all[row.table, default: []].insert(row.key).inserted,
                let table = changes.tables[row.table]
            else { continue }
            for column in table.definition.columns {
                guard let target = column.target,
                    changes.tables[target]?.definition.isOwned ?? false
                else { continue }
                table.inserted.value(of: column.id, in: row.key)?.forEachLink(of: column) {
                    work.append($0)
                }
            }
        }
        return all
    }

    /// Leaves out rows that the changes would add, because these are there already. O(size) if
    /// there are any.
    ///
    /// The rows returned with the elements of lists that are links to them: these are left out,
    /// too, or the lists would have them twice. Other links to the rows did not return.
    ///
    /// - Parameter rows: Rows that came back otherwise.
    /// - Returns: Those that the changes would have added.
    package mutating func forgetAdding(_ rows: [TableID: Set<Int64>]) -> [TableID: Set<Int64>] {
        var found: [TableID: Set<Int64>] = [:]
        for (table, keys) in rows {
            guard let added = changes.tables[table]?.inserted else { continue }
            let known = keys.filter { added.contains($0) }
            if !known.isEmpty { found[table] = known }
        }
        if found.isEmpty { return found }
        let renaming = RowRenaming(moved: [:], dropped: found)
        let tables = changes.tables.map { id, table in
            var rest = table
            if let known = found[id] {
                rest.inserted = table.inserted.filter { !known.contains($0) }
            }
            for (column, cells) in table.columns {
                guard let definition = table.definition[column],
                    let kind = definition.collection, kind.shape == .list, kind.type == .link
                else { continue }
                let kept = cells.compactMap { row, change in
                    renaming.moving(
                        change, definition, from: base.tables[id]?.rows.value(of: column, in: row))
                }
                rest.columns[column] = kept.rows.isEmpty ? nil : kept
            }
            return (id, rest)
        }
        changes = ChangeSet(tables: Dictionary(uniqueKeysWithValues: tables))
        return found
    }
}

/// The new names of rows.
struct RowRenaming {
    let moved: [TableID: [Int64: Int64]]
    let dropped: [TableID: Set<Int64>]

    var isEmpty: Bool {
        moved.values.allSatisfy(\.isEmpty) && dropped.values.allSatisfy(\.isEmpty)
    }

    /// Completes new keys to a permutation, so that no two rows get the same one.
    static func permutation(of keys: [Int64: Int64]) -> [Int64: Int64] {
        var (all, origins) = (keys, [Int64: Int64]())
        for (old, new) in keys { origins[new] = old }
        for end in keys.values where keys[end] == nil {
            var start = end
            while let origin = origins[start] { start = origin }
            all[end] = start
        }
        return all
    }

    /// Nil for a row that is gone.
    func key(_ row: Int64, in table: TableID) -> Int64? {
        if dropped[table]?.contains(row) ?? false { return nil }
        return moved[table]?[row] ?? row
    }

    func target(of link: LinkTarget) -> LinkTarget? {
        key(link.key, in: link.table).map { LinkTarget(table: link.table, key: $0) }
    }

    func moving(_ rows: ChangeSet.Rows, of id: TableID, _ table: TableDefinition)
        -> ChangeSet.Rows
    {
        var renamed = rows
        for column in table.columns where column.type == .link || column.countsBacklinks {
            renamed.mapValues(of: column.id) { $0.mappingLinks(of: column, target(of:)) }
        }
        if moved[id] == nil, dropped[id] == nil { return renamed }
        var values: [Int64: [ColumnID: StoredValue]] = [:]
        for (index, row) in renamed.keys.enumerated() {
            if let key = key(row, in: id) { values[key] = renamed[index] }
        }
        return ChangeSet.Rows(values, columns: renamed.columns.keys)
    }

    /// - Parameter base: The rows before the changes.
    func moving(_ table: ChangeSet.Table, _ id: TableID, _ base: ChangeSet.Rows)
        -> ChangeSet.Table
    {
        var renamed = table
        renamed.inserted = moving(table.inserted, of: id, table.definition)
        renamed.deleted = moving(table.deleted, of: id, table.definition)
        var columns: [ColumnID: [Int64: CellChange]] = [:]
        for (column, cells) in table.columns {
            guard let definition = table.definition[column] else { continue }
            for (row, change) in zip(cells.rows, cells.changes) {
                guard let key = key(row, in: id) else { continue }
                columns[column, default: [:]][key] = moving(
                    change, definition, from: base.value(of: column, in: row))
            }
        }
        renamed.columns = columns.compactMapValues { $0.isEmpty ? nil : ChangeSet.Cells($0) }
        return renamed
    }

    /// Nil if nothing is left of the change.
    func moving(_ change: CellChange, _ column: ColumnDefinition, from old: StoredValue?)
        -> CellChange?
    {
        guard column.type == .link || column.countsBacklinks, let old else { return change }
        return CellChange(
            from: old.mappingLinks(of: column, target(of:)),
            to: change.applied(to: old).mappingLinks(of: column, target(of:)))
    }
}
