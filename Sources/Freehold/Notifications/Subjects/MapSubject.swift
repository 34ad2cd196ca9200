import FreeholdStorage

/// The changes of a map between two versions.
struct MapChanges: Equatable, Sendable {
    /// Deleted keys, in their old order.
    var deletions: [String] = []
    /// Inserted keys, in their new order.
    var insertions: [String] = []
    /// Keys of both versions whose values changed, in order.
    var modifications: [String] = []

    var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}

/// The entries of an object's map, or of a map in an ``AnyRealmValue``.
struct MapSubject: ObservedSubject {
    private enum Place: Sendable {
        case elements(ClassReference, TableID, ColumnID, key: Int64)
        case nested(Portable)
    }

    private var place: Place
    private let paths: SharedPaths?
    let tables: Set<TableID>

    /// Whether the map existed.
    typealias State = Bool

    init(_ elements: ManagedCollection, _ paths: ObservedPaths?) {
        place = .elements(
            elements.binding.reference, elements.binding.table, elements.column, key: elements.key)
        self.paths = paths.map(SharedPaths.init)
        tables = Set([elements.binding.table]).union(self.paths?.tables ?? [])
    }

    mutating func follow(_ moves: ArraySlice<RowMove>, in core: RealmCore) {
        switch place {
        case .elements(let reference, let table, let column, let key):
            place = .elements(reference, table, column, key: moves.key(key, in: table))
        case .nested(let portable): place = .nested(portable.following(moves, in: core))
        }
    }

    init(_ elements: NestedCollection) {
        place = .nested(elements.portable)
        paths = nil
        tables = [elements.binding.table]
    }

    /// An entry: its key, a number for its value, and the row if the value is an object.
    private struct Entry {
        let key: ContiguousArray<UInt8>
        let number: Int64
        let row: Int64?
    }

    private func entries(in core: RealmCore, _ numbers: inout ElementNumbers) -> ContiguousArray<
        Entry
    >? {
        var entries = ContiguousArray<Entry>()
        switch place {
        case .elements(let reference, _, let column, let key):
            let table = core.table(of: core.binding(for: reference))
            guard let elements = table.collection(of: column, key: RowKey(rawValue: key)) else {
                return nil
            }
            let isLink = elements.kind.type == .link
            elements.forEachLeaf { leaf in
                for row in 0..<leaf.count {
                    entries.append(
                        Entry(
                            key: ContiguousArray(leaf.keys.heapBytes(at: row)),
                            number: numbers.number(of: leaf.values, row, elements.kind.type),
                            row: isLink && !leaf.values.isNull(at: row)
                                ? leaf.values.integer(at: row) : nil))
                }
                return true
            }
        case .nested(let portable):
            guard let elements = NestedCollection.counterpart(of: portable, in: core),
                !elements.isInvalidated
            else { return nil }
            for entry in elements.entries("observing") {
                entries.append(
                    Entry(key: entry.key, number: numbers.number(of: entry.value), row: nil))
            }
        }
        return entries
    }

    func state(in core: RealmCore) -> Bool {
        var numbers = ElementNumbers()
        return entries(in: core, &numbers) != nil
    }

    func change(from state: Bool, in context: ChangeContext) -> (state: Bool, change: MapChanges?) {
        var numbers = ElementNumbers()
        if case .elements(_, let table, let column, let key) = place,
            paths?.isUnaffected(in: context) ?? true,
            !context.difference.isChanged(column, of: RowKey(rawValue: key), in: table), state,
            isThere(in: context.new)
        {
            return (true, nil)
        }
        guard state, let old = entries(in: context.old, &numbers) else { return (state, nil) }
        var changes = MapChanges()
        guard let new = entries(in: context.new, &numbers) else {
            changes.deletions = old.map { String(decoding: $0.key, as: UTF8.self) }
            return (false, changes.isEmpty ? nil : changes)
        }
        let changed =
            paths?.changedRows(among: ContiguousArray(old.compactMap(\.row)), in: context) ?? []
        // Both are in the order of the keys' bytes.
        var (i, j) = (0, 0)
        while i < old.count || j < new.count {
            let order =
                i == old.count ? 1 : j == new.count ? -1 : Self.compare(old[i].key, new[j].key)
            if order < 0 {
                changes.deletions.append(String(decoding: old[i].key, as: UTF8.self))
                i += 1
            } else if order > 0 {
                changes.insertions.append(String(decoding: new[j].key, as: UTF8.self))
                j += 1
            } else {
                if old[i].number != new[j].number
                    || new[j].row.map({ changed.containsSorted($0) }) ?? false
                {
                    changes.modifications.append(String(decoding: new[j].key, as: UTF8.self))
                }
                i += 1
                j += 1
            }
        }
        return (true, changes.isEmpty ? nil : changes)
    }

    private func isThere(in core: RealmCore) -> Bool {
        guard case .elements(let reference, _, _, let key) = place else { return false }
        return core.locate(key, of: core.binding(for: reference)) != nil
    }

    private static func compare(_ a: ContiguousArray<UInt8>, _ b: ContiguousArray<UInt8>) -> Int {
        a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
    }
}
