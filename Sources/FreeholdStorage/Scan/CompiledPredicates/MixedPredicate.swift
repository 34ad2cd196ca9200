/// A predicate on one column of mixed values in its own table. It reads values in place from their
/// bytes, without decoding.
class MixedPredicate: CompiledPredicate {
    final let column: ColumnID

    init(table: TableView, column: ColumnID, rowCost: Double, matchesNull: Bool) {
        self.column = column
        super.init(table: table, rowCost: rowCost, matchesNull: matchesNull)
    }

    /// Whether a non-null value matches.
    func test(_ value: OperandValue, _ run: ScanRun) -> Bool { fatalError("abstract") }

    final override func fill(_ mask: MaskBytes, _ cluster: ClusterView, _ run: ScanRun) {
        if view(column, in: cluster).encoding == .absent {
            return Mask.fill(mask, count: cluster.count, with: matchesNull)
        }
        for row in 0..<cluster.count { mask[row] = Mask.byte(matches(row, cluster, run)) }
    }

    final override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        var matches = matchesNull
        table.withMixed(column, row, cluster) { bytes in
            let value = OperandValue(mixed: bytes)
            if !value.isNull { matches = test(value, run) }
        }
        return matches
    }
}

/// Mixed values that compare with a non-null constant.
final class MixedComparisonPredicate: MixedPredicate {
    private let comparison: ScanComparison
    private let value: ScanValue
    private let isText: Bool

    init(table: TableView, column: ColumnID, _ comparison: ScanComparison, _ value: ScanValue) {
        self.comparison = comparison
        self.value = value
        isText = if case .text = value { true } else { false }
        super.init(table: table, column: column, rowCost: 10, matchesNull: comparison == .notEqual)
    }

    override func test(_ value: OperandValue, _ run: ScanRun) -> Bool {
        self.value.withOperandValue {
            OperandComparison.holds(value, comparison, $0, isMixed: true, textIsBytes: isText)
        }
    }

    override func access() -> AccessPath? {
        guard comparison == .equal, case .object(let target) = value, table.index(of: column) != nil
        else { return nil }
        // This also finds links inside of a list or map.
        return .superset(.backlinks(column, target.table, [target.key]))
    }

    override var summary: String { "\(name(of: column)) \(comparison.symbol) \(value.summary)" }
}

/// Mixed values that satisfy an operator on text.
final class MixedTextPredicate: MixedPredicate {
    private let text: TextTest
    private let bytes: TextTest
    private let isInverted: Bool

    init(
        table: TableView, column: ColumnID, _ textOperator: ScanTextOperator, _ needle: [UInt8],
        _ options: ScanTextOptions
    ) {
        text = TextTest(textOperator, needle, options, isBytes: false)
        bytes = TextTest(textOperator, needle, options, isBytes: true)
        isInverted = textOperator == .notEqual
        super.init(
            table: table, column: column, rowCost: options.isEmpty ? 15 : 40,
            matchesNull: isInverted)
    }

    override func test(_ value: OperandValue, _ run: ScanRun) -> Bool {
        switch value {
        case .text(let found): text.matches(found, run)
        case .bytes(let found): bytes.matches(found, run)
        default: isInverted
        }
    }

    override var summary: String { "the text in \(name(of: column)) fits" }
}

/// Mixed values that are a text which satisfies a matcher.
final class MixedMatcherPredicate: MixedPredicate {
    private let matcher: ScanTextMatcher

    init(table: TableView, column: ColumnID, _ matcher: ScanTextMatcher) {
        self.matcher = matcher
        super.init(table: table, column: column, rowCost: 500, matchesNull: false)
    }

    override func test(_ value: OperandValue, _ run: ScanRun) -> Bool {
        if case .text(let text) = value { return matcher.matches(text) }
        return false
    }

    override var summary: String { "\(name(of: column)) matches \(matcher.name)" }
}
