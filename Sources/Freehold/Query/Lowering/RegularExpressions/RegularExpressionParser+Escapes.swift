// Parses escapes, which begin with a backslash.

extension RegularExpressionParser {
    mutating func parseEscape() throws(RegularExpressionError) -> RegularExpressionNode {
        let start = offset
        if let set = try takeClass() { return .set(set) }
        offset += 1
        guard let scalar = current else { throw error("nothing follows the \\", at: start) }
        let assertion: RegularExpressionAssertion
        switch scalar {
        case "A", "G": assertion = .textStart
        case "Z": assertion = .lastLineEnd
        case "z": assertion = .textEnd
        case "b": assertion = .wordBoundary
        case "B": assertion = .noWordBoundary
        case "R":
            offset += 1
            return .lineEnd
        case "X": throw unsupported("\\X", at: start)
        case "k", "1"..."9": throw unsupported("a back reference", at: start)
        default:
            offset = start
            return literal(try parseEscapedScalar())
        }
        offset += 1
        if let next = current, ["*", "+", "?", "{"].contains(next) {
            throw error("there is nothing for '\(next)' to repeat")
        }
        return .assertion(assertion)
    }

    /// Parses `\d`, `\p{L}` and so on; nil if something else follows the backslash.
    mutating func takeClass() throws(RegularExpressionError) -> ScalarSet? {
        guard offset + 1 < pattern.count else { return nil }
        let property: ScalarProperty
        let letter = pattern[offset + 1]
        switch letter {
        case "d", "D": property = .digit
        case "s", "S": property = .space
        case "w", "W": property = .word
        case "h", "H": property = .horizontalSpace
        case "v", "V": property = .lineEnd
        case "p", "P": return try parseProperty(isNegated: letter == "P")
        default: return nil
        }
        offset += 2
        return ScalarSet(property, isNegated: letter.properties.isUppercase)
    }

    /// Parses `\p{L}`, `\P{Lu}`, `\p{gc=Lu}`, from the backslash on.
    private mutating func parseProperty(isNegated: Bool) throws(RegularExpressionError) -> ScalarSet
    {
        let start = offset
        offset += 2
        if !take("{") { throw error("a property is written \\p{L}", at: start) }
        let first = offset
        while let scalar = current, scalar != "}" { _ = scalar; offset += 1 }
        let name = String(String.UnicodeScalarView(pattern[first..<offset]))
        if !take("}") { throw error("a '}' is missing for this property", at: start) }
        return ScalarSet(
            try property(named: name, at: start), isNegated: isNegated, ignoresCase: ignoresCase)
    }

    func property(named name: String, at position: Int) throws(RegularExpressionError)
        -> ScalarProperty
    {
        if let property = ScalarProperty.named(name) { return property }
        throw RegularExpressionError(
            at: position, "the property '\(name.prefix(40))' is not supported",
            remedy: """
                There are general categories, as L, Lu, Nd, and properties as Alphabetic, \
                Uppercase, Emoji; scripts and blocks are ranges: [\\u0370-\\u03FF].
                """)
    }

    /// Parses a scalar that is written with a backslash, from the backslash on.
    mutating func parseEscapedScalar() throws(RegularExpressionError) -> Unicode.Scalar {
        let start = offset
        offset += 1
        guard let letter = current else { throw error("nothing follows the \\", at: start) }
        offset += 1
        switch letter {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "f": return "\u{0C}"
        case "a": return "\u{07}"
        case "e": return "\u{1B}"
        case "u": return try parseUnits(start)
        case "U": return try scalar(try parseDigits(8...8, radix: 16, start), start)
        case "x":
            if !take("{") { return try scalar(try parseDigits(1...2, radix: 16, start), start) }
            let value = try parseDigits(1...6, radix: 16, start)
            if !take("}") { throw error("a '}' is missing", at: start) }
            return try scalar(value, start)
        case "c":
            guard let control = current, control.isASCII else {
                throw error("a letter follows \\c", at: start)
            }
            offset += 1
            return try scalar(control.value & 0x1F, start)
        case "0": return try scalar(try parseDigits(1...3, radix: 8, start), start)
        default:
            if letter.isASCII,
                letter.properties.isAlphabetic || letter.properties.numericType != nil
            {
                throw unsupported("\\\(letter)", at: start)
            }
            return letter
        }
    }

    /// Parses `\u00E9`, or two of them for a scalar with two units in UTF-16.
    private mutating func parseUnits(_ start: Int) throws(RegularExpressionError) -> Unicode.Scalar
    {
        let first = try parseDigits(4...4, radix: 16, start)
        if first & 0xFC00 == 0xD800, take("\\u") {
            let second = try parseDigits(4...4, radix: 16, start)
            if second & 0xFC00 == 0xDC00 {
                return try scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF, start)
            }
        }
        return try scalar(first, start)
    }

    private mutating func parseDigits(_ count: ClosedRange<Int>, radix: UInt32, _ start: Int)
        throws(RegularExpressionError) -> UInt32
    {
        var (value, digits) = (UInt32(0), 0)
        while digits < count.upperBound, let scalar = current, scalar.isASCII,
            let digit = Character(scalar).hexDigitValue, digit < radix
        {
            (value, _) = value.multipliedReportingOverflow(by: radix)
            value |= UInt32(digit)
            digits += 1
            offset += 1
        }
        if digits < count.lowerBound {
            let expected =
                if radix == 8 {
                    "1 to 3 octal"
                } else if count.lowerBound == count.upperBound {
                    "\(count.lowerBound) hexadecimal"
                } else {
                    "hexadecimal"
                }
            throw error("\(expected) digits are missing", at: start)
        }
        return value
    }

    private func scalar(_ value: UInt32, _ start: Int) throws(RegularExpressionError)
        -> Unicode.Scalar
    {
        guard let scalar = Unicode.Scalar(value) else {
            throw error("there is no such Unicode scalar", at: start)
        }
        return scalar
    }
}
