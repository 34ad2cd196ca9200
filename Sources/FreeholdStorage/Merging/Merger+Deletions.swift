/// Rows that one side deleted, and the other one changed or linked to.
extension Merger {
    /// What the other side did with a deleted row and the rows that it owns.
    private struct Hits {
        var changed: [Conflict.Place] = []
        var linked: [Conflict.Place] = []
    }

    func settleDeletions() throws(StorageError) {
        let byMine = conflicts(of: mine, deleting: .mine, with: theirs)
        let byTheirs = conflicts(of: theirs, deleting: .theirs, with: mine)
        for (conflict, rows) in byMine where !mineWins(conflict) { kept.formUnion(rows) }
        for (conflict, rows) in byTheirs where mineWins(conflict) {
            for row in rows where !isDeletedByMine(row) { restored.insert(row) }
        }
        for (id, table) in mine.tables where !table.deleted.isEmpty {
            for key in table.deleted.keys {
                let row = LinkTarget(table: id, key: key)
                if !isDeletedByTheirs(row), !kept.contains(row) {
                    output.delete(LinkTarget(table: id, key: self.key(key, in: id)))
                }
            }
        }
        try uniteRestoredRows()
    }

    /// The conflicts of one side's deletions, each with the rows that it is about: a deleted row
    /// and the deleted rows that it owned.
    private func conflicts(
        of side: ChangeSet, deleting name: Conflict.Side, with other: ChangeSet
    ) -> [(Conflict, [LinkTarget])] {
        guard side.hasDeletions, !other.isEmpty else { return [] }
        let owners = side.ownersOfDeletedRows
        func root(_ row: LinkTarget) -> LinkTarget {
            var row = row
            while let owner = owners[row] { row = owner }
            return row
        }
        func isDeleted(_ row: LinkTarget) -> Bool {
            side.tables[row.table]?.deleted.contains(row.key) ?? false
        }
        var hits: [LinkTarget: Hits] = [:]
        for (id, table) in other.tables {
            let deleted = side.tables[id]?.deleted ?? ChangeSet.Rows()
            for (column, cells) in table.columns {
                guard let definition = table.definition[column] else { continue }
                // To remove an owned row is to change its owner.
                let isOwner = definition.target.map { catalog[$0]?.isOwned ?? false } ?? false
                for key in deleted.keys {
                    guard let change = cells[key], isOwner || !other.follows(change, definition)
                    else { continue }
                    hits[root(LinkTarget(table: id, key: key)), default: Hits()].changed.append(
                        Conflict.Place(table: id, row: key, column: column))
                }
                guard definition.type == .link || definition.countsBacklinks else { continue }
                for (row, change) in zip(cells.rows, cells.changes) {
                    change.forEachNewLink(of: definition) { target in
                        if isDeleted(target) {
                            hits[root(target), default: Hits()].linked.append(
                                Conflict.Place(table: id, row: row, column: column))
                        }
                    }
                }
            }
            for column in table.definition.columns
            where column.type == .link || column.countsBacklinks {
                for (index, value) in (table.inserted.columns[column.id] ?? []).enumerated() {
                    value.forEachLink(of: column) { target in
                        if isDeleted(target) {
                            hits[root(target), default: Hits()].linked.append(
                                Conflict.Place(
                                    table: id, row: table.inserted.keys[index], column: column.id))
                        }
                    }
                }
            }
        }
        if hits.isEmpty { return [] }
        var members: [LinkTarget: [LinkTarget]] = [:]
        for (id, table) in side.tables {
            for key in table.deleted.keys {
                let row = LinkTarget(table: id, key: key)
                let root = root(row)
                if hits[root] != nil { members[root, default: []].append(row) }
            }
        }
        return hits.sorted { ($0.key.table, $0.key.key) < ($1.key.table, $1.key.key) }.map {
            root, hits in
            let places = hits.changed + hits.linked
            return (
                Conflict(
                    kind: hits.changed.isEmpty
                        ? .linkToDeleted(by: name) : .deletedAndChanged(by: name),
                    table: root.table, row: root.key,
                    places: Set(places).sorted {
                        ($0.table, $0.row, $0.column) < ($1.table, $1.row, $1.column)
                    }),
                members[root] ?? []
            )
        }
    }

    /// A restored row whose primary key another row of their version has is that row, or stays
    /// deleted.
    private func uniteRestoredRows() throws(StorageError) {
        for row in restored.sorted(by: { ($0.table, $0.key) < ($1.table, $1.key) }) {
            guard let values = restoredValues(of: row), let table = catalog[row.table],
                let other = try rowInTarget(withPrimaryKeyOf: values, table)
            else { continue }
            restored.remove(row)
            let wins = mineWins(
                Conflict(kind: .notUnique, table: row.table, row: row.key))
            unite(row, with: other, getsMyValues: wins)
        }
    }

    /// The values of a restored row: those of the base, with the changes of my side.
    func restoredValues(of row: LinkTarget) -> [ColumnID: StoredValue]? {
        guard let deleted = theirs.tables[row.table]?.deleted,
            let index = deleted.index(of: row.key)
        else { return nil }
        var values = deleted[index]
        for column in catalog[row.table]?.valueColumns ?? [] where values[column.id] == nil {
            // Their side has added the column, and deleted the row.
            values[column.id] = column.initialValue
        }
        let changes = mine.tables[row.table]
        for (column, value) in values {
            guard let definition = changes?.definition[column],
                let change = changes?.columns[column]?[row.key],
                !mine.follows(change, definition)
            else { continue }
            values[column] = change.applied(to: value)
        }
        return values
    }
}

extension ChangeSet {
    /// Whether a change of this side is only what follows from rows that the side deleted.
    func follows(_ change: CellChange, _ column: ColumnDefinition) -> Bool {
        guard hasDeletions, column.type == .link || column.countsBacklinks else { return false }
        return change.followsFromDeletion(of: column) {
            tables[$0.table]?.deleted.contains($0.key) ?? false
        }
    }

    /// Of each deleted row that a deleted row owned, that owner.
    fileprivate var ownersOfDeletedRows: [LinkTarget: LinkTarget] {
        var owners: [LinkTarget: LinkTarget] = [:]
        for (id, table) in tables where !table.deleted.isEmpty {
            for column in table.definition.columns {
                guard let target = column.target,
                    tables[target]?.definition.isOwned ?? false,
                    let values = table.deleted.columns[column.id]
                else { continue }
                for (index, value) in values.enumerated() {
                    value.forEachLink(of: column) {
                        owners[$0] = LinkTarget(table: id, key: table.deleted.keys[index])
                    }
                }
            }
        }
        return owners
    }
}
