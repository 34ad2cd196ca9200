/// The change of one row's value in one column.
package enum CellChange: Hashable, Sendable {
    /// Of a column of single values.
    case value(old: StoredValue, new: StoredValue)
    case list(ListChanges)
    case set(SetChanges)
    case map(MapChanges)

    package var inverse: CellChange {
        switch self {
        case .value(let old, let new): .value(old: new, new: old)
        case .list(let changes): .list(changes.inverse)
        case .set(let changes): .set(changes.inverse)
        case .map(let changes): .map(changes.inverse)
        }
    }

    /// Nil if the values are equal.
    init?(from old: StoredValue, to new: StoredValue) {
        switch (old, new) {
        case (.list(let first), .list(let second)):
            let changes = ListChanges(from: first, to: second)
            if changes.isEmpty { return nil }
            self = .list(changes)
        case (.set(let first), .set(let second)):
            let changes = SetChanges(from: first, to: second)
            if changes.isEmpty { return nil }
            self = .set(changes)
        case (.map(let first), .map(let second)):
            let changes = MapChanges(from: first, to: second)
            if changes.isEmpty { return nil }
            self = .map(changes)
        default:
            if old == new { return nil }
            self = .value(old: old, new: new)
        }
    }

    /// The new value, of a cell whose old value is known.
    func applied(to old: StoredValue) -> StoredValue {
        switch (self, old) {
        case (.value(_, let new), _): new
        case (.list(let changes), .list(let elements)): .list(changes.applied(to: elements))
        case (.set(let changes), .set(let elements)): .set(changes.applied(to: elements))
        case (.map(let changes), .map(let entries)): .map(changes.applied(to: entries))
        default: preconditionFailure("the change is that of a column of another kind")
        }
    }
}

/// The difference between two sets.
package struct SetChanges: Hashable, Sendable {
    package let removed: ContiguousArray<StoredValue>
    package let added: ContiguousArray<StoredValue>

    package init(removed: ContiguousArray<StoredValue>, added: ContiguousArray<StoredValue>) {
        self.removed = removed
        self.added = added
    }

    package init(from old: ContiguousArray<StoredValue>, to new: ContiguousArray<StoredValue>) {
        let (before, now) = (Set(old), Set(new))
        removed = old.filter { !now.contains($0) }
        added = new.filter { !before.contains($0) }
    }

    package var isEmpty: Bool { removed.isEmpty && added.isEmpty }
    package var inverse: SetChanges { SetChanges(removed: added, added: removed) }

    /// The new set, in no particular order.
    package func applied(to old: ContiguousArray<StoredValue>) -> ContiguousArray<StoredValue> {
        let (doomed, known) = (Set(removed), Set(old))
        return old.filter { !doomed.contains($0) } + added.filter { !known.contains($0) }
    }
}

/// The difference between two maps, key by key.
package struct MapChanges: Hashable, Sendable {
    /// The change of one key's value.
    package struct Entry: Hashable, Sendable {
        package let key: ContiguousArray<UInt8>
        /// Nil without the key.
        package let old: StoredValue?
        package let new: StoredValue?

        package init(key: ContiguousArray<UInt8>, old: StoredValue?, new: StoredValue?) {
            self.key = key
            self.old = old
            self.new = new
        }
    }

    package let entries: ContiguousArray<Entry>

    package init(entries: ContiguousArray<Entry>) { self.entries = entries }

    package init(
        from old: ContiguousArray<StoredValue.MapEntry>,
        to new: ContiguousArray<StoredValue.MapEntry>
    ) {
        let before = Dictionary(uniqueKeysWithValues: old.lazy.map { ($0.key, $0.value) })
        var changed: ContiguousArray<Entry> = []
        var now: Set<ContiguousArray<UInt8>> = []
        for entry in new {
            now.insert(entry.key)
            let value = before[entry.key]
            if value != entry.value {
                changed.append(Entry(key: entry.key, old: value, new: entry.value))
            }
        }
        for entry in old where !now.contains(entry.key) {
            changed.append(Entry(key: entry.key, old: entry.value, new: nil))
        }
        entries = changed
    }

    package var isEmpty: Bool { entries.isEmpty }
    package var inverse: MapChanges {
        MapChanges(
            entries: ContiguousArray(
                entries.map { Entry(key: $0.key, old: $0.new, new: $0.old) }))
    }

    /// The new map, in no particular order.
    package func applied(to old: ContiguousArray<StoredValue.MapEntry>) -> ContiguousArray<
        StoredValue.MapEntry
    > {
        let changed = Set(entries.map(\.key))
        return old.filter { !changed.contains($0.key) }
            + entries.compactMap { entry in
                entry.new.map { StoredValue.MapEntry(key: entry.key, value: $0) }
            }
    }
}
