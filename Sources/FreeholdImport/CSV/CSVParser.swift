package import Foundation

/// The reason why a text is not CSV.
package struct CSVSyntaxError: Error {
    package let line: Int
    package let expected: String
    package let found: String?
}

/// Parses CSV as RFC 4180 defines it. Fields are separated by commas. Fields with quotes
/// (doubled), commas or line breaks are in quotes. Lines end with CR LF, LF or CR. A byte order
/// mark and empty lines are skipped.
package struct CSVParser {
    package struct Record {
        /// The line that the record begins on, from 1.
        package let line: Int
        /// The fields; nil for an empty one, an empty text for two quotes.
        package var fields: [String?]
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var line = 1

    /// Parses a text. O(length).
    package static func parse(_ data: Data) throws(CSVSyntaxError) -> [Record] {
        let result: Result<[Record], CSVSyntaxError> = data.withUnsafeBytes { buffer in
            var parser = CSVParser(bytes: buffer.bindMemory(to: UInt8.self))
            return Result { () throws(CSVSyntaxError) in try parser.records() }
        }
        return try result.get()
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private mutating func records() throws(CSVSyntaxError) -> [Record] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        var records: [Record] = []
        while position < bytes.count {
            if skipLineBreak() { continue }
            var record = Record(line: line, fields: [try field()])
            while position < bytes.count, !skipLineBreak() {
                guard bytes[position] == UInt8(ascii: ",") else {
                    throw CSVSyntaxError(
                        line: line,
                        expected: "a comma or the end of the line behind the closing quote",
                        found: rest())
                }
                position += 1
                record.fields.append(try field())
            }
            records.append(record)
        }
        return records
    }

    private mutating func field() throws(CSVSyntaxError) -> String? {
        if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
            return try quotedField()
        }
        let start = position
        while position < bytes.count, ![UInt8(ascii: ","), 0x0A, 0x0D].contains(bytes[position]) {
            if bytes[position] == UInt8(ascii: "\"") {
                throw CSVSyntaxError(
                    line: line, expected: "no quote inside of a field without quotes around it",
                    found: rest())
            }
            position += 1
        }
        return start == position ? nil : try text(bytes[start..<position])
    }

    private mutating func quotedField() throws(CSVSyntaxError) -> String {
        let first = line
        let begin = position
        var units: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                position += 1
                guard position < bytes.count, bytes[position] == byte else {
                    return try text(units)
                }
            } else if byte == 0x0A
                || byte == 0x0D && !(position + 1 < bytes.count && bytes[position + 1] == 0x0A)
            {
                line += 1
            }
            units.append(byte)
            position += 1
        }
        position = begin
        throw CSVSyntaxError(line: first, expected: "a closing quote", found: rest())
    }

    private mutating func skipLineBreak() -> Bool {
        guard position < bytes.count, bytes[position] == 0x0A || bytes[position] == 0x0D else {
            return false
        }
        if bytes[position] == 0x0D, position + 1 < bytes.count, bytes[position + 1] == 0x0A {
            position += 1
        }
        position += 1
        line += 1
        return true
    }

    private func text(_ units: some Collection<UInt8>) throws(CSVSyntaxError) -> String {
        guard let text = String(validating: units, as: UTF8.self) else {
            throw CSVSyntaxError(line: line, expected: "text in UTF-8", found: nil)
        }
        return text
    }

    /// Returns the text at the current place, for errors.
    private func rest() -> String {
        let units = bytes[position..<min(bytes.count, position + 60)].prefix {
            $0 != 0x0A && $0 != 0x0D
        }
        return shortened(String(decoding: units, as: UTF8.self))
    }
}
