extension CellChange {
    /// Compares a row's collection at two versions. Nil if the elements are equal. O(elements);
    /// takes memory for those between the common beginning and end only.
    init?(
        _ column: ColumnID, _ kind: StoredCollectionKind, from old: StoredCollection.Place,
        to new: StoredCollection.Place
    ) {
        let (before, now) = StoredCollection.pair(column, kind, old, new)
        let start = StoredCollection.commonBeginning(before, now)
        let end = StoredCollection.commonEnd(before, now, after: start)
        let (oldRange, newRange) = (start..<(before.count - end), start..<(now.count - end))
        if oldRange.isEmpty, newRange.isEmpty { return nil }
        switch kind.shape {
        case .list:
            let changes = ListChanges(
                StoredValue.elements(before, in: oldRange, old.table),
                StoredValue.elements(now, in: newRange, new.table), offset: start,
                oldCount: before.count)
            if changes.isEmpty { return nil }
            self = .list(changes)
        case .set:
            let changes = SetChanges(
                from: StoredValue.elements(before, in: oldRange, old.table),
                to: StoredValue.elements(now, in: newRange, new.table))
            if changes.isEmpty { return nil }
            self = .set(changes)
        case .map:
            let changes = MapChanges(
                from: StoredValue.entries(before, in: oldRange, old.table),
                to: StoredValue.entries(now, in: newRange, new.table))
            if changes.isEmpty { return nil }
            self = .map(changes)
        }
    }
}
