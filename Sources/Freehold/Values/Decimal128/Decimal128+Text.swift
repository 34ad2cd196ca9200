extension Decimal128 {
    /// Reads a number.
    ///
    ///     number    = [sign] (digits ["." [digits]] | "." digits) [("e" | "E") [sign] digits]
    ///               | [sign] ("Infinity" | "Inf")
    ///               | [sign] ("NaN" | "sNaN") [digits]
    ///
    /// Case does not matter; spaces and separators are not allowed. The exponent is kept as
    /// written: the ``stringValue`` of "1.50" is 1.50. More than 34 digits round to 34, halves to
    /// even. Numbers beyond the range become infinite, subnormal or zero. The digits after NaN
    /// are its payload, at most 33 after leading zeros.
    ///
    /// Linear in the length of the string.
    ///
    /// - Throws: ``ValueFormatError`` if the string is not of that form.
    public init(string: String) throws {
        var copy = string
        guard let value = copy.withUTF8({ Decimal128(text: $0) }) else {
            throw ValueFormatError(text: string, message: Self.malformed(string))
        }
        self = value
    }

    /// The number as text, for example `-12.50`, `0`, `1.5E-9`, `3E10`, `Infinity`, `NaN`. Digits
    /// and a point are used if the exponent is not positive and the number is at least 0.000001;
    /// otherwise scientific notation.
    ///
    /// Reading the text back gives the same bits, including zeros at the end of a fraction;
    /// ``description`` leaves these out.
    public var stringValue: String {
        if isFinite { return Self.text(of: parts) }
        let sign = isNegative ? "-" : ""
        if isInfinite { return sign + "Infinity" }
        let payload = payload
        return sign + (isSignalingNaN ? "sNaN" : "NaN") + (payload == 0 ? "" : String(payload))
    }

    private static func text(of parts: Parts) -> String {
        let sign = parts.isNegative ? "-" : ""
        let digits = String(parts.coefficient)
        let count = digits.utf8.count
        let adjusted = parts.exponent + count - 1
        if parts.exponent <= 0, adjusted >= -6 {
            let whole = count + parts.exponent
            if parts.exponent == 0 { return sign + digits }
            if whole > 0 { return sign + digits.prefix(whole) + "." + digits.suffix(count - whole) }
            return sign + "0." + String(repeating: "0", count: -whole) + digits
        }
        let fraction = count > 1 ? "." + digits.dropFirst() : ""
        return sign + digits.prefix(1) + fraction + "E" + String(adjusted)
    }

    static func malformed(_ text: String) -> String {
        """
        Invalid Decimal128 string '\(text)': must be a decimal number such as '-12.50' or \
        '1.5E-9', 'Infinity' or 'NaN'
        """
    }
}

extension Decimal128: CustomStringConvertible {
    /// The number as text without zeros at the end of a fraction, as Realm prints it: `1.5` for
    /// "1.50".
    ///
    /// Reading it back gives an equal number. ``stringValue`` keeps the zeros.
    public var description: String {
        guard isFinite else { return stringValue }
        var parts = parts
        // The digits behind the point: those of scientific notation are all but the first.
        var fraction =
            parts.exponent > 0 ? String(parts.coefficient).utf8.count - 1 : -parts.exponent
        while fraction > 0, parts.coefficient % 10 == 0 {
            parts.coefficient /= 10
            parts.exponent += 1
            fraction -= 1
        }
        return Self.text(of: parts)
    }
}

extension Decimal128: ExpressibleByStringLiteral {
    /// Reads a literal as ``init(string:)`` does. Traps if it is malformed.
    public init(stringLiteral value: String) {
        var copy = value
        guard let number = copy.withUTF8({ Decimal128(text: $0) }) else {
            fatalError(Self.malformed(value))
        }
        self = number
    }
}

// MARK: - Reading

extension Decimal128 {
    private init?(text: UnsafeBufferPointer<UInt8>) {
        var text = text[...]
        let isNegative = text.first == UInt8(ascii: "-")
        if isNegative || text.first == UInt8(ascii: "+") { text = text.dropFirst() }
        guard let first = text.first else { return nil }
        let startsNumber = first == UInt8(ascii: ".") || Self.digit(first) != nil
        guard
            let value = startsNumber
                ? Self.number(text, isNegative: isNegative)
                : Self.special(text, isNegative: isNegative)
        else { return nil }
        self = value
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        let digit = character &- UInt8(ascii: "0")
        return digit < 10 ? digit : nil
    }

    private static func number(_ text: Slice<UnsafeBufferPointer<UInt8>>, isNegative: Bool)
        -> Decimal128?
    {
        // Keeps the first 37 significant digits. Of the others, only their number matters, and
        // whether any is not zero.
        var coefficient: UInt128 = 0
        var exponent = 0
        var hasTail = false
        var sawDigit = false
        var sawPoint = false
        var rest = text
        while let character = rest.first {
            if let digit = digit(character) {
                sawDigit = true
                if coefficient < powerOfTen(36) {
                    coefficient = coefficient * 10 + UInt128(digit)
                } else {
                    hasTail = hasTail || digit != 0
                    exponent += 1
                }
                if sawPoint { exponent -= 1 }
            } else if character == UInt8(ascii: "."), !sawPoint {
                sawPoint = true
            } else {
                break
            }
            rest = rest.dropFirst()
        }
        guard sawDigit else { return nil }
        if let marker = rest.first {
            guard marker | 0x20 == UInt8(ascii: "e"), let power = power(rest.dropFirst()) else {
                return nil
            }
            exponent += power
        }
        return rounded(
            isNegative: isNegative, coefficient: coefficient, exponent: exponent, hasTail: hasTail
        ).value
    }

    /// Reads what follows the "e". Saturates far beyond the range, where every number is infinite
    /// or zero anyway.
    private static func power(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative || text.first == UInt8(ascii: "+") ? text.dropFirst() : text
        guard !digits.isEmpty else { return nil }
        var power = 0
        for character in digits {
            guard let digit = digit(character) else { return nil }
            power = Swift.min(power * 10 + Int(digit), 1 << 56)
        }
        return isNegative ? -power : power
    }

    private static func special(_ text: Slice<UnsafeBufferPointer<UInt8>>, isNegative: Bool)
        -> Decimal128?
    {
        func isText(_ expected: StaticString, _ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
            expected.withUTF8Buffer { $0.elementsEqual(text) { $0 == $1 | 0x20 } }
        }
        if isText("inf", text) || isText("infinity", text) {
            return .infinity(isNegative: isNegative)
        }
        let isSignaling = text.first.map { $0 | 0x20 } == UInt8(ascii: "s")
        let name = isSignaling ? text.dropFirst() : text
        guard isText("nan", name.prefix(3)) else { return nil }
        var payload: UInt128 = 0
        for character in name.dropFirst(3) {
            guard let digit = digit(character) else { return nil }
            payload = payload * 10 + UInt128(digit)
            guard payload < powerOfTen(33) else { return nil }
        }
        return .nan(isNegative: isNegative, isSignaling: isSignaling, payload: payload)
    }
}
