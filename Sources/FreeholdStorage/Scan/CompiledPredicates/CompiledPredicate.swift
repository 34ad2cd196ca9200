/// A predicate compiled for one table: types checked, constants converted, columns resolved.
///
/// A predicate evaluates a whole cluster (`fill`, `count`) or one row (`matches`); the planner
/// chooses by the number of rows left to test. Predicates are called once per cluster or row,
/// never per value inside a loop. Confined to the evaluation that compiled them.
class CompiledPredicate {
    final let table: TableView
    /// The rough cost of a row in `fill`, in nanoseconds; the planner orders predicates by it.
    final let rowCost: Double
    /// The result for null.
    final let matchesNull: Bool

    init(table: TableView, rowCost: Double, matchesNull: Bool) {
        self.table = table
        self.rowCost = rowCost
        self.matchesNull = matchesNull
    }

    /// Marks the matching rows of a cluster. O(rows).
    func fill(_ mask: MaskBytes, _ cluster: ClusterView, _ run: ScanRun) {
        for row in 0..<cluster.count { mask[row] = Mask.byte(matches(row, cluster, run)) }
    }

    /// Whether one row matches.
    func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        fatalError("abstract")
    }

    /// The number of matching rows of a cluster. O(rows).
    func count(_ cluster: ClusterView, _ run: ScanRun) -> Int {
        let mask = run.borrowMask(for: cluster.count)
        defer { run.returnMask() }
        fill(mask, cluster, run)
        return Mask.sum(mask, count: cluster.count)
    }

    /// Work to do once before clusters are filled.
    func prepare() throws(StorageError) {}

    /// The cost, in nanoseconds, of finding out whether there is an access path, for predicates
    /// that first need the matching rows of another table. Nil for other predicates, once it
    /// has been found out, and if it exceeds `limit`.
    func preparationCost(atMost limit: Double) throws(StorageError) -> Double? { nil }

    /// Finds out whether there is an access path.
    func prepareAccess() throws(StorageError) {}

    /// The access path to a superset of the matches, by an index or the row order; nil if there
    /// is none. The candidates are exactly the matches if ``AccessPath/isExact`` is true.
    func access() -> AccessPath? { nil }

    /// The interval that contains the row keys of all matches; nil if unrestricted.
    var rowKeyInterval: ClosedRange<Int64>? { nil }

    /// A readable description of the predicate, for `explain()`.
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

/// A predicate on one column without text, in its own table: `fill` marks rows by their values,
/// then corrects the null rows.
class ColumnPredicate: CompiledPredicate {
    final let column: ColumnID

    init(table: TableView, column: ColumnID, rowCost: Double, matchesNull: Bool) {
        self.column = column
        super.init(table: table, rowCost: rowCost, matchesNull: matchesNull)
    }

    /// Marks rows by their values; null rows may get any mark.
    func fillValues(_ mask: MaskBytes, _ view: ColumnView, _ count: Int, _ run: ScanRun) {
        fatalError("abstract")
    }

    /// Whether the non-null value of a row matches.
    func matchesValue(_ row: Int, _ view: ColumnView) -> Bool { fatalError("abstract") }

    final override func fill(_ mask: MaskBytes, _ cluster: ClusterView, _ run: ScanRun) {
        let view = view(column, in: cluster)
        let count = cluster.count
        if view.encoding == .absent {
            if count == 0 { return }
            if view.nulls == nil && view.isNullable {
                return Mask.fill(mask, count: count, with: matchesNull)
            }
            // Every non-null row reads as the same zero.
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
