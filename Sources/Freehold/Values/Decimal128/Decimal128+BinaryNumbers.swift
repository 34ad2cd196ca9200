// MARK: - Integers

extension Decimal128 {
    /// The integer, if 34 digits are enough for it; trailing zeros need none. `nil` otherwise.
    public init?<T: BinaryInteger>(exactly source: T) {
        let (value, isExact) = Self.rounded(source)
        guard isExact else { return nil }
        self = value
    }

    /// The integer, rounded to 34 digits, halves to even.
    public init<T: BinaryInteger>(_ source: T) {
        self = Self.rounded(source).value
    }

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
    /// The literal, exactly. A literal beyond `Int64` is written as a string.
    public init(integerLiteral value: Int64) {
        self.init(value)
    }
}

// MARK: - Binary floating point

extension Decimal128 {
    /// The shortest decimal number that reads back as the same `Double`: 0.1 gives 0.1.
    /// Infinities and NaNs are kept.
    public init(_ value: Double) {
        self.init(shortest: value)
    }

    /// The shortest decimal number that reads back as the same `Float`: 0.1 gives 0.1.
    /// Infinities and NaNs are kept.
    public init(_ value: Float) {
        self.init(shortest: value)
    }

    private init<T: BinaryFloatingPoint & CustomStringConvertible>(shortest value: T) {
        let isNegative = value.sign == .minus
        guard value.isFinite else {
            self =
                value.isNaN
                ? .nan(isNegative: isNegative, isSignaling: value.isSignalingNaN, payload: 0)
                : .infinity(isNegative: isNegative)
            return
        }
        // The description is the shortest such number; only the ".0" of an integer is there for
        // looks.
        let text = value.description
        self.init(stringLiteral: text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    /// The nearest `Double`, halves to even. Too great a number is infinite, too small a one
    /// zero. A NaN loses its payload.
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
            // Both operands are exact, so the one rounding of the operation is the only one.
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
    /// The shortest decimal number that reads back as the literal's `Double`: `0.1` is exactly
    /// 0.1. A literal of more than 15 digits may lose some; write it as a string.
    public init(floatLiteral value: Double) {
        self.init(value)
    }
}
