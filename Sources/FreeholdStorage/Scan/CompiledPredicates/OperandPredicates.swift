/// A test of two computed values of a row; subclasses test row by row.
class OperandPairPredicate: CompiledPredicate {
    fileprivate let left: Operand
    fileprivate let right: Operand
    fileprivate let isMixed: Bool
    /// Whether one of the operands is a constant text.
    fileprivate let textIsBytes: Bool

    fileprivate init(table: TableView, _ left: Operand, _ right: Operand, rowCost: Double) {
        self.left = left
        self.right = right
        isMixed = left.kind == .any || right.kind == .any
        textIsBytes = left.isConstantText || right.isConstantText
        super.init(
            table: table, rowCost: rowCost + left.rowCost + right.rowCost, matchesNull: false)
    }

    override func prepare() throws(StorageError) {
        try left.prepare()
        try right.prepare()
    }
}

/// Compares two computed values of a row.
final class OperandsPredicate: OperandPairPredicate {
    private let comparison: ScanComparison

    init(table: TableView, _ left: Operand, _ comparison: ScanComparison, _ right: Operand) {
        self.comparison = comparison
        super.init(table: table, left, right, rowCost: 5)
    }

    override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        left.with(row, cluster, run) { first in
            right.with(row, cluster, run) {
                OperandComparison.holds(
                    first, comparison, $0, isMixed: isMixed, textIsBytes: textIsBytes)
            }
        }
    }

    override var summary: String { "\(left.summary) \(comparison.symbol) \(right.summary)" }
}

/// An operator on text or bytes, with two computed values of a row.
final class OperandTextPredicate: OperandPairPredicate {
    private let textOperator: ScanTextOperator
    private let options: ScanTextOptions

    init(
        table: TableView, _ text: Operand, _ textOperator: ScanTextOperator, _ needle: Operand,
        _ options: ScanTextOptions
    ) {
        self.textOperator = textOperator
        self.options = options
        super.init(table: table, text, needle, rowCost: 60)
    }

    override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        left.with(row, cluster, run) { text in
            right.with(row, cluster, run) { matches(text, $0, run) }
        }
    }

    private func matches(_ text: OperandValue, _ needle: OperandValue, _ run: ScanRun) -> Bool {
        let haystack: UnsafeRawBufferPointer
        let sought: UnsafeRawBufferPointer
        let isBytes: Bool
        switch (text, needle) {
        case (.text(let first), .text(let second)):
            (haystack, sought, isBytes) = (first, second, false)
        case (.bytes(let first), .bytes(let second)):
            (haystack, sought, isBytes) = (first, second, true)
        case (.text(let first), .bytes(let second)), (.bytes(let first), .text(let second)):
            if textOperator.isEquality, !textIsBytes { return textOperator == .notEqual }
            (haystack, sought, isBytes) = (first, second, true)
        case (.null, .null): return textOperator.holdsForNulls
        default:
            // Values without case compare as usual.
            guard textOperator.isEquality else { return false }
            let comparison: ScanComparison = textOperator == .equal ? .equal : .notEqual
            return OperandComparison.holds(text, comparison, needle, isMixed: isMixed)
        }
        return TextTest(textOperator, Array(sought), options, isBytes: isBytes).matches(
            haystack, run)
    }

    override var summary: String { "\(left.summary) \(textOperator) \(right.summary)" }
}

extension ScanComparison {
    /// The operator as predicate strings and explanations have it.
    package var symbol: String {
        switch self {
        case .equal: "=="
        case .notEqual: "!="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}
