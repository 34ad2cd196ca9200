// The interchange format, in the encoding with binary integer significand:
//
//     bit 127   126 ......... 113   112 ........ 0
//        sign   exponent + 6176     significand           bits 126-125 are not both set
//
//     bit 127   1 1   124 .... 111   110 ........ 0
//        sign         exponent       100 and these        zero: the significand is over 10^34 - 1
//
//     bit 127   1 1 1 1 0  ...                            infinity
//     bit 127   1 1 1 1 1 s ...  109 ........ 0           NaN, signaling if s; payload below 10^33
//
// The number is (-1)^sign * significand * 10^exponent, with the exponent from -6176 to 6111.

extension Decimal128 {
    /// Bits of the upper half.
    enum Layout {
        static let sign: UInt64 = 1 << 63
        static let wideSignificand: UInt64 = 0b11 << 61
        static let infinity: UInt64 = 0b1111 << 59
        static let quietNaN: UInt64 = 0b11111 << 58
        static let signalingNaN: UInt64 = 0b111111 << 57
        static let payload: UInt64 = 1 << 46 - 1
        static let exponentShift = 49
        static let exponentMask: UInt64 = 1 << 14 - 1
    }

    /// The number of significant digits.
    static let precision = 34
    /// The exponent of the significand's last digit: its least value. It is also the bias, negated.
    static let minimumExponent = -6176
    /// The exponent of the significand's last digit: its greatest value.
    static let maximumExponent = 6111
    /// 34 nines.
    static let maximumCoefficient: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999

    /// A finite number taken apart: (-1)^`isNegative` * `coefficient` * 10^`exponent`.
    struct Parts {
        var isNegative: Bool
        var exponent: Int
        var coefficient: UInt128
    }

    /// The parts of a finite number. The caller has excluded infinities and NaNs.
    var parts: Parts {
        assert(isFinite)
        guard highBits & Layout.wideSignificand != Layout.wideSignificand else {
            let biased = Int(highBits >> (Layout.exponentShift - 2) & Layout.exponentMask)
            return Parts(
                isNegative: isNegative, exponent: biased + Self.minimumExponent, coefficient: 0)
        }
        let biased = Int(highBits >> Layout.exponentShift & Layout.exponentMask)
        let coefficient =
            UInt128(highBits & (1 << Layout.exponentShift - 1)) << 64 | UInt128(lowBits)
        return Parts(
            isNegative: isNegative, exponent: biased + Self.minimumExponent,
            coefficient: coefficient <= Self.maximumCoefficient ? coefficient : 0)
    }

    /// Encodes parts that the caller knows to be in range: at most 34 digits, and an exponent
    /// from -6176 to 6111.
    init(isNegative: Bool, exponent: Int, coefficient: UInt128) {
        assert(coefficient <= Self.maximumCoefficient)
        assert((Self.minimumExponent...Self.maximumExponent).contains(exponent))
        let biased = UInt64(exponent - Self.minimumExponent)
        self.init(
            highBits: (isNegative ? Layout.sign : 0) | biased << Layout.exponentShift
                | UInt64(truncatingIfNeeded: coefficient >> 64),
            lowBits: UInt64(truncatingIfNeeded: coefficient))
    }

    /// An infinity of the given sign.
    static func infinity(isNegative: Bool) -> Decimal128 {
        Decimal128(highBits: Layout.infinity | (isNegative ? Layout.sign : 0), lowBits: 0)
    }

    /// A NaN with a payload below 10^33.
    static func nan(isNegative: Bool, isSignaling: Bool, payload: UInt128) -> Decimal128 {
        assert(payload < powerOfTen(33))
        return Decimal128(
            highBits: (isNegative ? Layout.sign : 0)
                | (isSignaling ? Layout.signalingNaN : Layout.quietNaN)
                | UInt64(truncatingIfNeeded: payload >> 64),
            lowBits: UInt64(truncatingIfNeeded: payload))
    }

    /// The payload of a NaN. One that is too great counts as zero, as IEEE 754 requires.
    var payload: UInt128 {
        assert(isNaN)
        let payload = UInt128(highBits & Layout.payload) << 64 | UInt128(lowBits)
        return payload < Self.powerOfTen(33) ? payload : 0
    }

    /// The same bits with the given sign.
    func withSign(isNegative: Bool) -> Decimal128 {
        Decimal128(
            highBits: highBits & ~Layout.sign | (isNegative ? Layout.sign : 0), lowBits: lowBits)
    }
}
