extension Decimal128 {
    private static let powersOfTen: [UInt128] = (0...38).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }

    /// 10 to the given power, which is at most 38.
    static func powerOfTen(_ exponent: Int) -> UInt128 { powersOfTen[exponent] }

    /// The number of decimal digits, from 1 to 39. Zero has one.
    static func digitCount(_ value: UInt128) -> Int {
        // 1233/4096 is just below log10(2), so this is the number of digits or one less, for
        // every width to 128 bits.
        let atLeast = ((UInt128.bitWidth - value.leadingZeroBitCount) * 1233) >> 12
        return Swift.max(1, value >= powersOfTen[atLeast] ? atLeast + 1 : atLeast)
    }

    /// Rounds a number of any size to the format: halves to even, to infinity if it is too
    /// great, to a subnormal number or zero if it is too small.
    ///
    /// The exponent is kept if it can be; otherwise it changes as little as it can.
    ///
    /// - Parameters:
    ///   - hasTail: The number lies strictly between `coefficient` and `coefficient + 1`. The
    ///     coefficient must then have at least 36 digits, for the tail only says on which side
    ///     of a half the number lies.
    /// - Returns: The result and whether it equals the number.
    static func rounded(
        isNegative: Bool, coefficient: UInt128, exponent: Int, hasTail: Bool = false
    ) -> (value: Decimal128, isExact: Bool) {
        var coefficient = coefficient
        var exponent = exponent
        if coefficient == 0 {
            assert(!hasTail)
            exponent = Swift.min(Swift.max(exponent, minimumExponent), maximumExponent)
            return (Decimal128(isNegative: isNegative, exponent: exponent, coefficient: 0), true)
        }
        var digits = digitCount(coefficient)
        assert(!hasTail || digits > precision + 1)
        var isExact = !hasTail

        let excess = Swift.max(digits - precision, minimumExponent - exponent)
        if excess > 38 {
            // 2^128 is less than half of 10^39.
            return (
                Decimal128(isNegative: isNegative, exponent: minimumExponent, coefficient: 0), false
            )
        }
        if excess > 0 {
            let unit = powersOfTen[excess]
            let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: unit)
            let half = unit / 2
            let roundsUp = remainder > half || remainder == half && (hasTail || quotient & 1 == 1)
            coefficient = roundsUp ? quotient + 1 : quotient
            exponent += excess
            isExact = isExact && remainder == 0
            if coefficient > maximumCoefficient {
                coefficient = powersOfTen[precision - 1]
                exponent += 1
            }
            digits = digitCount(coefficient)
        }

        if exponent > maximumExponent {
            let padding = exponent - maximumExponent
            guard digits + padding <= precision else {
                return (.infinity(isNegative: isNegative), false)
            }
            coefficient *= powersOfTen[padding]
            exponent = maximumExponent
        }
        return (
            Decimal128(isNegative: isNegative, exponent: exponent, coefficient: coefficient),
            isExact
        )
    }
}
