extension JSONParser {
    /// Parses a number by the grammar of RFC 8259.
    mutating func number() throws(JSONSyntaxError) -> JSONDocument.Value {
        let start = position
        var isInteger = true
        if peek() == UInt8(ascii: "-") { position += 1 }
        if peek() == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if peek() == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            try digits()
        }
        if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
            isInteger = false
            position += 1
            if peek() == UInt8(ascii: "-") || peek() == UInt8(ascii: "+") { position += 1 }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let integer = Int(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else {
            position = start
            throw refusal(expected: "a number that a Double can hold")
        }
        return .number(number)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let start = position
        while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            position += 1
        }
        if position == start { throw refusal(expected: "a digit") }
    }

    /// Parses a text in quotes. Half of a surrogate pair, which Swift texts cannot contain,
    /// becomes U+FFFD.
    mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        while let byte = peek(), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"),
            byte >= 0x20
        { position += 1 }
        guard peek() == UInt8(ascii: "\\") else {
            let text = try validated(bytes[start..<position])
            try endOfString()
            return text
        }
        var units = Array(bytes[start..<position])
        while let byte = peek(), byte != UInt8(ascii: "\""), byte >= 0x20 {
            position += 1
            if byte == UInt8(ascii: "\\") { try escape(into: &units) } else { units.append(byte) }
        }
        let text = try validated(units[...])
        try endOfString()
        return text
    }

    private mutating func endOfString() throws(JSONSyntaxError) {
        guard peek() == UInt8(ascii: "\"") else {
            throw refusal(expected: "the end of the text in quotes")
        }
        position += 1
    }

    private func validated(_ units: some Collection<UInt8>) throws(JSONSyntaxError) -> String {
        guard let text = String(validating: units, as: UTF8.self) else {
            throw JSONSyntaxError(line: line, expected: "text in UTF-8", found: "other bytes")
        }
        return text
    }

    private mutating func escape(into units: inout [UInt8]) throws(JSONSyntaxError) {
        let escaped = peek()
        position += 1
        switch escaped {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(escaped ?? 0)
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "u"):
            let first = try hexadecimal()
            guard (0xD800..<0xDC00).contains(first), position + 1 < bytes.count,
                bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
            else {
                append(first, to: &units)
                return
            }
            position += 2
            let second = try hexadecimal()
            if (0xDC00..<0xE000).contains(second) {
                append(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00), to: &units)
            } else {
                append(first, to: &units)
                append(second, to: &units)
            }
        default:
            position -= 1
            throw refusal(expected: "a letter that '\\' can stand before")
        }
    }

    private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt32 {
        guard position + 4 <= bytes.count,
            bytes[position..<position + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let code = UInt32(
                String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw refusal(expected: "four hexadecimal digits") }
        position += 4
        return code
    }

    private func append(_ code: UInt32, to units: inout [UInt8]) {
        units += Array(Character(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
    }
}
