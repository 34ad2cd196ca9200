import Foundation

// Scans numbers, dates, and literals that begin with a word.

extension PredicateLexer {
    func startsNumber() -> Bool {
        guard let byte = peek() else { return false }
        if byte.isDigit { return true }
        let next = peek(1)
        if byte == UInt8(ascii: ".") { return next?.isDigit ?? false }
        guard byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") else { return false }
        return next?.isDigit ?? false || (next == UInt8(ascii: ".") && peek(2)?.isDigit ?? false)
    }

    mutating func scanNumberOrDate() throws(RealmPredicateError) -> PredicateConstant {
        let start = position
        if let date = try scanDate() { return date }
        let isNegative = peek() == UInt8(ascii: "-")
        if isNegative || peek() == UInt8(ascii: "+") { position += 1 }
        let constant =
            if let found = try scanRadix(start, isNegative) { found } else {
                try scanDecimal(start, isNegative)
            }
        if scanWord() != nil {
            throw error(
                "'\(text(start..<position))' is no number.", at: start,
                remedy: "Put text between quotation marks. Ids are written uuid(…) and oid(…).")
        }
        return constant
    }

    /// Scans `0xFF`, `0o17`, `0b101`.
    private mutating func scanRadix(_ start: Int, _ isNegative: Bool) throws(RealmPredicateError)
        -> PredicateConstant?
    {
        guard peek() == UInt8(ascii: "0"), let letter = peek(1) else { return nil }
        let radix: Int
        switch letter {
        case UInt8(ascii: "x"), UInt8(ascii: "X"): radix = 16
        case UInt8(ascii: "o"), UInt8(ascii: "O"): radix = 8
        case UInt8(ascii: "b"), UInt8(ascii: "B"): radix = 2
        default: return nil
        }
        position += 2
        let digits = position
        while let byte = peek(), let value = Character(Unicode.Scalar(byte)).hexDigitValue,
            value < radix
        { position += 1 }
        if position == digits { throw error("expected the digits of a number.", at: position) }
        return try integer(text(digits..<position), radix: radix, isNegative, start)
    }

    private mutating func scanDecimal(_ start: Int, _ isNegative: Bool) throws(RealmPredicateError)
        -> PredicateConstant
    {
        let digits = scanDigits()
        var isInteger = true
        if peek() == UInt8(ascii: "."), peek(1)?.isDigit ?? false {
            isInteger = false
            position += 1
            _ = scanDigits()
        }
        if let byte = peek(), byte | 0x20 == UInt8(ascii: "e") {
            let hasSign = peek(1) == UInt8(ascii: "-") || peek(1) == UInt8(ascii: "+")
            if peek(hasSign ? 2 : 1)?.isDigit ?? false {
                isInteger = false
                position += hasSign ? 2 : 1
                _ = scanDigits()
            }
        }
        if isInteger { return try integer(text(digits), radix: 10, isNegative, start) }
        guard let value = Double(text(start..<position)), value.isFinite else {
            throw error(
                "'\(text(start..<position))' is too great for a number of 64 bits.", at: start,
                remedy: "Write decimal(…) for a Decimal128.")
        }
        return .double(value)
    }

    private func integer(_ digits: String, radix: Int, _ isNegative: Bool, _ start: Int)
        throws(RealmPredicateError) -> PredicateConstant
    {
        if let value = Int64((isNegative ? "-" : "") + digits, radix: radix) { return .int(value) }
        throw error(
            "'\(text(start..<position))' does not fit into 64 bits.", at: start,
            remedy: """
                Integers go from -9223372036854775808 to 9223372036854775807. Write a \
                decimal point to compare with a Double, decimal(…) for a Decimal128.
                """)
    }
}

// MARK: - Dates

extension PredicateLexer {
    /// Scans `2021-02-03@10:20:30:0`, with optional nanoseconds at the end. If no date begins
    /// here, returns nil and takes nothing.
    private mutating func scanDate() throws(RealmPredicateError) -> PredicateConstant? {
        let start = position
        var fields: [Int] = []
        for separator in [UInt8(ascii: "-"), UInt8(ascii: "-"), UInt8(ascii: "@")] {
            let digits = scanDigits()
            let isSeparated =
                peek() == separator
                || (separator == UInt8(ascii: "@") && peek() == UInt8(ascii: "T"))
            guard !digits.isEmpty, isSeparated, peek(1)?.isDigit ?? false else {
                position = start
                return nil
            }
            fields.append(Int(text(digits)) ?? .max)
            position += 1
        }
        while fields.count < 7 {
            fields.append(Int(text(scanDigits())) ?? .max)
            guard peek() == UInt8(ascii: ":"), peek(1)?.isDigit ?? false else { break }
            position += 1
        }
        guard fields.count >= 6, let date = CivilDate.date(fields) else {
            throw error(
                "'\(text(start..<position))' is no date.", at: start,
                remedy: "Dates are written 2021-02-03@10:20:30:0, in UTC, nanoseconds last.")
        }
        return .date(date)
    }

    /// Scans `T1612347630:0`: seconds since 1970 and nanoseconds. The position is after the word.
    private mutating func scanTimestamp(_ word: String, _ start: Int) throws(RealmPredicateError)
        -> PredicateConstant?
    {
        guard word.utf8.first == UInt8(ascii: "T") else { return nil }
        let behind = position
        position = start + 1
        let seconds = scanSigned()
        guard !seconds.isEmpty, peek() == UInt8(ascii: ":") else {
            position = behind
            return nil
        }
        position += 1
        let nanoseconds = scanSigned()
        guard let whole = Int(text(seconds)), let rest = Int(text(nanoseconds)),
            (-999_999_999...999_999_999).contains(rest)
        else {
            throw error(
                "'\(text(start..<position))' is no date.", at: start,
                remedy:
                    "Write T, the seconds since 1970, a colon and the nanoseconds: T1612347630:0.")
        }
        return .date(Date(secondsSince1970: whole, nanoseconds: rest))
    }

    private mutating func scanSigned() -> Range<Int> {
        let start = position
        if peek() == UInt8(ascii: "-") { position += 1 }
        let digits = scanDigits()
        if digits.isEmpty { position = start }
        return start..<position
    }
}

// MARK: - Literals that begin with a word

extension PredicateLexer {
    /// Returns the literal that a word begins, or the word itself.
    mutating func scanWordOrLiteral(_ word: String) throws(RealmPredicateError) -> PredicateToken {
        let start = position - word.utf8.count
        if let date = try scanTimestamp(word, start) { return .constant(date) }
        if word.uppercased() == "B64", peek() == UInt8(ascii: "\"") || peek() == UInt8(ascii: "'") {
            let text = try scanText()
            if let data = Data(base64Encoded: text) { return .constant(.data(data)) }
            throw error("'\(text)' is not in Base64.", at: start)
        }
        if peek() == UInt8(ascii: "("), PredicateWord.literals.contains(word.lowercased()) {
            return .constant(try scanParenthesized(word.lowercased(), start))
        }
        return .word(word)
    }

    /// Scans `uuid(…)` and similar literals; quotation marks in the parentheses are optional.
    private mutating func scanParenthesized(_ function: String, _ start: Int)
        throws(RealmPredicateError) -> PredicateConstant
    {
        position += 1
        let content = position
        while let byte = peek(), byte != UInt8(ascii: ")"), position - content < 200 {
            position += 1
        }
        guard peek() == UInt8(ascii: ")") else {
            throw error("expected ')' behind the value of \(function)(…).", at: content)
        }
        var value = text(content..<position).trimmingCharacters(in: .whitespaces)
        position += 1
        if value.count >= 2, let quote = value.first, quote == "\"" || quote == "'",
            value.last == quote
        {
            value = String(value.dropFirst().dropLast())
        }
        if let constant = PredicateLexer.constant(function, value) { return constant }
        throw error("'\(value)' is no value for \(function)(…).", at: content)
    }

    private static func constant(_ function: String, _ value: String) -> PredicateConstant? {
        switch function {
        case "decimal": (try? Decimal128(string: value)).map { .decimal($0) }
        case "float": Float(value).map { .float($0) }
        case "double": Double(value).map { .double($0) }
        case "date": Double(value).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        default:
            PropertyType(literalName: function).flatMap { $0.fixedValue(ofLiteral: value) }.map {
                .fixed($0)
            }
        }
    }
}
