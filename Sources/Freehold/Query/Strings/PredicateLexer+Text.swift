extension PredicateLexer {
    /// Scans a text between quotation marks of either kind.
    ///
    /// Escapes: `\"`, `\'`, `\\`, `\/`, `\n`, `\r`, `\t`, `\b`, `\f`, `\v`, `\a`, `\0`, `\x41`,
    /// `\u0041` (two of them for a character beyond 16 bits). Placeholders have no meaning
    /// between quotation marks.
    mutating func scanText() throws(RealmPredicateError) -> String {
        let start = position
        let quote = bytes[position]
        position += 1
        var result: [UInt8] = []
        while let byte = peek() {
            position += 1
            if byte == quote { return String(decoding: result, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                result.append(contentsOf: String(try scanEscape()).utf8)
            } else {
                result.append(byte)
            }
        }
        throw error(
            "the text that begins here does not end: expected \(Character(Unicode.Scalar(quote))).",
            at: start)
    }

    /// Returns the scalar of an escape; the position is after its backslash.
    private mutating func scanEscape() throws(RealmPredicateError) -> Unicode.Scalar {
        let start = position - 1
        guard let byte = peek() else {
            throw error("expected a character after the backslash.", at: start)
        }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return Unicode.Scalar(byte)
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "v"): return "\u{b}"
        case UInt8(ascii: "a"): return "\u{7}"
        case UInt8(ascii: "0"): return "\0"
        case UInt8(ascii: "x"): return Unicode.Scalar(UInt8(try scanHexadecimal(2, start)))
        case UInt8(ascii: "u"): return try scanUnicodeEscape(start)
        default:
            position -= 1
            let character = scalar().map { String(Character($0.scalar)) } ?? ""
            throw error(
                "unknown escape '\\\(character)'.", at: start,
                remedy: "Write \\\\ for a backslash, or pass the text as an argument: %@.")
        }
    }

    private mutating func scanUnicodeEscape(_ start: Int) throws(RealmPredicateError)
        -> Unicode.Scalar
    {
        let first = try scanHexadecimal(4, start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        if first < 0xDC00, peek() == UInt8(ascii: "\\"), peek(1) == UInt8(ascii: "u") {
            position += 2
            let second = try scanHexadecimal(4, start)
            if (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar((first - 0xD800) << 10 + (second - 0xDC00) + 0x10000)
            {
                return scalar
            }
        }
        throw error("half a surrogate pair is no character.", at: start)
    }

    private mutating func scanHexadecimal(_ digits: Int, _ start: Int) throws(RealmPredicateError)
        -> UInt32
    {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue
            else { throw error("expected \(digits) hexadecimal digits.", at: start) }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
