/// Turns the entries in which two versions of a table differ into the rows that do.
///
/// A cluster with the same rows in both versions is compared row by row in its changed columns.
/// The rows of the others, which may have moved between clusters, are merged by their keys.
/// Values are compared by their meaning, not by their encoding; collections by their elements if
/// one of the versions is a write set, whose commit writes them in another form.
struct TableComparison {
    private let old: TableView
    private let new: TableView
    private let entries: EntryDifference
    private let comparesElements: Bool
    private var deletions: ContiguousArray<Int64> = []
    private var insertions: ContiguousArray<Int64> = []
    /// By the columns' positions.
    private var modifications: ContiguousArray<ContiguousArray<Int64>>

    init(
        from old: TableView, to new: TableView, _ entries: EntryDifference, comparesElements: Bool
    ) {
        self.old = old
        self.new = new
        self.entries = entries
        self.comparesElements = comparesElements
        modifications = ContiguousArray(repeating: [], count: new.kinds.count)
    }

    /// Compares the two versions. O(rows of the clusters that differ).
    consuming func changes() -> TableChanges {
        compareRowsOfChangedClusters()
        compareColumnsOfKeptClusters()
        addCells()
        var modified: [ColumnID: ContiguousArray<Int64>] = [:]
        for position in modifications.indices where !modifications[position].isEmpty {
            // Clusters with changed sets of rows were compared first.
            modifications[position].sortAndRemoveDuplicates()
            let column = ColumnID(rawValue: UInt16(position))
            // One that this transaction removed: its cells changed where links lost their targets.
            guard new.definition[column] != nil else { continue }
            dropEqualCollections(of: column)
            if !modifications[position].isEmpty { modified[column] = modifications[position] }
        }
        return TableChanges(deletions: deletions, insertions: insertions, modifications: modified)
    }

    // MARK: Clusters with the same rows

    private mutating func compareColumnsOfKeptClusters() {
        var place: (firstKey: Int64, old: ClusterView, new: ClusterView)?
        for entry in entries.columns {
            if place?.firstKey != entry.firstKey {
                place = nil
                // The rows of the others were compared in all columns.
                guard !entries.clusters.containsSorted(entry.firstKey),
                    let before = Self.cluster(of: old, entry.firstKey),
                    let now = Self.cluster(of: new, entry.firstKey)
                else { continue }
                place = (entry.firstKey, before, now)
            }
            guard let place else { continue }
            compare(
                entry.column.position, place.old, from: 0, place.new, from: 0,
                count: min(place.old.count, place.new.count))
        }
    }

    private static func cluster(of table: TableView, _ firstKey: Int64) -> ClusterView? {
        guard let cluster = table.cluster(covering: firstKey), cluster.firstKey == firstKey else {
            return nil
        }
        return cluster
    }

    // MARK: Clusters with other rows

    /// Merges the rows of these clusters, old and new: a row that has left one of them is in
    /// another one, or deleted.
    private mutating func compareRowsOfChangedClusters() {
        if entries.clusters.isEmpty { return }
        var a = RowWalk(entries.clusters.compactMap { Self.cluster(of: old, $0) })
        var b = RowWalk(entries.clusters.compactMap { Self.cluster(of: new, $0) })
        while let first = a.key, let second = b.key {
            if first < second {
                deletions.append(first)
                a.advance(1)
            } else if first > second {
                insertions.append(second)
                b.advance(1)
            } else {
                let count = RowWalk.commonRun(a, b)
                for position in 1..<new.kinds.count {
                    compare(position, a.cluster, from: a.row, b.cluster, from: b.row, count: count)
                }
                a.advance(count)
                b.advance(count)
            }
        }
        while let key = a.key {
            deletions.append(key)
            a.advance(1)
        }
        while let key = b.key {
            insertions.append(key)
            b.advance(1)
        }
        // They ascend already, unless the row keys are damaged.
        deletions.sortAndRemoveDuplicates()
        insertions.sortAndRemoveDuplicates()
    }

    /// Walks the rows of some clusters.
    private struct RowWalk {
        private let clusters: [ClusterView]
        private var index = 0
        private(set) var row = 0

        init(_ clusters: [ClusterView]) { self.clusters = clusters }

        var cluster: ClusterView { clusters[index] }

        /// Nil after the last row. A cluster has at least one row.
        var key: Int64? { index < clusters.count ? cluster.key(at: row).rawValue : nil }

        /// Advances by `count` rows of the current cluster.
        mutating func advance(_ count: Int) {
            row += count
            if row < cluster.count { return }
            index += 1
            row = 0
        }

        /// The number of rows with the same keys from here on, within one cluster on each side.
        static func commonRun(_ a: RowWalk, _ b: RowWalk) -> Int {
            let (first, second) = (a.cluster, b.cluster)
            let limit = min(first.count - a.row, second.count - b.row)
            var count = 1
            while count < limit, first.key(at: a.row + count) == second.key(at: b.row + count) {
                count += 1
            }
            return count
        }
    }

    // MARK: Values

    /// Compares a column of rows with the same keys. Ignores columns that the new version
    /// lacks.
    private mutating func compare(
        _ position: Int, _ oldCluster: ClusterView, from oldStart: Int, _ newCluster: ClusterView,
        from newStart: Int, count: Int
    ) {
        guard position < new.kinds.count, let kind = new.kinds.byPosition[position], !kind.isRowKey
        else { return }
        ColumnView.forEachDifference(
            Self.view(position, of: old, oldCluster, kind), from: oldStart,
            newCluster.columns[position], from: newStart, count: count, type: kind.type
        ) { row in modifications[position].append(newCluster.key(at: newStart + row).rawValue) }
    }

    /// The old version's values; those of a column that it lacks are null or zero.
    private static func view(
        _ position: Int, of table: TableView, _ cluster: ClusterView, _ kind: ColumnKinds.Kind
    ) -> ColumnView {
        guard position < table.kinds.count, table.kinds.byPosition[position]?.type == kind.type
        else { return .absent(count: cluster.count, isNullable: kind.isNullable) }
        return cluster.columns[position]
    }

    /// Adds rows with changed long values and collections, whose cells may be unchanged.
    private mutating func addCells() {
        for (column, rows) in entries.cells {
            guard column.position < new.kinds.count, new.kinds.byPosition[column.position] != nil
            else { continue }
            for row in rows
            where !insertions.containsSorted(row) && new.contains(RowKey(rawValue: row)) {
                modifications[column.position].append(row)
            }
        }
    }

    // MARK: Collections

    private mutating func dropEqualCollections(of column: ColumnID) {
        guard comparesElements, let kind = new.definition[column]?.collection else { return }
        let (old, new) = (old, new)
        modifications[column.position].removeAll { key in
            guard let before = old.locate(RowKey(rawValue: key)),
                let now = new.locate(RowKey(rawValue: key))
            else { return false }
            return Self.haveSameElements(column, kind, in: old, before, new, now)
        }
    }

    /// Whether a row of both versions has equal elements in a column.
    static func haveSameElements(
        _ column: ColumnID, _ kind: StoredCollectionKind, in old: TableView,
        _ oldPlace: (cluster: ClusterView, row: Int), _ new: TableView,
        _ newPlace: (cluster: ClusterView, row: Int)
    ) -> Bool {
        let (before, now) = StoredCollection.pair(
            column, kind, (old, oldPlace), (new, newPlace))
        return StoredCollection.haveSameElements(before, now)
    }

    /// Whether a row of both versions has different values in a column.
    static func isDifferent(
        _ column: ColumnID, in old: TableView, _ oldPlace: (cluster: ClusterView, row: Int),
        _ new: TableView, _ newPlace: (cluster: ClusterView, row: Int)
    ) -> Bool {
        var comparison = TableComparison(
            from: old, to: new, EntryDifference(), comparesElements: false)
        comparison.compare(
            column.position, oldPlace.cluster, from: oldPlace.row, newPlace.cluster,
            from: newPlace.row, count: 1)
        return column.position < comparison.modifications.count
            && !comparison.modifications[column.position].isEmpty
    }
}
