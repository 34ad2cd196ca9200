/// A double or timestamp within a closed interval, or outside of it. NaN is outside of every
/// interval.
final class DoublePredicate: ColumnPredicate {
    private let lower: Double
    private let upper: Double
    private let isInverted: Bool

    init(table: TableView, column: ColumnID, interval: ClosedRange<Double>, isInverted: Bool) {
        lower = interval.lowerBound
        upper = interval.upperBound
        self.isInverted = isInverted
        super.init(table: table, column: column, rowCost: 0.6, matchesNull: isInverted)
    }

    override func fillValues(_ mask: MaskBytes, _ view: ColumnView, _ count: Int, _ run: ScanRun) {
        FloatingKernels.within(
            lower, upper, inverted: isInverted, in: view.data, count: count, into: mask)
    }

    override func matchesValue(_ row: Int, _ view: ColumnView) -> Bool {
        let value = view.double(at: row)
        return (lower <= value && value <= upper) != isInverted
    }

    override func access() -> AccessPath? {
        guard !isInverted, table.index(of: column) != nil else { return nil }
        // Both zeros are equal here, but an index sorts -0 before +0.
        let from = lower == 0 ? -0.0 : lower
        let to = upper == 0 ? 0.0 : upper
        if from == to && from != 0 { return .equal(column, [.double(from)]) }
        return .range(column, from: .including(.double(from)), to: .including(.double(to)))
    }

    override var summary: String {
        intervalSummary(
            column, .lower(.double(lower)), .upper(.double(upper)), isInverted: isInverted)
    }
}

/// A float within a closed interval, or outside of it. NaN is outside of every interval.
final class FloatPredicate: ColumnPredicate {
    private let lower: Float
    private let upper: Float
    private let isInverted: Bool

    init(table: TableView, column: ColumnID, interval: ClosedRange<Float>, isInverted: Bool) {
        lower = interval.lowerBound
        upper = interval.upperBound
        self.isInverted = isInverted
        super.init(table: table, column: column, rowCost: 0.5, matchesNull: isInverted)
    }

    override func fillValues(_ mask: MaskBytes, _ view: ColumnView, _ count: Int, _ run: ScanRun) {
        FloatingKernels.within(
            lower, upper, inverted: isInverted, in: view.data, count: count, into: mask)
    }

    override func matchesValue(_ row: Int, _ view: ColumnView) -> Bool {
        let value = view.float(at: row)
        return (lower <= value && value <= upper) != isInverted
    }

    override var summary: String {
        intervalSummary(
            column, .lower(.float(lower)), .upper(.float(upper)), isInverted: isInverted)
    }
}
