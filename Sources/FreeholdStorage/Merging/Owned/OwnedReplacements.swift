/// Turns owned rows that a side replaced into rows that it changed.
///
/// Programs often assign a new owned object where they mean an edit. So where an owner's link
/// leads from a deleted row to a new one, the deleted row counts as changed, to the new one's
/// values, and the link as unchanged. In a list, new rows stand for deleted ones with equal values,
/// then for those in the same places.
struct OwnedReplacements {
    private let before: ChangeSet
    private let catalog: Catalog
    private var replaced: [TableID: [Int64: Int64]] = [:]
    private var replacing: [TableID: Set<Int64>] = [:]
    /// The changes of the rows that were replaced.
    private var cells: [TableID: [ColumnID: [Int64: CellChange]]] = [:]

    /// - Returns: The deleted rows that stay, and the new rows in whose places they are.
    static func unify(_ changes: inout ChangeSet) -> [TableID: [Int64: Int64]] {
        let owned = changes.tables.filter {
            $0.value.definition.isOwned && !$0.value.inserted.isEmpty && !$0.value.deleted.isEmpty
        }
        if owned.isEmpty { return [:] }
        var replacements = OwnedReplacements(changes)
        for id in changes.tables.keys.sorted() {
            guard let table = changes.tables[id] else { continue }
            for column in table.definition.columns {
                guard let target = column.target, owned[target] != nil,
                    let cells = table.columns[column.id]
                else { continue }
                changes.tables[id]?.columns[column.id] = cells.compactMap { _, change in
                    replacements.unify(change, target)
                }
            }
        }
        replacements.finish(&changes)
        return replacements.replaced
    }

    private init(_ changes: ChangeSet) {
        before = changes
        var catalog = Catalog()
        catalog.tables = changes.tables.values.map(\.definition).sorted { $0.id < $1.id }
        self.catalog = catalog
    }

    /// What remains of a change of links to owned rows; nil for nothing.
    private mutating func unify(_ change: CellChange, _ target: TableID) -> CellChange? {
        switch change {
        case .value(.plain(.link(let old)), .plain(.link(let new))):
            return replace(old.rawValue, by: new.rawValue, in: target) ? nil : change
        case .map(let changes):
            let rest = changes.entries.filter { entry in
                guard case .plain(.link(let old))? = entry.old,
                    case .plain(.link(let new))? = entry.new
                else { return true }
                return !replace(old.rawValue, by: new.rawValue, in: target)
            }
            return rest.isEmpty ? nil : .map(MapChanges(entries: ContiguousArray(rest)))
        case .list(let changes):
            let rest = unify(changes, target)
            return rest.isEmpty ? nil : .list(rest)
        default: return change
        }
    }

    private mutating func unify(_ changes: ListChanges, _ target: TableID) -> ListChanges {
        let equal = replaceEqualRows(changes, target)
        var edits: [ListChanges.Edit] = []
        for edit in changes.edits {
            let inserted = ContiguousArray(
                edit.inserted.map { value in
                    value.linked.flatMap { equal[$0] }.map { .plain(.link(RowKey(rawValue: $0))) }
                        ?? value
                })
            let parts = ListChanges(
                edit.removed, inserted, offset: edit.position, oldCount: changes.oldCount)
            for part in parts.edits { append(part, target, to: &edits) }
        }
        return ListChanges(edits: edits, oldCount: changes.oldCount)
    }

    /// Appends what remains of an edit after rows were replaced place by place.
    private mutating func append(
        _ edit: ListChanges.Edit, _ target: TableID, to edits: inout [ListChanges.Edit]
    ) {
        guard edit.removed.count == edit.inserted.count else {
            edits.append(edit)
            return
        }
        for (offset, (old, new)) in zip(edit.removed, edit.inserted).enumerated() {
            if let a = old.linked, let b = new.linked, replace(a, by: b, in: target) { continue }
            let position = edit.position + offset
            if let last = edits.last, last.end == position {
                edits[edits.count - 1] = ListChanges.Edit(
                    position: last.position, removed: last.removed + [old],
                    inserted: last.inserted + [new])
            } else {
                edits.append(ListChanges.Edit(position: position, removed: [old], inserted: [new]))
            }
        }
    }

    /// Replaces deleted rows of a list by new ones with equal values. Returns the old row of each
    /// such new one.
    private mutating func replaceEqualRows(_ changes: ListChanges, _ target: TableID) -> [Int64:
        Int64]
    {
        var removed = changes.edits.flatMap { $0.removed.compactMap(\.linked) }
        let inserted = changes.edits.flatMap { $0.inserted.compactMap(\.linked) }
        // Beyond that, the places alone tell: comparing each with each would take too long.
        if removed.isEmpty || removed.count * inserted.count > 10_000 { return [:] }
        let comparison = ContentComparison(
            first: { [before] in before.tables[$0]?.deleted },
            second: { [before] in before.tables[$0]?.inserted }, catalog: catalog)
        var equal: [Int64: Int64] = [:]
        for new in inserted {
            guard
                let index = removed.firstIndex(where: {
                    canReplace($0, by: new, in: target) && comparison.areEqual(target, $0, new)
                })
            else { continue }
            let old = removed.remove(at: index)
            _ = replace(old, by: new, in: target)
            equal[new] = old
        }
        return equal
    }

    private func canReplace(_ old: Int64, by new: Int64, in table: TableID) -> Bool {
        guard let rows = before.tables[table] else { return false }
        return rows.deleted.contains(old) && rows.inserted.contains(new)
            && replaced[table]?[old] == nil && !(replacing[table]?.contains(new) ?? false)
    }

    /// Counts a deleted row as changed to the values of a new one, with the rows that it owns.
    /// Returns false if it was not deleted, or the other one is not new.
    private mutating func replace(_ old: Int64, by new: Int64, in table: TableID) -> Bool {
        guard canReplace(old, by: new, in: table), let rows = before.tables[table],
            let a = rows.deleted.index(of: old), let b = rows.inserted.index(of: new)
        else { return false }
        replaced[table, default: [:]][old] = new
        replacing[table, default: []].insert(new)
        for column in rows.definition.valueColumns {
            guard let value = rows.deleted.columns[column.id]?[a],
                let other = rows.inserted.columns[column.id]?[b],
                var change = CellChange(from: value, to: other)
            else { continue }
            if let target = column.target, before.tables[target]?.definition.isOwned ?? false {
                guard let rest = unify(change, target) else { continue }
                change = rest
            }
            cells[table, default: [:]][column.id, default: [:]][old] = change
        }
        return true
    }

    private func finish(_ changes: inout ChangeSet) {
        for (id, rows) in replaced {
            guard var table = changes.tables[id] else { continue }
            table.deleted = table.deleted.filter { rows[$0] == nil }
            table.inserted = table.inserted.filter { !(replacing[id]?.contains($0) ?? false) }
            for (column, added) in cells[id] ?? [:] {
                var all = added
                if let known = table.columns[column] {
                    for (row, change) in zip(known.rows, known.changes) { all[row] = change }
                }
                table.columns[column] = ChangeSet.Cells(all)
            }
            changes.tables[id] = table
        }
        for (id, table) in changes.tables {
            changes.tables[id]?.columns = table.columns.filter { !$0.value.rows.isEmpty }
        }
    }
}

extension StoredValue {
    /// The row that a link leads to.
    var linked: Int64? {
        if case .plain(.link(let key)) = self { return key.rawValue }
        return nil
    }
}
