/// A predicate compiled for one table: types checked, constants converted, columns resolved.
///
/// A term works on a whole cluster (`fill`, `count`) or on one row (`matches`); the planner
/// chooses by how many rows are left to test. Terms are called once per cluster or row, never
/// per value inside a loop. Confined to the evaluation that compiled them.
class CompiledPredicate {
    final let table: TableView
    /// Roughly how many nanoseconds a row costs in `fill`: what the planner orders terms by.
    final let rowCost: Double
    /// What the predicate is for null.
    final let matchesNull: Bool

    init(table: TableView, rowCost: Double, matchesNull: Bool) {
        self.table = table
        self.rowCost = rowCost
        self.matchesNull = matchesNull
    }

    /// Marks the rows of a cluster that match. O(rows).
    func fill(_ mask: MaskBytes, _ cluster: ClusterView, _ run: ScanRun) { fatalError("abstract") }

    /// Whether one row matches.
    func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        fatalError("abstract")
    }

    /// How many rows of a cluster match. O(rows).
    func count(_ cluster: ClusterView, _ run: ScanRun) -> Int {
        let mask = run.borrowMask(for: cluster.count)
        defer { run.returnMask() }
        fill(mask, cluster, run)
        return Mask.sum(mask, count: cluster.count)
    }

    /// Work to be done once before clusters are filled.
    func prepare() throws(StorageError) {}

    /// What it costs to find out whether there is an access, in nanoseconds: for terms that
    /// first have to know which rows of another table match. Nil for all others, once it was
    /// found out, and where it is more than `limit`.
    func preparationCost(atMost limit: Double) throws(StorageError) -> Double? { nil }

    /// Finds that out.
    func prepareAccess() throws(StorageError) {}

    /// How an index, or the order of the rows, finds a superset of the matches, or nil.
    /// The candidates are exactly the matches where ``AccessPath/isExact`` says so.
    func access() -> AccessPath? { nil }

    /// The interval that the row keys of all matches lie in, where that is narrower than all keys.
    var rowKeyInterval: ClosedRange<Int64>? { nil }

    /// What the term is, for people.
    var summary: String { "?" }
}

extension CompiledPredicate {
    /// The view of a column.
    @inline(__always)
    final func view(_ column: ColumnID, in cluster: ClusterView) -> ColumnView {
        cluster.columnView(column)
    }

    final func name(of column: ColumnID) -> String {
        column == .rowKeys
            ? "row key" : table.definition[column]?.name ?? "column \(column.rawValue)"
    }
}

/// A term on one column of its own table whose values are not text: `fill` marks what the
/// values say, then puts the nulls right.
class ColumnPredicate: CompiledPredicate {
    final let column: ColumnID

    init(table: TableView, column: ColumnID, rowCost: Double, matchesNull: Bool) {
        self.column = column
        super.init(table: table, rowCost: rowCost, matchesNull: matchesNull)
    }

    /// Marks rows by their values; what null rows get does not matter.
    func fillValues(_ mask: MaskBytes, _ view: ColumnView, _ count: Int, _ run: ScanRun) {
        fatalError("abstract")
    }

    /// Whether the value of a row that is not null matches.
    func matchesValue(_ row: Int, _ view: ColumnView) -> Bool { fatalError("abstract") }

    final override func fill(_ mask: MaskBytes, _ cluster: ClusterView, _ run: ScanRun) {
        let view = view(column, in: cluster)
        let count = cluster.count
        if view.encoding == .absent {
            if count == 0 { return }
            if view.nulls == nil && view.isNullable {
                return Mask.fill(mask, count: count, with: matchesNull)
            }
            // Every row that is not null reads as the same zero.
            Mask.fill(mask, count: count, with: matchesValue(0, view))
        } else {
            fillValues(mask, view, count, run)
        }
        if let nulls = view.nulls {
            Bitmap.overlay(nulls, count: count, value: matchesNull, on: mask)
        }
    }

    final override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        let view = view(column, in: cluster)
        return view.isNull(at: row) ? matchesNull : matchesValue(row, view)
    }
}
