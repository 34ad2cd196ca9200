/// A ``ScanHop`` compiled for its starting table, which is reached through the hop's links.
///
/// Confined to the evaluation that compiled it.
class Hop {
    /// The table that the hop starts from.
    final let table: TableView
    /// The table that predicates behind the hop are compiled for: that of the target rows, or
    /// a ``CollectionTable``.
    final let space: TableView
    /// Whether the values are links, so that the predicate is about their rows.
    final let leadsToRows: Bool

    init(table: TableView, space: TableView, leadsToRows: Bool) {
        self.table = table
        self.space = space
        self.leadsToRows = leadsToRows
    }

    /// Calls `body` with the hop's targets from a row: rows of clusters of `space`, and their
    /// multiplicity. Stops when it returns false.
    func visit(
        _ row: Int, _ cluster: ClusterView, _ run: ScanRun,
        _ body: (ClusterView, Range<Int>, Int) -> Bool
    ) { fatalError("abstract") }

    /// The number of targets; for a collection, the number of its elements, including null
    /// links.
    func count(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Int { fatalError("abstract") }

    /// The estimated cost of a hop from one row, in nanoseconds.
    var rowCost: Double { 40 }

    /// A description for people.
    var name: String { fatalError("abstract") }
}

/// A hop to the elements of a column of collections.
final class CollectionHop: Hop {
    let column: ColumnID
    let kind: StoredCollectionKind
    private let leafCluster = LeafCluster()

    init(_ column: ColumnDefinition, _ kind: StoredCollectionKind, in table: TableView) {
        self.column = column.id
        self.kind = kind
        super.init(
            table: table,
            space: CollectionTable(
                of: kind.type, isNullable: kind.isNullable, hasKeys: kind.shape == .map,
                target: column.target, owner: table, named: column.name),
            leadsToRows: kind.type == .link)
    }

    /// Calls `body` with each leaf of a row's collection, until it returns false. Small
    /// collections are read in place.
    @inline(__always)
    func forEachLeaf(_ row: Int, _ cluster: ClusterView, _ body: (CollectionLeaf) -> Bool) {
        if !table.hasChangedElements {
            let cell = cluster.columnView(column).heapBytes(at: row)
            if cell.isEmpty { return }
            if cell[0] == CollectionCell.leafTag,
                let leaf = try? CollectionLeaf(
                    decoding: UnsafeRawBufferPointer(rebasing: cell[1...]), start: 0, kind: kind)
            {
                _ = body(leaf)
                return
            }
        }
        // This also notes a damaged cell.
        table.collection(of: column, kind, cluster, row: row).forEachLeaf(body)
    }

    override func visit(
        _ row: Int, _ cluster: ClusterView, _ run: ScanRun,
        _ body: (ClusterView, Range<Int>, Int) -> Bool
    ) {
        forEachLeaf(row, cluster) { leaf in
            leafCluster.show(leaf)
            return body(leafCluster.cluster, 0..<leaf.count, 1)
        }
    }

    /// O(1).
    override func count(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Int {
        if !table.hasChangedElements,
            let count = CollectionCell.smallCount(
                cluster.columnView(column).heapBytes(at: row), kind)
        {
            return count
        }
        return table.collection(of: column, kind, cluster, row: row).count
    }

    override var name: String { table.definition[column]?.name ?? "column \(column.rawValue)" }
}
