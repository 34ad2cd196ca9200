/// Values of rows that both versions have.
extension Merger {
    func mergeValues() {
        for id in minesTables {
            guard let table = mine.tables[id] else { continue }
            for column in table.definition.columns {
                guard let cells = table.columns[column.id] else { continue }
                merge(cells, column, id)
            }
        }
        if !restored.isEmpty { restoreLinks() }
    }

    private func merge(
        _ cells: ChangeSet.Cells, _ column: ColumnDefinition, _ id: TableID
    ) {
        let others = theirs.tables[id]?.columns[column.id] ?? ChangeSet.Cells()
        let deleted = theirs.tables[id]?.deleted ?? ChangeSet.Rows()
        let isPlain = !needsFitting(column)
        let isRenamed = !(replacedByTheirs[id]?.isEmpty ?? true)
        var next = 0
        var merged = MergeOutput.Column()
        for (row, change) in zip(cells.rows, cells.changes) {
            while next < others.rows.count, others.rows[next] < row { next += 1 }
            let other = next < others.rows.count && others.rows[next] == row
            // Values of restored rows are written with them.
            if deleted.contains(row) { continue }
            let key = isRenamed ? self.key(row, in: id) : row
            if !other, isPlain {
                merged.append(change, of: key)
            } else if let result = merge(
                change, other ? others.changes[next] : nil, column, LinkTarget(table: id, key: row))
            {
                merged.append(result, of: key)
            }
        }
        output.columns[id, default: [:]][column.id] = merged
    }

    /// Links of theirs that became null with rows that return.
    private func restoreLinks() {
        for id in theirs.tables.keys.sorted() {
            guard let table = theirs.tables[id] else { continue }
            for column in table.definition.columns
            where column.type == .link || column.countsBacklinks {
                guard let cells = table.columns[column.id] else { continue }
                let known = mine.tables[id]?.columns[column.id]
                for (row, change) in zip(cells.rows, cells.changes) where known?[row] == nil {
                    let place = LinkTarget(table: id, key: row)
                    var isAffected = false
                    change.forEachLink(
                        of: column,
                        removed: { if restored.contains($0) { isAffected = true } }, added: { _ in }
                    )
                    guard isAffected, !isGone(place),
                        let result = merge(change.noChange, change, column, place)
                    else { continue }
                    output.change(column.id, of: key(row, in: id), in: id, result)
                }
            }
        }
    }

    /// What makes their value the merged one; nil for nothing.
    ///
    /// - Parameter other: Nil where theirs left the value alone.
    private func merge(
        _ change: CellChange, _ other: CellChange?, _ column: ColumnDefinition, _ row: LinkTarget
    ) -> CellChange? {
        switch (change, other) {
        case (.value(let base, let new), nil):
            return mergeValue(base, new, base, change, nil, column, row)
        case (.value(let base, let new), .value(_, let theirNew)):
            return mergeValue(base, new, theirNew, change, other, column, row)
        case (.list(let own), nil):
            return mergeList(own, ListChanges(edits: [], oldCount: own.oldCount), column, row)
        case (.list(let own), .list(let others)): return mergeList(own, others, column, row)
        case (.set(let own), nil):
            return mergeSet(own, SetChanges(removed: [], added: []), column)
        case (.set(let own), .set(let others)): return mergeSet(own, others, column)
        case (.map(let own), nil):
            return mergeMap(own, MapChanges(entries: []), column, row)
        case (.map(let own), .map(let others)): return mergeMap(own, others, column, row)
        default: preconditionFailure("Both sides changed values of one column.")
        }
    }

    // MARK: Single values

    private func mergeValue(
        _ base: StoredValue, _ new: StoredValue, _ stored: StoredValue, _ change: CellChange,
        _ other: CellChange?, _ column: ColumnDefinition, _ row: LinkTarget
    ) -> CellChange? {
        let own = mine.follows(change, column) ? base : new
        let others = other.map { theirs.follows($0, column) ? base : stored } ?? base
        let value = mergedValue(base, own, others, column, row, [])
        let fitted = fitted(value ?? others, column)
        let known = named(stored, column)
        return fitted == known ? nil : .value(old: known, new: fitted)
    }

    /// Merges three values, which may be nested collections; nil for a conflict that was not
    /// settled.
    func mergedValue(
        _ base: StoredValue, _ own: StoredValue, _ others: StoredValue, _ column: ColumnDefinition,
        _ row: LinkTarget, _ path: [Conflict.Step]
    ) -> StoredValue? {
        if own == base { return others }
        if others == base { return own }
        // Two equal differences are two, so before equal values.
        let place = Conflict.Place(table: row.table, row: row.key, column: column.id)
        if path.isEmpty, let sum = counters.sum(base, own, others, at: place) { return sum }
        if areEqual(own, others, column) { return others }
        switch mergedNested(base, own, others, column, row, path) {
        case .notNested: break
        case .unsettled: return nil
        case .merged(let value): return value
        }
        let resolution = settle(
            Conflict(
                kind: .value, table: row.table, row: row.key, column: column.id, path: path,
                base: base, mine: own, theirs: others))
        return resolution.map { $0.value(own, others) }
    }

    /// Whether values are equal, or link to new owned rows with equal values.
    func areEqual(_ own: StoredValue, _ others: StoredValue, _ column: ColumnDefinition) -> Bool {
        if own == others { return true }
        guard let target = column.target, catalog[target]?.isOwned ?? false else { return false }
        return contentComparison.areEqual(own, others, column)
    }

    // MARK: Sets

    private func mergeSet(_ own: SetChanges, _ others: SetChanges, _ column: ColumnDefinition)
        -> CellChange?
    {
        let (removedByTheirs, addedByTheirs) = (Set(others.removed), Set(others.added))
        func isLost(_ value: StoredValue, _ isDeleted: (LinkTarget) -> Bool) -> Bool {
            hasDeletions && value.links(of: column, where: isDeleted)
        }
        let removed = ContiguousArray(
            own.removed.filter {
                !removedByTheirs.contains($0) && !isLost($0, isDeletedByMine)
            })
        var added = ContiguousArray(
            StoredValue.mapping(own.added, of: column, isSet: true, target(of:)).filter {
                !addedByTheirs.contains($0)
            })
        if !restored.isEmpty {
            let removedByMine = Set(own.removed)
            added += others.removed.filter { value in
                value.links(of: column, where: { restored.contains($0) })
                    && !value.links(of: column, where: isGone) && !removedByMine.contains(value)
            }
        }
        if removed.isEmpty, added.isEmpty { return nil }
        return .set(SetChanges(removed: removed, added: added))
    }

    // MARK: Maps

    private func mergeMap(
        _ own: MapChanges, _ others: MapChanges, _ column: ColumnDefinition, _ row: LinkTarget
    ) -> CellChange? {
        var theirEntries = Dictionary(
            uniqueKeysWithValues: others.entries.lazy.map { ($0.key, $0) })
        var merged: ContiguousArray<MapChanges.Entry> = []
        for entry in own.entries {
            let other = theirEntries.removeValue(forKey: entry.key)
            if let result = mergeEntry(entry, other, column, row) { merged.append(result) }
        }
        if !restored.isEmpty {
            for entry in others.entries where theirEntries[entry.key] != nil {
                let nothing = MapChanges.Entry(key: entry.key, old: entry.old, new: entry.old)
                if let result = mergeEntry(nothing, entry, column, row) { merged.append(result) }
            }
        }
        return merged.isEmpty ? nil : .map(MapChanges(entries: merged))
    }

    private func mergeEntry(
        _ entry: MapChanges.Entry, _ other: MapChanges.Entry?, _ column: ColumnDefinition,
        _ row: LinkTarget
    ) -> MapChanges.Entry? {
        func follows(_ entry: MapChanges.Entry, _ side: ChangeSet) -> Bool {
            side.follows(.map(MapChanges(entries: [entry])), column)
        }
        let own = follows(entry, mine) ? entry.old : entry.new
        let stored = other.map(\.new) ?? entry.old
        let others = other.map { follows($0, theirs) ? $0.old : $0.new } ?? entry.old
        let value = merged(entry.old, own, others, column, row, [.key(entry.key)])
        let fitted = value.map { self.fitted($0, column) }
        let known = stored.map { named($0, column) }
        return fitted == known
            ? nil : MapChanges.Entry(key: entry.key, old: known, new: fitted)
    }

    /// Merges three values of one key, nil where a side does not have it. A conflict that was not
    /// settled leaves theirs.
    func merged(
        _ base: StoredValue?, _ own: StoredValue?, _ others: StoredValue?,
        _ column: ColumnDefinition, _ row: LinkTarget, _ path: [Conflict.Step]
    ) -> StoredValue? {
        if own == base || own == others { return others }
        if others == base { return own }
        if let own, let others {
            if let base {
                return mergedValue(base, own, others, column, row, path) ?? others
            }
            if areEqual(own, others, column) { return others }
        }
        let resolution = settle(
            Conflict(
                kind: .value, table: row.table, row: row.key, column: column.id, path: path,
                base: base, mine: own, theirs: others))
        switch resolution {
        case .mine: return own
        case .theirs, nil: return others
        case .value(let other): return other
        }
    }
}

extension Resolution {
    func value(_ mine: StoredValue, _ theirs: StoredValue) -> StoredValue {
        switch self {
        case .mine: mine
        case .theirs: theirs
        case .value(let value): value
        }
    }
}

extension CellChange {
    /// The same kind of change, without any change.
    fileprivate var noChange: CellChange {
        switch self {
        case .value(let old, _): .value(old: old, new: old)
        case .list(let changes): .list(ListChanges(edits: [], oldCount: changes.oldCount))
        case .set: .set(SetChanges(removed: [], added: []))
        case .map: .map(MapChanges(entries: []))
        }
    }
}
