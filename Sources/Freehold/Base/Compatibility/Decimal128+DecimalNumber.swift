// The Objective-C names of Realm's `Decimal128`.

extension Decimal128 {
    /// The sum, rounded to 34 digits, as `+`.
    public func decimalNumber(byAdding other: Decimal128) -> Decimal128 { self + other }
    /// The difference, rounded to 34 digits, as `-`.
    public func decimalNumber(bySubtracting other: Decimal128) -> Decimal128 { self - other }
    /// The product, rounded to 34 digits, as `*`.
    public func decimalNumber(byMultiplyingBy other: Decimal128) -> Decimal128 { self * other }
    /// The quotient, rounded to 34 digits, as `/`.
    public func decimalNumber(byDividingBy other: Decimal128) -> Decimal128 { self / other }

    /// IEEE 754's less than: false if either value is a NaN.
    public func isLessThan(_ other: Decimal128) -> Bool { isLess(than: other) }
    /// IEEE 754's less than or equal: false if either value is a NaN.
    public func isLessThanOrEqual(to other: Decimal128) -> Bool { isLessThanOrEqualTo(other) }
    /// IEEE 754's greater than: false if either value is a NaN.
    public func isGreaterThan(_ other: Decimal128) -> Bool { other.isLess(than: self) }
    /// IEEE 754's greater than or equal: false if either value is a NaN.
    public func isGreaterThanOrEqual(to other: Decimal128) -> Bool {
        other.isLessThanOrEqualTo(self)
    }
}
