package import Foundation

/// Parses a JSON text (RFC 8259), with or without a byte order mark.
///
/// Open containers are kept in a list, not on the stack.
package struct JSONParser {
    private struct Container {
        let id: JSONDocument.ID
        /// The container's own name in the container around it.
        let name: Int32
        let isObject: Bool
        let firstPending: Int
    }

    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    var line = 1
    private var document = JSONDocument()
    private var names: [ExactText: Int32] = [:]
    private var open: [Container] = []
    /// The members of the open containers, which move to the document when a container ends.
    private var pending: [JSONDocument.Member] = []

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Parses a text. O(length).
    package static func parse(_ data: Data) throws(JSONSyntaxError) -> JSONDocument {
        let result: Result<JSONDocument, JSONSyntaxError> = data.withUnsafeBytes { buffer in
            var parser = JSONParser(buffer.bindMemory(to: UInt8.self))
            return Result { () throws(JSONSyntaxError) in try parser.parse() }
        }
        return try result.get()
    }

    private mutating func parse() throws(JSONSyntaxError) -> JSONDocument {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        document.values.reserveCapacity(bytes.count / 16)
        var name: Int32 = -1
        while true {
            skipSpace()
            let id = document.values.count
            guard id < Int32.max else {
                throw refusal(expected: "a text of fewer than 2,147,483,647 values")
            }
            document.lines.append(Int32(clamping: line))
            let byte = peek()
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                position += 1
                document.values.append(.null)
                open.append(
                    Container(
                        id: id, name: name, isObject: byte == UInt8(ascii: "{"),
                        firstPending: pending.count))
                skipSpace()
                if peek() != (byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    name = byte == UInt8(ascii: "{") ? try memberName() : -1
                    continue
                }
                position += 1
                close()
                if try finish(id, &name) { return document }
            } else {
                document.values.append(try scalar())
                if try finish(JSONDocument.Member(name: name, value: Int32(id)), &name) {
                    return document
                }
            }
        }
    }

    /// Ends the innermost container.
    private mutating func close() {
        guard let container = open.last else { return }
        let start = document.members.count
        document.members += pending[container.firstPending...]
        pending.removeSubrange(container.firstPending...)
        let range = start..<document.members.count
        document.values[container.id] = container.isObject ? .object(range) : .array(range)
    }

    private mutating func finish(_ id: JSONDocument.ID, _ name: inout Int32) throws(JSONSyntaxError)
        -> Bool
    {
        let container = open.removeLast()
        return try finish(
            JSONDocument.Member(name: container.name, value: Int32(container.id)), &name)
    }

    /// Puts a complete value into the container around it, and ends the containers that end with
    /// it. Returns true if the text ends there; otherwise sets the name of the next value.
    private mutating func finish(_ complete: JSONDocument.Member, _ name: inout Int32)
        throws(JSONSyntaxError) -> Bool
    {
        var complete = complete
        while let container = open.last {
            pending.append(complete)
            skipSpace()
            switch peek() {
            case UInt8(ascii: ","):
                position += 1
                skipSpace()
                name = container.isObject ? try memberName() : -1
                return false
            case UInt8(ascii: "}") where container.isObject,
                UInt8(ascii: "]") where !container.isObject:
                position += 1
                close()
                open.removeLast()
                complete = JSONDocument.Member(name: container.name, value: Int32(container.id))
            default:
                throw refusal(expected: container.isObject ? "',' or '}'" : "',' or ']'")
            }
        }
        skipSpace()
        if position < bytes.count { throw refusal(expected: "the end of the text") }
        return true
    }

    // MARK: Parts

    func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x0A: line += 1
            case 0x20, 0x09, 0x0D: break
            default: return
            }
            position += 1
        }
    }

    private mutating func memberName() throws(JSONSyntaxError) -> Int32 {
        guard peek() == UInt8(ascii: "\"") else { throw refusal(expected: "a name in quotes") }
        let text = try string()
        skipSpace()
        guard peek() == UInt8(ascii: ":") else { throw refusal(expected: "':'") }
        position += 1
        if let known = names[ExactText(text)] { return known }
        let new = Int32(document.names.count)
        document.names.append(text)
        names[ExactText(text)] = new
        return new
    }

    private mutating func scalar() throws(JSONSyntaxError) -> JSONDocument.Value {
        switch peek() ?? 0 {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default:
            if skip("true") { return .bool(true) }
            if skip("false") { return .bool(false) }
            if skip("null") { return .null }
            throw refusal(expected: "a value")
        }
    }

    private mutating func skip(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard position + length <= bytes.count,
            (0..<length).allSatisfy({ bytes[position + $0] == word.utf8Start[$0] })
        else { return false }
        position += length
        return true
    }

    func refusal(expected: String) -> JSONSyntaxError {
        if position >= bytes.count {
            return JSONSyntaxError(line: line, expected: expected, found: "the end of the file")
        }
        let rest = bytes[position..<min(bytes.count, position + 60)].prefix { $0 >= 0x20 }
        return JSONSyntaxError(
            line: line, expected: expected,
            found: rest.isEmpty
                ? "a control character" : shortened(String(decoding: rest, as: UTF8.self)))
    }
}
