import FreeholdStorage

extension Decimal128 {
    /// A key whose unsigned order is the order of the values. Keys are equal exactly for equal
    /// values: all NaNs share one key, and so do both zeros, and 1.0 and 1.00. Storage orders
    /// decimals by the same key. Constant time.
    package var sortKey: UInt128 { DecimalOrder.key(low: lowBits, high: highBits) }
}

extension Decimal128: Hashable {
    /// Whether two values are equal, whatever their representations: `1.0 == 1.00`, `-0 == 0`,
    /// and NaN equals NaN.
    public static func == (lhs: Decimal128, rhs: Decimal128) -> Bool {
        lhs.highBits == rhs.highBits && lhs.lowBits == rhs.lowBits || lhs.sortKey == rhs.sortKey
    }

    /// Feeds the value, not the representation, into the hasher: equal values hash equally.
    public func hash(into hasher: inout Hasher) { hasher.combine(sortKey) }
}

extension Decimal128: Comparable {
    /// Whether the first value comes before the second in the total order, in which NaN is less
    /// than every number.
    public static func < (lhs: Decimal128, rhs: Decimal128) -> Bool { lhs.sortKey < rhs.sortKey }
}

// MARK: - IEEE 754

extension Decimal128 {
    /// IEEE 754's equality: `false` if either value is a NaN.
    public func isEqual(to other: Decimal128) -> Bool { !isNaN && !other.isNaN && self == other }

    /// IEEE 754's less than: `false` if either value is a NaN.
    public func isLess(than other: Decimal128) -> Bool { !isNaN && !other.isNaN && self < other }

    /// IEEE 754's less than or equal: `false` if either value is a NaN.
    public func isLessThanOrEqualTo(_ other: Decimal128) -> Bool {
        !isNaN && !other.isNaN && self <= other
    }
}
