public import Foundation

extension Decimal128 {
    /// Converts a value of one of these types, or an optional that holds one:
    /// - every integer and floating-point type, `Decimal`, `NSNumber` and `Decimal128`;
    /// - `Bool`, as 0 or 1;
    /// - `String`, `Substring` and `NSString`;
    /// - `NSNull`, as a signalling NaN.
    ///
    /// Traps if the value is of another type, or a string that ``init(string:)`` does not accept.
    public init(value: Any) {
        switch value {
        case let value as Decimal128: self = value
        case is NSNull: self = .nan(isNegative: false, isSignaling: true, payload: 0)
        // The existentials come first: a cast to one does not bridge. Foundation bridges numbers
        // to and from `NSNumber`, which could change their type.
        case let value as any BinaryInteger: self.init(value)
        case let value as any BinaryFloatingPoint:
            self = (value as? Float).map { Decimal128($0) } ?? Decimal128(Double(value))
        case let value as String: self.init(stringLiteral: value)
        case let value as Substring: self.init(stringLiteral: String(value))
        case let value as NSNumber: self.init(number: value)
        case let value as NSString: self.init(stringLiteral: value as String)
        case let value as Decimal: self.init(value)
        case let value as Bool: self.init(value ? 1 : 0)
        default:
            fatalError("Cannot convert value '\(value)' of type '\(type(of: value))' to decimal128")
        }
    }

    /// Converts a number: an integer exactly, a floating-point number as the shortest decimal
    /// that reads back as it, an `NSDecimalNumber` as ``init(_:)-(Decimal)`` does.
    public init(number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self.init(decimal.decimalValue)
            return
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"): self.init(number.doubleValue)
        case UInt8(ascii: "f"): self.init(number.floatValue)
        case UInt8(ascii: "Q"), UInt8(ascii: "L"): self.init(number.uint64Value)
        default: self.init(number.int64Value)
        }
    }

    /// The decimal number, rounded to 34 digits, halves to even. A NaN stays one.
    public init(_ value: Decimal) {
        // Foundation prints every digit, in ASCII and without an exponent.
        self = value.isNaN ? .nan : Decimal128(stringLiteral: value.description)
    }

    /// The number as Foundation's `Decimal`, which has more digits but a lesser range.
    ///
    /// Exact between 10⁻¹²⁸ and 10¹⁶⁵ unless the last digits lie below 10⁻¹²⁸; those are
    /// rounded away, halves to even. Greater numbers, infinities and NaNs are `Decimal.nan`.
    public var decimalValue: Decimal {
        guard isFinite else { return .nan }
        var parts = parts
        if parts.exponent < -128 {
            let (quotient, remainder) = parts.coefficient.quotientAndRemainder(
                dividingBy: Self.powerOfTen(Swift.min(-128 - parts.exponent, 38)))
            let half = Self.powerOfTen(Swift.min(-128 - parts.exponent, 38)) / 2
            parts.coefficient =
                quotient + (remainder > half || remainder == half && quotient & 1 == 1 ? 1 : 0)
            parts.exponent = -128
        }
        guard parts.coefficient != 0 else { return .zero }
        if parts.exponent > 127 {
            let padding = parts.exponent - 127
            guard Self.digitCount(parts.coefficient) + padding <= 38 else { return .nan }
            parts.coefficient *= Self.powerOfTen(padding)
            parts.exponent = 127
        }
        // At most 38 digits and an exponent from -128 to 127 are always a valid decimal.
        return Decimal(
            string: "\(parts.isNegative ? "-" : "")\(parts.coefficient)e\(parts.exponent)")!
    }
}
