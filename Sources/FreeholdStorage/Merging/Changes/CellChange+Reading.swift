extension CellChange {
    /// A row of a table at a version.
    typealias Cell = (table: TableView, place: (cluster: ClusterView, row: Int))

    /// Compares a row's collection at two versions. Nil if the elements are equal. O(elements);
    /// takes memory for those between the common beginning and end only.
    init?(
        _ column: ColumnID, _ kind: StoredCollectionKind, from old: Cell, to new: Cell
    ) {
        let (before, now) = Self.collections(column, kind, old, new)
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

    /// Whether a row's collection has another number of elements at another version. O(1).
    static func hasOtherCount(
        _ column: ColumnID, _ kind: StoredCollectionKind, from old: Cell, to new: Cell
    ) -> Bool {
        let (before, now) = collections(column, kind, old, new)
        return before.count != now.count
    }

    private static func collections(
        _ column: ColumnID, _ kind: StoredCollectionKind, _ old: Cell, _ new: Cell
    ) -> (StoredCollection, StoredCollection) {
        let before =
            old.table.definition[column]?.collection == kind
            ? old.table.collection(of: column, kind, old.place.cluster, row: old.place.row)
            : old.table.emptyCollection(
                of: column, kind, row: old.place.cluster.key(at: old.place.row).rawValue)
        return (
            before, new.table.collection(of: column, kind, new.place.cluster, row: new.place.row)
        )
    }
}
