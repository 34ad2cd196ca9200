/// Comparing collections by their elements, whose nodes may be divided differently.
extension StoredCollection {
    /// A row of a table at a version.
    typealias Place = (table: TableView, place: (cluster: ClusterView, row: Int))

    /// A row's collection at two versions. The old one is empty if that version lacks the column.
    static func pair(
        _ column: ColumnID, _ kind: StoredCollectionKind, _ old: Place, _ new: Place
    ) -> (old: StoredCollection, new: StoredCollection) {
        let before =
            old.table.definition[column]?.collection == kind
            ? old.table.collection(of: column, kind, old.place.cluster, row: old.place.row)
            : old.table.emptyCollection(
                of: column, kind, row: old.place.cluster.key(at: old.place.row).rawValue)
        return (
            before, new.table.collection(of: column, kind, new.place.cluster, row: new.place.row)
        )
    }

    /// Whether two collections of one kind have equal elements in the same order. O(elements).
    static func haveSameElements(_ old: StoredCollection, _ new: StoredCollection) -> Bool {
        old.count == new.count && commonBeginning(old, new) == old.count
    }

    /// The number of equal elements at the beginning. O(that number).
    static func commonBeginning(_ old: StoredCollection, _ new: StoredCollection) -> Int {
        var index = 0
        while index < min(old.count, new.count) {
            let (a, b) = (old.leaf(at: index), new.leaf(at: index))
            let run = min(a.end, b.end) - index
            var equal = run
            forEachDifference(
                a, from: index - a.start, b, from: index - b.start, count: run, old.kind
            ) { equal = min(equal, $0) }
            index += equal
            if equal < run { break }
        }
        return index
    }

    /// The number of equal elements at the end, not counting those at the beginning.
    static func commonEnd(
        _ old: StoredCollection, _ new: StoredCollection, after start: Int
    ) -> Int {
        var count = 0
        let most = min(old.count, new.count) - start
        while count < most {
            let (lastOld, lastNew) = (old.count - count - 1, new.count - count - 1)
            let (a, b) = (old.leaf(at: lastOld), new.leaf(at: lastNew))
            let run = min(lastOld - a.start + 1, lastNew - b.start + 1, most - count)
            var different = -1
            forEachDifference(
                a, from: lastOld - a.start + 1 - run, b, from: lastNew - b.start + 1 - run,
                count: run, old.kind
            ) { different = max(different, $0) }
            count += run - 1 - different
            if different >= 0 { break }
        }
        return count
    }

    /// Nested collections with other identities differ here, though their elements may be equal.
    private static func forEachDifference(
        _ old: CollectionLeaf, from oldStart: Int, _ new: CollectionLeaf, from newStart: Int,
        count: Int, _ kind: StoredCollectionKind, _ body: (Int) -> Void
    ) {
        ColumnView.forEachDifference(
            old.values, from: oldStart, new.values, from: newStart, count: count, type: kind.type,
            body)
        if kind.shape == .map {
            ColumnView.forEachDifference(
                old.keys, from: oldStart, new.keys, from: newStart, count: count, type: .text, body)
        }
    }
}
