/// Lists, and collections inside of mixed values.
extension Merger {
    func mergeList(
        _ own: ListChanges, _ others: ListChanges, _ column: ColumnDefinition, _ row: LinkTarget
    ) -> CellChange? {
        var (own, rules) = (own, ListMerge.Rules())
        if hasDeletions {
            if column.collection?.type == .link {
                rules.isLostByMine = { $0.links(of: column, where: self.isDeletedByMine) }
                rules.isLostByTheirs = { $0.links(of: column, where: self.isDeletedByTheirs) }
                rules.isRestored = { !$0.links(of: column, where: self.isGone) }
            } else if column.countsBacklinks {
                // Links in mixed values became null in their places.
                own = ListChanges(
                    edits: own.edits.filter { edit in
                        !mine.follows(
                            .list(ListChanges(edits: [edit], oldCount: own.oldCount)), column)
                    }, oldCount: own.oldCount)
            }
        }
        rules.areEqual = { self.areEqual($0, $1, column) }
        rules.combine = { index, base, own, others in
            self.combined(base, own, others, column, row, [.index(index)])
        }
        if let merged = ListMerge.merge(own, others, rules) {
            if merged.isEmpty { return nil }
            let change = CellChange.list(merged)
            return needsFitting(column) ? change.mappingNewLinks(of: column, target(of:)) : change
        }
        return settleList(own, others, column, row)
    }

    /// Settles edits that overlap by one whole list.
    private func settleList(
        _ own: ListChanges, _ others: ListChanges, _ column: ColumnDefinition, _ row: LinkTarget
    ) -> CellChange? {
        let current = currentValue(column, of: key(row.key, in: row.table), in: row.table)
        guard case .list(let stored) = current else {
            preconditionFailure("A column of lists has lists.")
        }
        let names = column.target.flatMap { replacedByTheirs[$0] } ?? [:]
        let bases = Dictionary(uniqueKeysWithValues: names.map { ($1, $0) })
        let known = StoredValue.mapping(stored, of: column, isSet: false) {
            LinkTarget(table: $0.table, key: bases[$0.key] ?? $0.key)
        }
        let base = others.inverse.applied(to: known)
        let mine = StoredValue.list(own.applied(to: base))
        let resolution = settle(
            Conflict(
                kind: .list, table: row.table, row: row.key, column: column.id,
                base: .list(base), mine: mine, theirs: .list(known)))
        guard let resolution, resolution != .theirs else { return nil }
        let value = resolution.value(mine, .list(known))
        guard case .list = value else {
            preconditionFailure("A conflict of lists is settled by a list.")
        }
        return CellChange(from: current, to: fitted(value, column))
    }

    /// What the target has.
    func currentValue(_ column: ColumnDefinition, of row: Int64, in table: TableID) -> StoredValue {
        let rows = target.table(table)
        guard let place = rows.locate(RowKey(rawValue: row)) else {
            preconditionFailure(
                """
                Row \(row) of table \(rows.definition.name) is not in the write set that the \
                changes are merged into: it does not hold the version that theirs ends with.
                """)
        }
        return StoredValue(column, place.cluster, row: place.row, of: rows)
    }

    // MARK: Mixed values

    enum NestedMerge {
        /// The values are no lists, and no maps.
        case notNested
        /// A conflict about the whole list was not settled.
        case unsettled
        case merged(StoredValue)
    }

    /// Merges three lists, or three maps, inside of mixed values.
    func mergedNested(
        _ base: StoredValue, _ own: StoredValue, _ others: StoredValue, _ column: ColumnDefinition,
        _ row: LinkTarget, _ path: [Conflict.Step]
    ) -> NestedMerge {
        guard case .mixed(let base) = base, case .mixed(let own) = own,
            case .mixed(let others) = others
        else { return .notNested }
        switch (base, own, others) {
        case (.map(let base, _), .map(let own, _), .map(let others, let identity)):
            let entries = mergedEntries(base, own, others, column, row, path)
            return .merged(.mixed(.map(entries, identity: identity)))
        case (.list(let base, _), .list(let own, _), .list(let others, let identity)):
            let merged = mergedElements(
                base.stored, own.stored, others.stored, column, row, path)
            guard let merged else { return .unsettled }
            let values = ContiguousArray(merged.map(\.mixedValue))
            return .merged(.mixed(.list(values, identity: identity)))
        default: return .notNested
        }
    }

    /// Merges two replacements of an element; nil if they are no nested collections.
    private func combined(
        _ base: StoredValue, _ own: StoredValue, _ others: StoredValue, _ column: ColumnDefinition,
        _ row: LinkTarget, _ path: [Conflict.Step]
    ) -> StoredValue? {
        switch mergedNested(base, own, others, column, row, path) {
        case .notNested: nil
        case .unsettled: others
        case .merged(let value): value
        }
    }

    private typealias Entries = ContiguousArray<(key: ContiguousArray<UInt8>, value: MixedValue?)>

    private func mergedEntries(
        _ base: Entries, _ own: Entries, _ others: Entries, _ column: ColumnDefinition,
        _ row: LinkTarget, _ path: [Conflict.Step]
    ) -> Entries {
        func values(_ entries: Entries) -> [ContiguousArray<UInt8>: StoredValue] {
            Dictionary(uniqueKeysWithValues: entries.map { ($0.key, StoredValue(mixed: $0.value)) })
        }
        let (before, mine, theirs) = (values(base), values(own), values(others))
        let keys = Set(own.map(\.key)).union(others.map(\.key))
        var entries = Entries()
        for key in keys {
            let value = merged(
                before[key], mine[key], theirs[key], column, row, path + [.key(key)])
            if let value { entries.append((key, value.mixedValue)) }
        }
        entries.sort { first, second in
            first.key.withUnsafeBytes { a in
                second.key.withUnsafeBytes { ElementOrder.compare(a, $0) < 0 }
            }
        }
        return entries
    }

    private func mergedElements(
        _ base: ContiguousArray<StoredValue>, _ own: ContiguousArray<StoredValue>,
        _ others: ContiguousArray<StoredValue>, _ column: ColumnDefinition, _ row: LinkTarget,
        _ path: [Conflict.Step]
    ) -> ContiguousArray<StoredValue>? {
        var rules = ListMerge.Rules()
        rules.combine = { index, base, own, others in
            self.combined(base, own, others, column, row, path + [.index(index)])
        }
        let merged = ListMerge.merge(
            ListChanges(from: base, to: own), ListChanges(from: base, to: others), rules)
        if let merged { return merged.applied(to: others) }
        func list(_ elements: ContiguousArray<StoredValue>) -> StoredValue {
            .mixed(.list(ContiguousArray(elements.map(\.mixedValue)), identity: 0))
        }
        let resolution = settle(
            Conflict(
                kind: .list, table: row.table, row: row.key, column: column.id, path: path,
                base: list(base), mine: list(own), theirs: list(others)))
        switch resolution {
        case .mine: return own
        case .theirs: return others
        case .value(.mixed(.list(let values, _))): return values.stored
        case .value: preconditionFailure("A conflict of lists is settled by a list.")
        case nil: return nil
        }
    }
}

extension ContiguousArray<MixedValue?> {
    fileprivate var stored: ContiguousArray<StoredValue> {
        ContiguousArray<StoredValue>(map { StoredValue(mixed: $0) })
    }
}

extension StoredValue {
    fileprivate init(mixed value: MixedValue?) { self = value.map { .mixed($0) } ?? .null }

    fileprivate var mixedValue: MixedValue? {
        if case .mixed(let value) = self { return value }
        return nil
    }
}
