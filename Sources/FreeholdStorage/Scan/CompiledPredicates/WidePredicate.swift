/// Converts the values of a column to numbers with the same order.
enum WideKind {
    case fixed12, fixed16, decimal

    init?(_ type: ColumnType) {
        switch type {
        case .fixed12: self = .fixed12
        case .fixed16: self = .fixed16
        case .decimal: self = .decimal
        default: return nil
        }
    }

    /// The number for a row's value.
    @inline(__always)
    func key(at row: Int, in view: ColumnView) -> UInt128 {
        switch self {
        case .fixed12:
            let (first, second) = view.fixed12(at: row)
            return WideKind.key(first, second)
        case .fixed16:
            let (first, second) = view.fixed16(at: row)
            return WideKind.key(first, second)
        case .decimal:
            // An absent column reads as sixteen zero bytes, which is the decimal zero.
            let (low, high) = view.fixed16(at: row)
            return DecimalOrder.key(low: low, high: high)
        }
    }

    @inline(__always)
    static func key(_ first: UInt64, _ second: UInt32) -> UInt128 {
        UInt128(UInt64(bigEndian: first)) &<< 32 | UInt128(UInt32(bigEndian: second))
    }

    @inline(__always)
    static func key(_ first: UInt64, _ second: UInt64) -> UInt128 {
        UInt128(UInt64(bigEndian: first)) &<< 64 | UInt128(UInt64(bigEndian: second))
    }

    /// The range of comparable keys: all except the decimal NaN.
    var wholeInterval: ClosedRange<UInt128> {
        switch self {
        case .fixed12: 0...(UInt128(1) << 96 - 1)
        case .fixed16: 0...UInt128.max
        case .decimal: DecimalOrder.negativeInfinity...DecimalOrder.infinity
        }
    }

    /// The value of a key; nil for decimals, whose key does not distinguish the members of a
    /// cohort.
    func value(of key: UInt128) -> ScanValue? {
        switch self {
        case .fixed12:
            .fixed12(
                UInt64(truncatingIfNeeded: key >> 32).bigEndian,
                UInt32(truncatingIfNeeded: key).bigEndian)
        case .fixed16:
            .fixed16(
                UInt64(truncatingIfNeeded: key >> 64).bigEndian,
                UInt64(truncatingIfNeeded: key).bigEndian)
        case .decimal: nil
        }
    }
}

/// An ObjectId, UUID or decimal within a closed interval, or outside of it.
final class WidePredicate: ColumnPredicate {
    private let kind: WideKind
    private let lower: UInt128
    private let upper: UInt128
    private let isInverted: Bool

    init(
        table: TableView, column: ColumnID, kind: WideKind, interval: ClosedRange<UInt128>,
        isInverted: Bool
    ) {
        self.kind = kind
        lower = interval.lowerBound
        upper = interval.upperBound
        self.isInverted = isInverted
        super.init(
            table: table, column: column, rowCost: kind == .decimal ? 12 : 1.5,
            matchesNull: isInverted)
    }

    override func fillValues(_ mask: MaskBytes, _ view: ColumnView, _ count: Int, _ run: ScanRun) {
        let flip = Mask.byte(isInverted)
        for row in 0..<count {
            let key = kind.key(at: row, in: view)
            mask[row] = Mask.byte(lower <= key) & Mask.byte(key <= upper) ^ flip
        }
    }

    override func matchesValue(_ row: Int, _ view: ColumnView) -> Bool {
        let key = kind.key(at: row, in: view)
        return (lower <= key && key <= upper) != isInverted
    }

    override func access() -> AccessPath? {
        guard !isInverted, table.index(of: column) != nil, let from = kind.value(of: lower),
            let to = kind.value(of: upper)
        else { return nil }
        return lower == upper
            ? .equal(column, [from]) : .range(column, from: .including(from), to: .including(to))
    }

    override var summary: String {
        let whole = kind.wholeInterval
        func value(_ bound: UInt128) -> ScanValue? {
            // For a decimal, only its order is known.
            lower != upper && (bound == whole.lowerBound || bound == whole.upperBound)
                ? nil : kind.value(of: bound) ?? .decimal(0, 0)
        }
        return intervalSummary(
            column, value(lower).map { .including($0) } ?? .unbounded,
            value(upper).map { .including($0) } ?? .unbounded, isSingle: lower == upper,
            isInverted: isInverted)
    }
}
