// MARK: - Integers

extension Decimal128 {
    /// Converts an integer exactly. Returns `nil` if it needs more than 34 digits; trailing zeros
    /// do not count.
    public init?<T: BinaryInteger>(exactly source: T) {
        let (value, isExact) = Self.rounded(source)
        guard isExact else { return nil }
        self = value
    }

    /// Converts an integer, rounded to 34 digits, halves to even.
    public init<T: BinaryInteger>(_ source: T) { self = Self.rounded(source).value }

    private static func rounded<T: BinaryInteger>(_ source: T) -> (value: Decimal128, isExact: Bool)
    {
        var magnitude = source.magnitude
        var exponent = 0
        var hasTail = false
        while true {
            if let coefficient = UInt128(exactly: magnitude) {
                return rounded(
                    isNegative: source < 0, coefficient: coefficient, exponent: exponent,
                    hasTail: hasTail)
            }
            let (tenth, digit) = magnitude.quotientAndRemainder(dividingBy: 10)
            magnitude = tenth
            exponent += 1
            hasTail = hasTail || digit != 0
        }
    }
}

extension Decimal128: ExpressibleByIntegerLiteral {
    /// Converts a literal exactly. Write a literal beyond `Int64` as a string.
    public init(integerLiteral value: Int64) { self.init(value) }
}

// MARK: - Binary floating point

extension Decimal128 {
    /// Converts to the shortest decimal number that reads back as the same `Double`: 0.1 gives
    /// 0.1. Infinities and NaNs are kept.
    public init(_ value: Double) { self.init(shortest: value) }

    /// Converts to the shortest decimal number that reads back as the same `Float`: 0.1 gives
    /// 0.1. Infinities and NaNs are kept.
    public init(_ value: Float) { self.init(shortest: value) }

    private init<T: BinaryFloatingPoint & CustomStringConvertible>(shortest value: T) {
        let isNegative = value.sign == .minus
        guard value.isFinite else {
            self =
                value.isNaN
                ? .nan(isNegative: isNegative, isSignaling: value.isSignalingNaN, payload: 0)
                : .infinity(isNegative: isNegative)
            return
        }
        // The description is the shortest such number, except for the ".0" that integers get.
        let text = value.description
        self.init(stringLiteral: text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    /// The nearest `Double`, halves to even. Numbers beyond its range become infinite or zero. A
    /// NaN loses its payload.
    ///
    /// Constant time if the digits fit 53 bits and the exponent is small, as for most amounts;
    /// otherwise it goes through text.
    public var doubleValue: Double {
        guard isFinite else {
            let magnitude: Double = isInfinite ? .infinity : isSignalingNaN ? .signalingNaN : .nan
            return isNegative ? -magnitude : magnitude
        }
        let parts = parts
        let magnitude: Double
        if parts.coefficient <= 1 << 53, parts.exponent.magnitude <= 22 {
            // Both operands are exact, so only the operation itself rounds.
            let scale =
                Double(UInt64(Self.powerOfTen(Int(parts.exponent.magnitude)) >> 64)) * 0x1p64
                + Double(UInt64(truncatingIfNeeded: Self.powerOfTen(Int(parts.exponent.magnitude))))
            let coefficient = Double(UInt64(parts.coefficient))
            magnitude = parts.exponent < 0 ? coefficient / scale : coefficient * scale
        } else {
            // Digits and an exponent are always a valid number.
            magnitude = Double("\(parts.coefficient)e\(parts.exponent)")!
        }
        return isNegative ? -magnitude : magnitude
    }
}

extension Decimal128: ExpressibleByFloatLiteral {
    /// Converts to the shortest decimal number that reads back as the literal's `Double`: `0.1`
    /// is exactly 0.1. A literal of more than 15 digits may lose some; write it as a string.
    public init(floatLiteral value: Double) { self.init(value) }
}
