// How the operations round correctly
//
// Each operation computes a coefficient of 36 to 38 digits, two or more than the result can have,
// and whether anything non-zero was cut off below it. From these, `rounded` rounds as if the
// result were infinitely precise. Exact results get the exponent that IEEE 754 prefers: the
// lesser one for sums, the sum for products, the difference for quotients.
//
// No operation signals. Dividing a non-zero number by zero gives infinity. An undefined operation
// gives a NaN. If an operand is a NaN, it is the result, made quiet; a signaling NaN takes
// precedence.

extension Decimal128: SignedNumeric {
    /// A value's magnitude is a value of the same type.
    public typealias Magnitude = Decimal128

    /// The same number without a sign. Exact.
    public var magnitude: Decimal128 { withSign(isNegative: false) }

    /// The number with the opposite sign, zero and NaN included. Exact.
    public static prefix func - (operand: Decimal128) -> Decimal128 {
        operand.withSign(isNegative: !operand.isNegative)
    }

    /// Replaces the number with the one of opposite sign, zero and NaN included. Exact.
    public mutating func negate() { self = -self }

    /// The sum, rounded to 34 digits, halves to even.
    public static func + (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
        guard lhs.isFinite, rhs.isFinite else {
            if let nan = propagatedNaN(lhs, rhs) { return nan }
            if lhs.isInfinite, rhs.isInfinite, lhs.isNegative != rhs.isNegative { return .nan }
            return .infinity(isNegative: lhs.isInfinite ? lhs.isNegative : rhs.isNegative)
        }
        return sum(lhs.parts, rhs.parts)
    }

    /// The difference, rounded to 34 digits, halves to even.
    public static func - (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
        // A NaN keeps its sign.
        rhs.isNaN ? lhs + rhs : lhs + -rhs
    }

    /// The product, rounded to 34 digits, halves to even.
    public static func * (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
        let isNegative = lhs.isNegative != rhs.isNegative
        guard lhs.isFinite, rhs.isFinite else {
            if let nan = propagatedNaN(lhs, rhs) { return nan }
            return lhs.isZero || rhs.isZero ? .nan : .infinity(isNegative: isNegative)
        }
        return product(lhs.parts, rhs.parts, isNegative: isNegative)
    }

    /// The quotient, rounded to 34 digits, halves to even. Division by zero is infinite, and
    /// zero by zero a NaN; nothing traps.
    public static func / (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
        let isNegative = lhs.isNegative != rhs.isNegative
        guard lhs.isFinite, rhs.isFinite else {
            if let nan = propagatedNaN(lhs, rhs) { return nan }
            if lhs.isInfinite { return rhs.isInfinite ? .nan : .infinity(isNegative: isNegative) }
            return Decimal128(isNegative: isNegative, exponent: minimumExponent, coefficient: 0)
        }
        return quotient(lhs.parts, rhs.parts, isNegative: isNegative)
    }

    /// Adds the second number to the first.
    public static func += (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs + rhs }

    /// Subtracts the second number from the first.
    public static func -= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs - rhs }

    /// Multiplies the first number by the second.
    public static func *= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs * rhs }

    /// Divides the first number by the second.
    public static func /= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs / rhs }
}

extension Decimal128 {
    /// The distance between two numbers is a number.
    public typealias Stride = Decimal128

    /// Returns `other - self`.
    public func distance(to other: Decimal128) -> Decimal128 { other - self }

    /// Returns `self + n`.
    public func advanced(by n: Decimal128) -> Decimal128 { self + n }
}

// MARK: - Finite operands

extension Decimal128 {
    private static func propagatedNaN(_ lhs: Decimal128, _ rhs: Decimal128) -> Decimal128? {
        let operands = [lhs, rhs]
        guard
            let operand = operands.first(where: \.isSignalingNaN) ?? operands.first(where: \.isNaN)
        else { return nil }
        return .nan(isNegative: operand.isNegative, isSignaling: false, payload: operand.payload)
    }

    private static func sum(_ lhs: Parts, _ rhs: Parts) -> Decimal128 {
        var (upper, lower) = lhs.exponent >= rhs.exponent ? (lhs, rhs) : (rhs, lhs)
        var hasTail = false

        // First, the operand with the greater exponent gets trailing zeros, up to 37 digits. If
        // that does not align the two, it is at least 10^36, and the other operand loses digits
        // instead. What remains of that one is below 10^33, so sums and differences stay within
        // 36 to 38 digits.
        if upper.coefficient == 0 { upper.exponent = lower.exponent }
        let padding = Swift.min(upper.exponent - lower.exponent, 37 - digitCount(upper.coefficient))
        upper.coefficient *= powerOfTen(padding)
        upper.exponent -= padding
        let cut = upper.exponent - lower.exponent
        if cut > 0 {
            let unit = powerOfTen(Swift.min(cut, 38))
            let (kept, lost) = lower.coefficient.quotientAndRemainder(dividingBy: unit)
            lower.coefficient = kept
            hasTail = lost != 0
        }

        guard upper.isNegative != lower.isNegative else {
            return rounded(
                isNegative: upper.isNegative, coefficient: upper.coefficient + lower.coefficient,
                exponent: upper.exponent, hasTail: hasTail
            ).value
        }
        if upper.coefficient == lower.coefficient, !hasTail {
            return rounded(isNegative: false, coefficient: 0, exponent: upper.exponent).value
        }
        if upper.coefficient > lower.coefficient {
            // upper - (lower + tail) = (upper - lower - 1) + (1 - tail)
            let difference = upper.coefficient - lower.coefficient - (hasTail ? 1 : 0)
            return rounded(
                isNegative: upper.isNegative, coefficient: difference, exponent: upper.exponent,
                hasTail: hasTail
            ).value
        }
        return rounded(
            isNegative: lower.isNegative, coefficient: lower.coefficient - upper.coefficient,
            exponent: upper.exponent
        ).value
    }

    private static func product(_ lhs: Parts, _ rhs: Parts, isNegative: Bool) -> Decimal128 {
        let exponent = lhs.exponent + rhs.exponent
        let (high, low) = lhs.coefficient.multipliedFullWidth(by: rhs.coefficient)
        if high == 0 {
            return rounded(isNegative: isNegative, coefficient: UInt128(low), exponent: exponent)
                .value
        }
        // The product has as many digits as its factors together, or one less: dividing leaves
        // 36 or 37.
        let excess = digitCount(lhs.coefficient) + digitCount(rhs.coefficient) - 37
        let (quotient, remainder) = powerOfTen(excess).dividingFullWidth((high, low))
        return rounded(
            isNegative: isNegative, coefficient: quotient, exponent: exponent + excess,
            hasTail: remainder != 0
        ).value
    }

    private static func quotient(_ lhs: Parts, _ rhs: Parts, isNegative: Bool) -> Decimal128 {
        let preferred = lhs.exponent - rhs.exponent
        if rhs.coefficient == 0 {
            return lhs.coefficient == 0 ? .nan : .infinity(isNegative: isNegative)
        }
        if lhs.coefficient == 0 {
            return rounded(isNegative: isNegative, coefficient: 0, exponent: preferred).value
        }
        // The dividend gets trailing zeros: first up to 37 digits, then as many as give a
        // quotient of 36 or 37 digits.
        let padding = 37 - digitCount(lhs.coefficient)
        let widening = digitCount(rhs.coefficient) - 1
        let dividend = (lhs.coefficient * powerOfTen(padding)).multipliedFullWidth(
            by: powerOfTen(widening))
        var (quotient, remainder) = rhs.coefficient.dividingFullWidth(dividend)
        var exponent = preferred - padding - widening
        if remainder == 0 {
            while exponent < preferred {
                let (tenth, digit) = quotient.quotientAndRemainder(dividingBy: 10)
                guard digit == 0 else { break }
                quotient = tenth
                exponent += 1
            }
        }
        return rounded(
            isNegative: isNegative, coefficient: quotient, exponent: exponent,
            hasTail: remainder != 0
        ).value
    }
}
