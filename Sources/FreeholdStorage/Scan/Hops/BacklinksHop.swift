/// A hop to the rows of a table that link to a row.
///
/// For one row, the index finds them. For many rows, ``BacklinksPredicate`` works in the opposite
/// direction.
final class BacklinksHop: Hop {
    let column: ColumnDefinition
    private let source: TableSource
    /// The number of links to each row, if all were counted.
    private var counts: [Int64: Int]?

    init(_ column: ColumnDefinition, of origin: TableView, to table: TableView, source: TableSource)
    {
        self.column = column
        self.source = source
        super.init(table: table, space: origin, leadsToRows: true)
    }

    override func visit(
        _ row: Int, _ cluster: ClusterView, _ run: ScanRun,
        _ body: (ClusterView, Range<Int>, Int) -> Bool
    ) {
        let key = cluster.key(at: row).rawValue
        do throws(StorageError) {
            if column.countsBacklinks {
                var goesOn = true
                try space.forEachBacklink(of: column, to: LinkTarget(table: table.id, key: key)) {
                    origin, times in
                    guard goesOn, let place = space.find(linked: origin) else { return }
                    goesOn = body(place.cluster, place.row..<place.row + 1, times)
                }
            } else {
                // An ordinary query on the column: the index does not include the open
                // transaction's changes.
                let links = ScanPredicate.compare(
                    ScanPath(column: column.id), .equal, .link(RowKey(rawValue: key)))
                try ScanEngine(source: source).plan(links, in: space).visit(ScanRun()) {
                    cluster, mask in
                    for row in 0..<cluster.count
                    where mask == nil || mask.unsafelyUnwrapped[row] != 0 {
                        if !body(cluster, row..<row + 1, 1) { return false }
                    }
                    return true
                }
            }
        } catch {
            table.noteDamage(error)
        }
    }

    override func count(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Int {
        let key = cluster.key(at: row).rawValue
        if let counts { return counts[key] ?? 0 }
        do throws(StorageError) {
            if column.countsBacklinks {
                return try space.backlinkCount(
                    of: column, to: LinkTarget(table: table.id, key: key))
            }
            return try ScanEngine(source: source).count(
                .compare(ScanPath(column: column.id), .equal, .link(RowKey(rawValue: key))),
                in: space)
        } catch {
            table.noteDamage(error)
            return 0
        }
    }

    /// Counts the links to all rows, for many queries. O(links).
    func countAll() {
        if counts != nil { return }
        var counts: [Int64: Int] = [:]
        forEachTarget(of: nil) { counts[$0, default: 0] += 1 }
        self.counts = counts
    }

    /// Calls `body` for each link from rows of the origin, with its target in this table.
    ///
    /// - Parameter keys: The linking rows; nil for all.
    func forEachTarget(of keys: ContiguousArray<Int64>?, _ body: (Int64) -> Void) {
        space.forEachLink(of: column, to: table.id, in: SortRows(table: space, keys: keys), body)
    }

    /// The estimated cost of looking up the backlinks of one row, in nanoseconds.
    override var rowCost: Double { 1_500 }

    override var name: String { "backlinks \(space.definition.name).\(column.name)" }
}

extension TableView {
    /// Calls `body` for each link of a column from some rows to a table, with the target's key.
    /// For every kind of column that can hold links. O(rows + links).
    final func forEachLink(
        of column: ColumnDefinition, to target: TableID, in rows: SortRows, _ body: (Int64) -> Void
    ) {
        if column.hasTarget, column.target != target { return }
        func links(in view: ColumnView, _ rows: Range<Int>) {
            if view.encoding == .absent { return }
            for row in rows where !view.isNull(at: row) { body(view.integer(at: row)) }
        }
        func mixed(_ bytes: UnsafeRawBufferPointer) {
            MixedValue.forEachLink(in: bytes) { if $0.table == target { body($0.key) } }
        }
        let hop = column.collection.map { CollectionHop(column, $0, in: self) }
        rows.forEachRun { cluster, rows, _ in
            if let hop {
                for row in rows {
                    hop.forEachLeaf(row, cluster) { leaf in
                        if hop.kind.type == .link {
                            links(in: leaf.values, 0..<leaf.count)
                        } else {
                            for element in 0..<leaf.count {
                                mixed(leaf.values.heapBytes(at: element))
                            }
                        }
                        return true
                    }
                }
            } else if column.type == .mixed {
                for row in rows { withMixed(column.id, row, cluster, mixed) }
            } else {
                links(in: cluster.columnView(column.id), rows)
            }
        } missing: { _ in
        }
    }
}
