import Foundation

extension ObjectBase: DescribedWithDepth {
    /// How many levels of linked objects a description shows.
    static let descriptionDepth = 5
    /// How many bytes of a `Data` a description shows.
    static let describedBytes = 24

    /// The object as text, in Realm's format; linked objects are indented by one more tab.
    final func describe(depth: Int) -> String {
        if depth == 0 { return "<Maximum depth exceeded>" }
        if isRowGone { return "[invalid object]" }
        guard let schema = reflectedSchema else { return "\(type(of: self)) {\n}" }
        var text = "\(schema.className) {\n"
        for property in schema.properties {
            let value = self.value(of: property)
            let lines = ObjectBase.describe(value, depth: depth).withIndentedLines
            text += "\t\(property.name) = \(lines);\n"
        }
        return text + "}"
    }

    /// An element of a collection as text.
    static func describe(element: Any?, depth: Int) -> String {
        element == nil ? "<null>" : describe(element, depth: depth)
    }

    private static func describe(_ value: Any?, depth: Int) -> String {
        switch value {
        case nil: "(null)"
        case let value as any DescribedWithDepth: value.describe(depth: depth - 1)
        case let bytes as Data: describe(bytes)
        case let date as Date: date.shown
        case let flag as Bool: flag ? "1" : "0"
        // As many digits as Foundation's numbers show, without insignificant ones: 1, not 1.0.
        case let number as Double: String(format: "%0.16g", number)
        case let number as Float: String(format: "%0.7g", number)
        case let value?: "\(value)"
        }
    }

    /// The first bytes in hexadecimal, in groups of four, and the number of bytes.
    private static func describe(_ bytes: Data) -> String {
        var digits = ""
        for (position, byte) in bytes.prefix(describedBytes).enumerated() {
            if position > 0, position % 4 == 0 { digits += " " }
            if byte < 16 { digits += "0" }
            digits += String(byte, radix: 16)
        }
        return "<\(digits) — \(bytes.count) total bytes>"
    }

    /// Whether the object was managed and its row is gone or its realm was invalidated.
    final var isRowGone: Bool {
        guard let core, let binding else { return false }
        core.checkConfinement(of: self, "Object.description")
        return core.locate(key, of: binding.takeUnretainedValue()) == nil
    }
}

extension Date {
    /// The date for people to read. Foundation's description ends the process if
    /// ``hasDescription`` is false.
    var shown: String {
        hasDescription
            ? "\(self)" : "\(timeIntervalSinceReferenceDate) s after 2001-01-01 00:00:00 +0000"
    }

    /// Whether it is a number, and in the range of an integer of seconds.
    var hasDescription: Bool { abs(timeIntervalSinceReferenceDate) < 1e18 }
}
