extension Decimal128 {
    /// A key whose unsigned order is the order of the values, and which is equal exactly for equal values.
    ///
    ///     NaN              0
    ///     -infinity        2^127 - m(infinity)
    ///     negative         2^127 - m
    ///     zero             2^127
    ///     positive         2^127 + m
    ///     +infinity        2^127 + m(infinity)
    ///
    /// where m is the exponent above the coefficient, after the coefficient has been brought to 34 digits. All NaNs have one
    /// key, both zeros have one key, and so do 1.0 and 1.00. The key is stored in indexes, so its definition is part of the
    /// file format.
    ///
    /// Constant time.
    package var sortKey: UInt128 {
        let origin: UInt128 = 1 << 127
        let magnitude: UInt128
        if isNaN {
            return 0
        } else if isInfinite {
            magnitude = UInt128(Self.maximumExponent - Self.leastNormalizedExponent + 2) << 113
        } else {
            let parts = parts
            guard parts.coefficient != 0 else { return origin }
            let padding = Self.precision - Self.digitCount(parts.coefficient)
            let exponent = parts.exponent - padding - Self.leastNormalizedExponent + 1
            magnitude = UInt128(exponent) << 113 | parts.coefficient * Self.powerOfTen(padding)
        }
        return isNegative ? origin - magnitude : origin + magnitude
    }

    /// The exponent of the least positive number after its coefficient has been brought to 34 digits.
    private static let leastNormalizedExponent = minimumExponent - precision + 1
}

extension Decimal128: Hashable {
    /// Whether two values are equal, whatever their representations: `1.0 == 1.00`, `-0 == 0`, and NaN equals NaN.
    public static func == (lhs: Decimal128, rhs: Decimal128) -> Bool {
        lhs.highBits == rhs.highBits && lhs.lowBits == rhs.lowBits || lhs.sortKey == rhs.sortKey
    }

    /// Feeds the value, not the representation, into the hasher: equal values hash equally.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(sortKey)
    }
}

extension Decimal128: Comparable {
    /// Whether the first value comes before the second in the total order, in which NaN is less than every number.
    public static func < (lhs: Decimal128, rhs: Decimal128) -> Bool {
        lhs.sortKey < rhs.sortKey
    }
}

// MARK: - IEEE 754

extension Decimal128 {
    /// IEEE 754's equality: `false` if either value is a NaN.
    public func isEqual(to other: Decimal128) -> Bool {
        !isNaN && !other.isNaN && self == other
    }

    /// IEEE 754's less than: `false` if either value is a NaN.
    public func isLess(than other: Decimal128) -> Bool {
        !isNaN && !other.isNaN && self < other
    }

    /// IEEE 754's less than or equal: `false` if either value is a NaN.
    public func isLessThanOrEqualTo(_ other: Decimal128) -> Bool {
        !isNaN && !other.isNaN && self <= other
    }
}
