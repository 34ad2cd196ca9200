/// The rows that the merge inserts, and owned rows without an owner, or with two.
extension Merger {
    func insertRows() {
        for id in minesTables {
            guard let table = mine.tables[id] else { continue }
            var rows = table.inserted.filter { united[LinkTarget(table: id, key: $0)] == nil }
            for column in table.definition.columns where needsFitting(column) {
                rows.mapValues(of: column.id) { fitted($0, column) }
            }
            output.insert(rows, into: id)
        }
        var returning: [TableID: [Int64: [ColumnID: StoredValue]]] = [:]
        for row in restored {
            returning[row.table, default: [:]][row.key] = restoredValues(of: row)
        }
        for (id, rows) in returning {
            guard let definition = catalog[id] else { continue }
            var fittedRows = ChangeSet.Rows(rows, columns: definition.valueColumns.map(\.id))
            for column in definition.columns where needsFitting(column) {
                fittedRows.mapValues(of: column.id) { fitted($0, column) }
            }
            output.insert(fittedRows, into: id)
        }
        for (row, own) in united where own.getsMyValues { overwrite(row, withValuesOf: own.key) }
    }

    /// Sets my values in a row of theirs.
    private func overwrite(_ row: LinkTarget, withValuesOf key: Int64) {
        guard let table = catalog[row.table] else { return }
        let inserted = mine.tables[row.table]?.inserted
        let values =
            inserted?.index(of: row.key).flatMap { inserted?[$0] }
            ?? restoredValues(of: LinkTarget(table: row.table, key: key)) ?? [:]
        for column in table.valueColumns where column.id != table.primaryKey {
            guard let value = values[column.id],
                let change = CellChange(
                    from: currentValue(column, of: row.key, in: row.table),
                    to: fitted(value, column))
            else { continue }
            output.change(column.id, of: row.key, in: row.table, change)
        }
    }

    // MARK: Owners

    private typealias Links = (added: [LinkTarget: Conflict.Place], removed: Set<LinkTarget>)

    /// Leaves out new owned rows that nothing links to, deletes those that lost their owner, and
    /// settles which of two owners a row has.
    func settleOwners() {
        let owned = Set(catalog.tables.lazy.filter(\.isOwned).map(\.id))
        if owned.isEmpty { return }
        settleMoves(owned)
        var links = ownedLinks(owned)
        var dropped: Set<LinkTarget> = []
        while true {
            var lost: Set<LinkTarget> = []
            for id in owned {
                for rows in output.inserted[id] ?? [] {
                    for key in rows.keys {
                        let row = LinkTarget(table: id, key: key)
                        if links.added[row] == nil { lost.insert(row) }
                    }
                }
            }
            if lost.isEmpty { break }
            dropped.formUnion(lost)
            output.drop(lost)
            links = ownedLinks(owned)
        }
        for row in links.removed
        where links.added[row] == nil
            && target.table(row.table).contains(RowKey(rawValue: row.key))
        {
            output.delete(row)
        }
        noteDropped(dropped)
    }

    /// The links to owned rows that the merge adds and removes.
    private func ownedLinks(_ owned: Set<TableID>) -> Links {
        var links: Links = ([:], [])
        for (id, columns) in output.columns {
            for column in catalog[id]?.columns ?? [] {
                guard let target = column.target, owned.contains(target),
                    let cells = columns[column.id]
                else { continue }
                for (row, change) in zip(cells.rows, cells.changes) {
                    let place = Conflict.Place(table: id, row: row, column: column.id)
                    change.forEachLink(
                        of: column, removed: { links.removed.insert($0) },
                        added: { links.added[$0] = place })
                }
            }
        }
        for (id, parts) in output.inserted {
            for column in catalog[id]?.columns ?? [] {
                guard let target = column.target, owned.contains(target) else { continue }
                for rows in parts {
                    for (index, value) in (rows.columns[column.id] ?? []).enumerated() {
                        let place = Conflict.Place(
                            table: id, row: rows.keys[index], column: column.id)
                        value.forEachLink(of: column) { links.added[$0] = place }
                    }
                }
            }
        }
        return links
    }

    /// Owned rows that both sides moved to an owner of their own.
    private func settleMoves(_ owned: Set<TableID>) {
        var theirPlaces: [LinkTarget: Conflict.Place] = [:]
        for (id, table) in theirs.tables {
            for column in table.definition.columns {
                guard let target = column.target, owned.contains(target) else { continue }
                func note(_ link: LinkTarget, _ row: Int64) {
                    if theirs.tables[target]?.inserted.contains(link.key) ?? false { return }
                    theirPlaces[link] = Conflict.Place(table: id, row: row, column: column.id)
                }
                if let cells = table.columns[column.id] {
                    for (row, change) in zip(cells.rows, cells.changes) {
                        change.forEachNewLink(of: column) { note($0, row) }
                    }
                }
                for (index, value) in (table.inserted.columns[column.id] ?? []).enumerated() {
                    value.forEachLink(of: column) { note($0, table.inserted.keys[index]) }
                }
            }
        }
        if theirPlaces.isEmpty { return }
        for (row, place) in ownedLinks(owned).added.sorted(by: {
            ($0.key.table, $0.key.key) < ($1.key.table, $1.key.key)
        }) {
            guard let other = theirPlaces[row], other != place else { continue }
            let wins = mineWins(
                Conflict(
                    kind: .movedTwice, table: row.table, row: row.key, places: [place, other]))
            removeLink(to: row, from: wins ? other : place)
        }
    }

    private func removeLink(to row: LinkTarget, from place: Conflict.Place) {
        guard let column = catalog[place.table]?[place.column] else { return }
        if output.removeLink(to: row, fromInserted: place, column) { return }
        let current = currentValue(column, of: place.row, in: place.table)
        let merged = output.change(at: place)?.applied(to: current) ?? current
        let rest = merged.mappingLinks(of: column) { $0 == row ? nil : $0 }
        output.setChange(CellChange(from: current, to: rest), at: place)
    }

    // MARK: Names

    private func noteDropped(_ rows: Set<LinkTarget>) {
        for (id, keys) in Dictionary(grouping: rows, by: \.table) {
            let original = Dictionary(
                (newRows[id] ?? [:]).map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
            for row in keys where !restored.contains(row) {
                let key = original[row.key] ?? row.key
                newRows[id]?[key] = nil
                droppedRows[id, default: []].insert(key)
            }
        }
    }

    /// New owned rows of my side that are in the places of others.
    func nameRows() {
        for (id, rows) in replacedByMine {
            for (old, new) in rows {
                if isGone(LinkTarget(table: id, key: old)) {
                    droppedRows[id, default: []].insert(new)
                } else {
                    newRows[id, default: [:]][new] = key(old, in: id)
                }
            }
        }
    }
}
