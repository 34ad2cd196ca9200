import Foundation

/// JSON text that is being written, as UTF-8.
package struct JSONBytes: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package var count: Int { bytes.count }
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    @inline(__always)
    package mutating func append(_ byte: UInt8) { bytes.append(byte) }

    package mutating func append(raw text: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    package mutating func append(raw other: [UInt8]) { bytes.append(contentsOf: other) }

    package mutating func append(ascii text: String) { bytes.append(contentsOf: text.utf8) }

    package mutating func append(_ value: Int64) { bytes.append(contentsOf: String(value).utf8) }

    /// A text in quotes.
    package mutating func append(quoted text: String) {
        var text = text
        text.withUTF8 { append(quoted: UnsafeRawBufferPointer($0)) }
    }

    /// A text of UTF-8 in quotes. Bytes that are no UTF-8 become U+FFFD.
    package mutating func append(quoted utf8: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x80 && $0 != 0x22 && $0 != 0x5C }) {
            bytes.append(contentsOf: utf8)
        } else {
            appendEscaped(String(decoding: utf8, as: UTF8.self))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case 0x22: append(raw: "\\\"")
            case 0x5C: append(raw: "\\\\")
            case 0x0A: append(raw: "\\n")
            case 0x0D: append(raw: "\\r")
            case 0x09: append(raw: "\\t")
            case 0..<0x20, 0x7F:
                append(raw: "\\u00")
                let digits = String(byte, radix: 16)
                if digits.utf8.count == 1 { bytes.append(UInt8(ascii: "0")) }
                bytes.append(contentsOf: digits.utf8)
            default: bytes.append(byte)
            }
        }
    }

    package mutating func append(base64 data: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: Data(data).base64EncodedData())
        bytes.append(UInt8(ascii: "\""))
    }
}
