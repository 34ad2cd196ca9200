/// Converts a comparison with a constant into the interval of the column's values that satisfy
/// it.
///
/// Constants of another numeric type compare by mathematical value: `age > 50.5` is `51...`,
/// and `age == 50.5` is empty. So a column is always compared with values of its own type, and
/// one kernel serves every comparison.
enum ScanLimits {
    /// The values of a column that satisfy a comparison.
    enum Interval<Value: Comparable> {
        case interval(ClosedRange<Value>)
        /// The values outside of the range, and null.
        case complement(ClosedRange<Value>)
        case none
        /// All values, and null.
        case all
    }

    /// The outermost value on one side that satisfies a comparison.
    enum Limit<Value: Comparable> {
        case value(Value)
        /// No value is far enough out.
        case nothing
        /// The constant's type has no common order with the column's.
        case incomparable
    }

    enum Side {
        case lower, upper
    }

    static func integerInterval(_ comparison: ScanComparison, _ value: ScanValue) -> Interval<Int64>
    { interval(comparison, value, whole: .min ... .max, limit: integerLimit) }

    static func doubleInterval(_ comparison: ScanComparison, _ value: ScanValue) -> Interval<Double>
    { interval(comparison, value, whole: -.infinity ... .infinity, limit: doubleLimit) }

    static func floatInterval(_ comparison: ScanComparison, _ value: ScanValue) -> Interval<Float> {
        interval(comparison, value, whole: -.infinity ... .infinity, limit: floatLimit)
    }

    static func wideInterval(_ comparison: ScanComparison, _ value: ScanValue, _ kind: ColumnType)
        -> Interval<UInt128>
    {
        interval(comparison, value, whole: kind.wholeKeys) {
            wideLimit($0, $1, isStrict: $2, kind)
        }
    }

    /// The interval of `lower <= value`, and `value <= upper` or `value < upper`.
    static func between<Value: Comparable>(
        _ lower: ScanValue, _ upper: ScanValue, includesUpper: Bool,
        limit: (ScanValue, Side, Bool) -> Limit<Value>
    ) -> Interval<Value> {
        guard case .value(let first) = limit(lower, .lower, false),
            case .value(let last) = limit(upper, .upper, !includesUpper), first <= last
        else { return .none }
        return .interval(first...last)
    }

    private static func interval<Value: Comparable>(
        _ comparison: ScanComparison, _ value: ScanValue, whole: ClosedRange<Value>,
        limit: (ScanValue, Side, Bool) -> Limit<Value>
    ) -> Interval<Value> {
        switch comparison {
        case .equal, .notEqual:
            switch (limit(value, .lower, false), limit(value, .upper, false)) {
            case (.incomparable, _), (_, .incomparable): .none
            case (.value(let first), .value(let last)) where first <= last:
                comparison == .equal ? .interval(first...last) : .complement(first...last)
            default: comparison == .equal ? .none : .all
            }
        case .less, .lessOrEqual:
            if case .value(let last) = limit(value, .upper, comparison == .less),
                whole.lowerBound <= last
            {
                .interval(whole.lowerBound...last)
            } else {
                .none
            }
        case .greater, .greaterOrEqual:
            if case .value(let first) = limit(value, .lower, comparison == .greater),
                first <= whole.upperBound
            {
                .interval(first...whole.upperBound)
            } else {
                .none
            }
        }
    }

    static func integerLimit(_ value: ScanValue, _ side: Side, isStrict: Bool) -> Limit<Int64> {
        switch value {
        case .integer(let integer):
            if !isStrict { return .value(integer) }
            let (next, overflow) =
                side == .lower
                ? integer.addingReportingOverflow(1) : integer.subtractingReportingOverflow(1)
            return overflow ? .nothing : .value(next)
        case .link(let key): return .value(key.rawValue)
        case .float(let float):
            return integerLimit(.double(Double(float)), side, isStrict: isStrict)
        case .double(let double):
            if double.isNaN { return .nothing }
            // "Above x" means at least one more than x rounded down; "at least x" means at
            // least x rounded up. Mirrored for upper limits.
            let rounded = double.rounded((side == .lower) != isStrict ? .up : .down)
            if let integer = Int64(exactly: rounded) {
                return isStrict
                    ? integerLimit(.integer(integer), side, isStrict: true) : .value(integer)
            }
            if side == .lower { return double > 0 ? .nothing : .value(.min) }
            return double < 0 ? .nothing : .value(.max)
        default: return .incomparable
        }
    }

    static func doubleLimit(_ value: ScanValue, _ side: Side, isStrict: Bool) -> Limit<Double> {
        switch value {
        case .float(let float): return doubleLimit(.double(Double(float)), side, isStrict: isStrict)
        case .double(let double):
            if double.isNaN { return .nothing }
            if !isStrict { return .value(double) }
            if side == .lower { return double == .infinity ? .nothing : .value(double.nextUp) }
            return double == -.infinity ? .nothing : .value(double.nextDown)
        case .integer(let integer):
            // The nearest double may be on either side of the integer. The nearest double of
            // every Int64 fits an Int128.
            let nearest = Double(integer)
            let exact = Int128(nearest)
            if exact == Int128(integer) {
                return doubleLimit(.double(nearest), side, isStrict: isStrict)
            }
            if exact < Int128(integer) { return .value(side == .lower ? nearest.nextUp : nearest) }
            return .value(side == .lower ? nearest : nearest.nextDown)
        default: return .incomparable
        }
    }

    static func floatLimit(_ value: ScanValue, _ side: Side, isStrict: Bool) -> Limit<Float> {
        if case .float(let float) = value {
            if float.isNaN { return .nothing }
            if !isStrict { return .value(float) }
            if side == .lower { return float == .infinity ? .nothing : .value(float.nextUp) }
            return float == -.infinity ? .nothing : .value(float.nextDown)
        }
        switch doubleLimit(value, side, isStrict: isStrict) {
        case .incomparable: return .incomparable
        case .nothing: return .nothing
        case .value(let double):
            let nearest = Float(double)
            if side == .lower { return .value(Double(nearest) < double ? nearest.nextUp : nearest) }
            return .value(Double(nearest) > double ? nearest.nextDown : nearest)
        }
    }

    static func wideLimit(_ value: ScanValue, _ side: Side, isStrict: Bool, _ kind: ColumnType)
        -> Limit<UInt128>
    {
        let key: UInt128
        switch (kind, value) {
        case (.decimal, .integer(let integer)): key = DecimalOrder.key(integer)
        case (.decimal, .decimal(let low, let high)):
            key = DecimalOrder.key(low: low, high: high)
            if key == DecimalOrder.notANumber { return .nothing }
        case (_, .fixed(let fixed)) where fixed.kind == kind: key = fixed.key
        default: return .incomparable
        }
        if !isStrict { return .value(key) }
        // The next key may belong to no value; no value lies between.
        let (next, overflow) =
            side == .lower ? key.addingReportingOverflow(1) : key.subtractingReportingOverflow(1)
        return overflow ? .nothing : .value(next)
    }
}
