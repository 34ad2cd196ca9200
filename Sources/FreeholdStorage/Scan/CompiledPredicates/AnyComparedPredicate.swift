/// Whether a value at the end of some hops compares with a value of the row where they start.
///
/// The row's value is read once. Then the hops' targets are visited until one satisfies the
/// comparison.
final class AnyComparedPredicate: CompiledPredicate {
    /// Each hop starts from the space of the previous one.
    private let walks: [HopWalk]
    /// Compiled for the space of the last hop.
    private let value: Operand
    /// Nil if no comparison ever holds.
    private let comparison: ScanComparison?
    private let other: Operand
    private let isNegated: Bool
    private let isMixed: Bool
    /// Whether one side is a constant text.
    private let textIsBytes: Bool

    init(
        table: TableView, _ walks: [HopWalk], _ value: Operand, _ comparison: ScanComparison?,
        _ other: Operand, isNegated: Bool
    ) {
        self.walks = walks
        self.value = value
        self.comparison = comparison
        self.other = other
        self.isNegated = isNegated
        isMixed = value.kind == .any || other.kind == .any
        textIsBytes = value.isConstantText || other.isConstantText
        let each = walks.reduce(value.rowCost) {
            $1.rowCost + $0 * Double(CollectionTable.expectedElements)
        }
        super.init(table: table, rowCost: other.rowCost + each, matchesNull: false)
    }

    override func prepare() throws(StorageError) {
        try value.prepare()
        try other.prepare()
    }

    override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        other.with(row, cluster, run) { other in isAny(walks[...], row, cluster, run, other) }
    }

    private func isAny(
        _ walks: ArraySlice<HopWalk>, _ row: Int, _ cluster: ClusterView, _ run: ScanRun,
        _ other: OperandValue
    ) -> Bool {
        guard let walk = walks.first else {
            return value.with(row, cluster, run) { value in
                (comparison.map {
                    OperandComparison.holds(
                        value, $0, other, isMixed: isMixed, textIsBytes: textIsBytes)
                } ?? false) != isNegated
            }
        }
        var isFound = false
        // Null elements that are links lead nowhere.
        let areLinks = walk.hop.leadsToRows && walk.hop.space is CollectionTable
        walk.visit(row, cluster, run) { space, rows, _ in
            for row in rows
            where !areLinks || !space.columnView(CollectionTable.element).isNull(at: row) {
                if isAny(walks.dropFirst(), row, space, run, other) {
                    isFound = true
                    break
                }
            }
            return !isFound
        }
        return isFound
    }

    override var summary: String {
        """
        any of \(walks.map(\.hop.name).joined(separator: ".")): \
        \(isNegated ? "not " : "")\(value.summary) \(comparison?.symbol ?? "never") \
        \(other.summary)
        """
    }
}
