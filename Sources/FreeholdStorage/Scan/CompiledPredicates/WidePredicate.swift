extension ColumnType {
    /// The number of a row of a wide type, whose unsigned order is the values' order.
    @inline(__always)
    func wideKey(at row: Int, in view: ColumnView) -> UInt128 {
        if self != .decimal { return FixedValue(view, row, self).key }
        // An absent column reads as sixteen zero bytes, which is the decimal zero.
        let (low, high) = view.fixed16(at: row)
        return DecimalOrder.key(low: low, high: high)
    }

    /// The range of comparable keys: all except the decimal NaN.
    var wholeKeys: ClosedRange<UInt128> {
        if self == .decimal { return DecimalOrder.negativeInfinity...DecimalOrder.infinity }
        return 0...(UInt128.max >> (128 - 8 * UInt128(fixedWidth ?? 16)))
    }

    /// The value of a key; nil for decimals, whose key does not distinguish the members of a
    /// cohort.
    fileprivate func value(ofKey key: UInt128) -> ScanValue? {
        self == .decimal ? nil : .fixed(FixedValue(key: key, kind: self))
    }
}

/// An ObjectId, UUID or decimal within a closed interval, or outside of it.
final class WidePredicate: ColumnPredicate {
    private let kind: ColumnType
    private let lower: UInt128
    private let upper: UInt128
    private let isInverted: Bool

    init(
        table: TableView, column: ColumnID, kind: ColumnType, interval: ClosedRange<UInt128>,
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
        // A loop for each layout, so that nothing is asked of the kind for each row.
        @inline(__always)
        func fill(_ kind: ColumnType) {
            for row in 0..<count {
                let key = kind.wideKey(at: row, in: view)
                mask[row] = Mask.byte(lower <= key) & Mask.byte(key <= upper) ^ flip
            }
        }
        switch (kind, kind.layout) {
        case (.decimal, _): fill(.decimal)
        case (_, .fixed12): fill(.fixed12)
        default: fill(.fixed16)
        }
    }

    override func matchesValue(_ row: Int, _ view: ColumnView) -> Bool {
        let key = kind.wideKey(at: row, in: view)
        return (lower <= key && key <= upper) != isInverted
    }

    override func access() -> AccessPath? {
        guard !isInverted, table.index(of: column) != nil, let from = kind.value(ofKey: lower),
            let to = kind.value(ofKey: upper)
        else { return nil }
        return lower == upper
            ? .equal(column, [from]) : .range(column, from: .including(from), to: .including(to))
    }

    override var summary: String {
        let whole = kind.wholeKeys
        func value(_ bound: UInt128) -> ScanValue? {
            // For a decimal, only its order is known.
            lower != upper && (bound == whole.lowerBound || bound == whole.upperBound)
                ? nil : kind.value(ofKey: bound) ?? .decimal(0, 0)
        }
        return intervalSummary(
            column, value(lower).map { .including($0) } ?? .unbounded,
            value(upper).map { .including($0) } ?? .unbounded, isSingle: lower == upper,
            isInverted: isInverted)
    }
}
