/// Splits a predicate's string into tokens.
///
/// The string is UTF-8 that Swift has validated; offsets count its bytes.
struct PredicateLexer {
    let format: String
    let bytes: [UInt8]
    var position = 0

    init(_ format: String) {
        self.format = format
        bytes = Array(format.utf8)
    }

    /// Returns the next token; ``PredicateToken/end`` after the last one.
    mutating func next() throws(RealmPredicateError) -> LocatedToken {
        skipSpace()
        let start = position
        let token = try scan()
        return LocatedToken(token: token, start: start, end: position)
    }

    private mutating func scan() throws(RealmPredicateError) -> PredicateToken {
        guard let byte = peek() else { return .end }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .constant(.string(try scanText()))
        case UInt8(ascii: "#"): return .quotedName(try scanQuotedName())
        case UInt8(ascii: "$"): return try scanDollar()
        case UInt8(ascii: "%"): return try scanPlaceholder()
        default: break
        }
        if startsNumber() { return .constant(try scanNumberOrDate()) }
        if let word = scanWord() { return try scanWordOrLiteral(word) }
        for (symbol, bytes) in PredicateSymbol.byLength where has(bytes) {
            position += bytes.count
            return .symbol(symbol)
        }
        throw unexpectedCharacter()
    }

    private func unexpectedCharacter() -> RealmPredicateError {
        let start = format.utf8.index(format.utf8.startIndex, offsetBy: position)
        let character = format[start...].first.map(String.init) ?? ""
        let isQuote = "“”‘’„«»`´".contains(character)
        return error(
            "unexpected character '\(character)'.", at: position,
            remedy: isQuote
                ? "Put text between \" or ', or pass it as an argument: name == %@." : nil)
    }
}

// MARK: - Bytes

extension PredicateLexer {
    func peek(_ distance: Int = 0) -> UInt8? {
        let index = position + distance
        return index < bytes.count ? bytes[index] : nil
    }

    func has(_ other: [UInt8]) -> Bool {
        position + other.count <= bytes.count
            && bytes[position..<position + other.count].elementsEqual(other)
    }

    /// Returns a part of the string. Both ends are at ASCII characters, or at the ends of the
    /// string.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Returns the scalar at the position, and its number of bytes.
    func scalar() -> (scalar: Unicode.Scalar, length: Int)? {
        guard let byte = peek() else { return nil }
        if byte < 0x80 { return (Unicode.Scalar(byte), 1) }
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
        guard position + length <= bytes.count,
            let scalar = text(position..<position + length).unicodeScalars.first
        else { return nil }
        return (scalar, length)
    }

    private mutating func skipSpace() {
        while let (scalar, length) = scalar(),
            scalar.properties.isWhitespace || scalar.value == 0xFEFF
        { position += length }
    }

    /// Scans a word: letters, digits, underscores and emoji of all of Unicode. It does not begin
    /// with a digit.
    mutating func scanWord() -> String? {
        let start = position
        while let (scalar, length) = scalar() {
            let fits =
                scalar == "_"
                || (position == start
                    ? scalar.properties.isXIDStart : scalar.properties.isXIDContinue)
            if !fits, scalar.value < 0x80 || !scalar.isPartOfEmoji(atStart: position == start) {
                break
            }
            position += length
        }
        return position == start ? nil : text(start..<position)
    }

    mutating func scanDigits() -> Range<Int> {
        let start = position
        while let byte = peek(), byte.isDigit { position += 1 }
        return start..<position
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is an emoji, or joins or modifies the emoji before it.
    fileprivate func isPartOfEmoji(atStart: Bool) -> Bool {
        if properties.generalCategory == .otherSymbol || properties.isEmojiModifier { return true }
        // Joiners, keycaps, and the tags of flags.
        return !atStart
            && (value == 0x200D || value == 0x20E3 || (0xE0020...0xE007F).contains(value))
    }
}

extension UInt8 {
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}

// MARK: - Names and arguments

extension PredicateLexer {
    private mutating func scanQuotedName() throws(RealmPredicateError) -> String {
        position += 1
        if peek() == UInt8(ascii: "\"") || peek() == UInt8(ascii: "'") { return try scanText() }
        if let word = scanWord() { return word }
        throw error("expected a property's name after '#'.", at: position)
    }

    private mutating func scanDollar() throws(RealmPredicateError) -> PredicateToken {
        let start = position
        position += 1
        if peek()?.isDigit ?? false { return .argument(try argumentPosition(scanDigits(), start)) }
        if peek() == UInt8(ascii: "K"), peek(1)?.isDigit ?? false {
            position += 1
            return .keyPathArgument(try argumentPosition(scanDigits(), start))
        }
        if let word = scanWord() { return .variable(word) }
        throw error(
            "expected the position of an argument or a variable's name after '$'.", at: position)
    }

    private func argumentPosition(_ digits: Range<Int>, _ start: Int) throws(RealmPredicateError)
        -> Int
    {
        guard let position = Int(text(digits)) else {
            throw error(
                "'\(text(start..<digits.upperBound))' is too great for a position.", at: start)
        }
        return position
    }

    /// Scans the letters of C's `printf`, including its length modifiers for numbers.
    private mutating func scanPlaceholder() throws(RealmPredicateError) -> PredicateToken {
        let start = position
        position += 1
        switch peek() {
        case UInt8(ascii: "@"):
            position += 1
            return .placeholder(.value)
        case UInt8(ascii: "K"):
            position += 1
            return .placeholder(.keyPath)
        case UInt8(ascii: "%"):
            position += 1
            return .symbol(.remainder)
        default: break
        }
        let letters = position
        while let byte = peek(), "hlqjzt".utf8.contains(byte) { position += 1 }
        guard let conversion = peek() else { throw unknownPlaceholder(start) }
        position += 1
        switch conversion {
        case UInt8(ascii: "d"), UInt8(ascii: "D"), UInt8(ascii: "i"), UInt8(ascii: "u"),
            UInt8(ascii: "U"), UInt8(ascii: "x"), UInt8(ascii: "X"),
            UInt8(ascii: "o"), UInt8(ascii: "O"):
            return .placeholder(.integer(text(letters..<position)))
        case UInt8(ascii: "f"), UInt8(ascii: "F"), UInt8(ascii: "e"), UInt8(ascii: "E"),
            UInt8(ascii: "g"), UInt8(ascii: "G"), UInt8(ascii: "a"),
            UInt8(ascii: "A"):
            return .placeholder(.floating(text(letters..<position)))
        case UInt8(ascii: "s"), UInt8(ascii: "S"):
            return .placeholder(.text(text(letters..<position)))
        default: throw unknownPlaceholder(start)
        }
    }

    private func unknownPlaceholder(_ start: Int) -> RealmPredicateError {
        error(
            "expected %@, %K, %d, %f or %s.", at: start,
            remedy: """
                Use %@ for every value and %K for key paths. A percent sign of a text goes \
                between quotation marks.
                """)
    }
}

// MARK: - Errors

extension PredicateLexer {
    func error(_ detail: String, at offset: Int, remedy: String? = nil) -> RealmPredicateError {
        RealmPredicateError(
            .syntax, PredicateLexer.message(format), in: format, at: offset, detail: detail,
            remedy: remedy ?? "The documentation's page \"Predicate strings\" has the grammar.")
    }

    /// Returns Foundation's message for every wrong string.
    static func message(_ format: String) -> String {
        let shown = format.prefix(200)
        return """
            Unable to parse the format string \
            "\(shown)\(shown.endIndex == format.endIndex ? "" : "…")"
            """
    }
}
