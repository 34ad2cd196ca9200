/// An integer, link or row key within a closed interval, or outside of it.
final class IntegerPredicate: ColumnPredicate {
    private let lower: Int64
    private let upper: Int64
    private let isInverted: Bool
    /// Whether the column is the row key itself.
    private let isRowKey: Bool

    /// - Parameters:
    ///   - isInverted: Whether values outside of the interval match, and null as well.
    init(table: TableView, column: ColumnID, interval: ClosedRange<Int64>, isInverted: Bool) {
        lower = interval.lowerBound
        upper = interval.upperBound
        self.isInverted = isInverted
        isRowKey = table.isRowKey(column)
        super.init(table: table, column: column, rowCost: 0.25, matchesNull: isInverted)
    }

    /// The value of an interval with a single value.
    var onlyValue: Int64 { lower }

    override func fillValues(_ mask: MaskBytes, _ view: ColumnView, _ count: Int, _ run: ScanRun) {
        IntegerKernels.within(
            lower, upper, inverted: isInverted, in: view, count: count, into: mask)
    }

    override func matchesValue(_ row: Int, _ view: ColumnView) -> Bool {
        let value = view.integer(at: row)
        return (lower <= value && value <= upper) != isInverted
    }

    override func count(_ cluster: ClusterView, _ run: ScanRun) -> Int {
        let view = view(column, in: cluster)
        if view.nulls == nil,
            let inside = IntegerKernels.count(within: lower, upper, in: view, count: cluster.count)
        {
            return isInverted ? cluster.count - inside : inside
        }
        return super.count(cluster, run)
    }

    override func access() -> AccessPath? {
        if isInverted { return nil }
        if isRowKey { return lower == upper ? .rowKeys([lower]) : nil }
        guard table.index(of: column) != nil else { return nil }
        if lower == upper { return .equal(column, [.integer(lower)]) }
        return .range(column, from: .including(.integer(lower)), to: .including(.integer(upper)))
    }

    override var rowKeyInterval: ClosedRange<Int64>? {
        isRowKey && !isInverted ? lower...upper : nil
    }

    override var summary: String {
        intervalSummary(
            column, .lower(.integer(lower)), .upper(.integer(upper)), isInverted: isInverted)
    }
}

/// An integer, link or row key that is in a set.
final class IntegerSetPredicate: ColumnPredicate {
    private let set: IntegerSet
    private let isRowKey: Bool

    init(table: TableView, column: ColumnID, set: IntegerSet, matchesNull: Bool) {
        self.set = set
        isRowKey = table.isRowKey(column)
        super.init(table: table, column: column, rowCost: 3, matchesNull: matchesNull)
    }

    override func fillValues(_ mask: MaskBytes, _ view: ColumnView, _ count: Int, _ run: ScanRun) {
        set.fill(mask, view, count, run)
    }

    override func matchesValue(_ row: Int, _ view: ColumnView) -> Bool {
        set.contains(view.integer(at: row))
    }

    override func access() -> AccessPath? {
        if isRowKey { return .rowKeys(set.values) }
        guard table.index(of: column) != nil else { return nil }
        return .equal(column, (matchesNull ? [.null] : []) + set.values.map { .integer($0) })
    }

    override var rowKeyInterval: ClosedRange<Int64>? {
        guard isRowKey, let first = set.values.first, let last = set.values.last else { return nil }
        return first...last
    }

    override var summary: String {
        """
        \(name(of: column)) in \
        \(ScanValue.summary(of: (matchesNull ? [.null] : []) + set.values.map { .integer($0) }))
        """
    }
}

extension TableView {
    /// Whether a column's values are the row keys.
    final func isRowKey(_ column: ColumnID) -> Bool {
        column == .rowKeys || kinds.rowKeyAlias == column.position
    }
}
