/// The numeric order of decimal128 values in the binary integer encoding (IEEE 754-2008, BID).
///
/// Equal numbers have many encodings (1.0 and 1.00 are a cohort), so neither the bits nor their
/// parts sort like the numbers. But every number has one form whose coefficient has 34 digits.
/// In that form, magnitudes sort by (exponent, coefficient). A coefficient takes 113 bits, an
/// exponent 14, the sign one: exactly 128. So each value has a `UInt128` key whose unsigned
/// order is the numeric order. Comparisons, ranges and sorts of decimals use these keys.
package enum DecimalOrder {
    /// The key of every NaN, below all others.
    package static let notANumber: UInt128 = 0
    /// The key of negative infinity, the smallest except NaN's.
    package static var negativeInfinity: UInt128 { zero - infinityMagnitude }
    /// The key of infinity, the largest.
    package static var infinity: UInt128 { zero + infinityMagnitude }

    private static let zero: UInt128 = 1 << 127
    private static let infinityMagnitude: UInt128 = 0x3FFF << 113

    /// Returns a key that sorts numerically: NaN first, then negative infinity. The members of
    /// a cohort have the same key, and so do the two zeros. O(1).
    package static func key(low: UInt64, high: UInt64) -> UInt128 {
        let isNegative = high >> 63 != 0
        let magnitude: UInt128
        if high >> 61 & 3 == 3 {
            if high >> 58 & 0x1F == 0x1F { return notANumber }
            if high >> 58 & 0x1F == 0x1E {
                magnitude = infinityMagnitude
            } else {
                // The coefficient would exceed 10^34 - 1: not canonical, so it reads as zero.
                return zero
            }
        } else {
            let coefficient = UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low)
            if coefficient == 0 || coefficient >= powersOfTen[34] { return zero }
            let missing = 34 - digitCount(of: coefficient)
            let exponent = Int(high >> 49 & 0x3FFF) - missing + 34
            magnitude = UInt128(exponent) << 113 | coefficient * powersOfTen[missing]
        }
        return isNegative ? zero - magnitude : zero + magnitude
    }

    /// The key of an integer. O(1).
    package static func key(_ value: Int64) -> UInt128 {
        key(low: value.magnitude, high: 6176 << 49 | (value < 0 ? 1 << 63 : 0))
    }

    /// The key of a double, to compare it with integers and decimals. A whole number in the
    /// range of `Int64` counts as that number, any other double as the shortest decimal that
    /// reads back as it. O(1).
    package static func key(ofDouble value: Double) -> UInt128 {
        if value.isNaN { return notANumber }
        if value.isInfinite { return value < 0 ? negativeInfinity : infinity }
        if let whole = Int64(exactly: value) { return key(whole) }
        let (coefficient, exponent) = shortest(value.magnitude)
        return key(
            low: coefficient, high: UInt64(6176 + exponent) << 49 | (value < 0 ? 1 << 63 : 0))
    }

    /// The shortest decimal that reads back as the same double, which must be finite and not
    /// negative.
    static func shortest(_ value: Double) -> (coefficient: UInt64, exponent: Int) {
        var coefficient: UInt64 = 0
        var exponent = 0
        var isFraction = false
        var text = "\(value)"[...]
        if let mark = text.firstIndex(of: "e") {
            exponent = Int(text[text.index(after: mark)...]) ?? 0
            text = text[..<mark]
        }
        for digit in text.utf8 {
            if digit == UInt8(ascii: ".") {
                isFraction = true
            } else {
                coefficient = coefficient * 10 + UInt64(digit - UInt8(ascii: "0"))
                if isFraction { exponent -= 1 }
            }
        }
        return (coefficient, exponent)
    }

    /// Compares two decimals: negative, zero or positive. O(1).
    package static func compare(_ a: (low: UInt64, high: UInt64), _ b: (low: UInt64, high: UInt64))
        -> Int
    {
        let first = key(low: a.low, high: a.high)
        let second = key(low: b.low, high: b.high)
        return first == second ? 0 : first < second ? -1 : 1
    }

    private static func digitCount(of value: UInt128) -> Int {
        // 1233/4096 is log10(2) to five digits, so the estimate is right or one too low.
        let estimate = ((128 - value.leadingZeroBitCount) * 1233) >> 12
        return value >= powersOfTen[estimate] ? estimate + 1 : estimate
    }

    private static let powersOfTen: ContiguousArray<UInt128> = {
        var powers: ContiguousArray<UInt128> = [1]
        for _ in 1...34 { powers.append(powers[powers.count - 1] * 10) }
        return powers
    }()
}
