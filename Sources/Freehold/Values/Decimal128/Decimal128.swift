/// A 128-bit decimal floating-point number: 34 digits, exponents from -6143 to 6144, as IEEE
/// 754-2008 defines it.
///
/// Decimal fractions such as 0.1 are exact. Arithmetic rounds to 34 digits, halves to even.
/// Foundation's `Decimal` differs: it has up to 38 digits but exponents only from -128 to 127.
///
/// ## Equality and order
/// `==`, `<` and hashing follow one total order, so that numbers can be keys and can be sorted:
///
///     every NaN < -infinity < negative numbers < zero < positive numbers < +infinity
///
/// Values decide, not representations: `1.0 == 1.00`, `-0 == 0`, and equal numbers hash
/// equally. A NaN equals every NaN, as in Realm, and unlike `Double`. For IEEE 754's
/// comparisons, in which a NaN is unordered, use ``isEqual(to:)``, ``isLess(than:)`` and
/// ``isLessThanOrEqualTo(_:)``.
///
/// ## Representation
/// 1.0 and 1.00 are equal, yet print differently. Results have the exponent that IEEE 754
/// prefers, for example `1.20 + 1.3 = 2.50`. Stored values keep their representation.
///
/// Realm's `Decimal128` is a class. This one is a struct of 16 bytes: it is never allocated, it
/// can be sent to any thread, and code written for the class compiles unchanged.
///
/// Thread rule: an immutable value; use it anywhere.
public struct Decimal128: Sendable, BitwiseCopyable {
    /// The upper half of the IEEE 754 interchange format with binary integer significand: the
    /// sign, the exponent and the significand's upper bits.
    package let highBits: UInt64
    /// The lower half: the significand's lower 64 bits.
    package let lowBits: UInt64

    /// Makes the number with these bits. Never fails: IEEE 754 gives every pattern a value, and
    /// a significand of more than 34 digits counts as zero.
    package init(highBits: UInt64, lowBits: UInt64) {
        self.highBits = highBits
        self.lowBits = lowBits
    }

    /// Zero.
    public init() { self = .zero }
}

// MARK: - Constants

extension Decimal128 {
    /// Zero, with exponent 0.
    public static var zero: Decimal128 {
        Decimal128(isNegative: false, exponent: 0, coefficient: 0)
    }

    /// The most negative finite number, -9.999999999999999999999999999999999E6144.
    public static var min: Decimal128 {
        Decimal128(isNegative: true, exponent: maximumExponent, coefficient: maximumCoefficient)
    }

    /// The greatest finite number, 9.999999999999999999999999999999999E6144.
    public static var max: Decimal128 {
        Decimal128(isNegative: false, exponent: maximumExponent, coefficient: maximumCoefficient)
    }

    /// Positive infinity.
    public static var infinity: Decimal128 { Decimal128(highBits: Layout.infinity, lowBits: 0) }

    /// A quiet NaN without payload.
    public static var nan: Decimal128 { Decimal128(highBits: Layout.quietNaN, lowBits: 0) }

    /// A signaling NaN without payload. Arithmetic treats it as a quiet one.
    public static var signalingNaN: Decimal128 {
        Decimal128(highBits: Layout.signalingNaN, lowBits: 0)
    }
}

// MARK: - Classification

extension Decimal128 {
    /// Whether the value is a NaN, quiet or signaling.
    public var isNaN: Bool { highBits & Layout.quietNaN == Layout.quietNaN }

    /// Whether the value is a signaling NaN.
    public var isSignalingNaN: Bool { highBits & Layout.signalingNaN == Layout.signalingNaN }

    /// Whether the value is a signaling NaN, as ``isSignalingNaN``.
    public var isSignaling: Bool { isSignalingNaN }

    /// Whether the value is positive or negative infinity.
    public var isInfinite: Bool { highBits & Layout.quietNaN == Layout.infinity }

    /// Whether the value is neither infinite nor a NaN.
    public var isFinite: Bool { highBits & Layout.infinity != Layout.infinity }

    /// Whether the value is zero, of either sign.
    public var isZero: Bool { isFinite && parts.coefficient == 0 }

    /// Whether the sign is minus. Negative zero and NaNs have a sign too.
    public var isNegative: Bool { highBits & Layout.sign != 0 }
}
