/// One paragraph of a Debian index: the fields between two empty lines, in the order of the file.
///
/// A stanza keeps its bytes and the positions of its fields. A value becomes a `String` only on
/// access, because a reader uses about ten of a package's twenty fields. Field names compare
/// ignoring case, as the format requires. Bytes that are not UTF-8 become U+FFFD.
public struct Stanza: Sendable {
    /// The line of the file, counted from 1, that the stanza begins on.
    public let firstLine: Int
    /// The lines of the stanza without carriage returns, each ended by a newline.
    let text: [UInt8]
    let fields: [Field]

    /// The position of a field in the text.
    struct Field: Sendable {
        var name: Range<Int>
        /// From the first byte that is not blank to the last, continuation lines included.
        var value: Range<Int>
        /// The line of the file that the field begins on.
        var line: Int
    }

    /// The names of the fields as they are written.
    public var fieldNames: [String] {
        fields.map { String(decoding: text[$0.name], as: UTF8.self) }
    }

    /// The value of a field, or nil if the stanza lacks it. Takes time linear in the number of
    /// fields.
    ///
    /// Lines of a value are joined by newlines; continuation lines keep the blank that marks them.
    public subscript(name: String) -> String? {
        guard let field = field(named: name) else { return nil }
        return String(decoding: text[field.value], as: UTF8.self)
    }

    /// The line of the file that a field begins on, or nil if the stanza lacks it.
    public func line(of name: String) -> Int? {
        field(named: name)?.line
    }

    private func field(named name: String) -> Field? {
        let wanted = name.utf8
        return fields.first { field in
            field.name.count == wanted.count
                && zip(text[field.name], wanted).allSatisfy { $0.lowercased == $1.lowercased }
        }
    }
}

/// A stanza that could not be read, and the reason. Reading continues at the next stanza.
public struct MalformedStanza: Error, Equatable, Sendable {
    /// The line of the file, counted from 1, that the stanza begins on.
    public var firstLine: Int
    /// The line of the file with the fault.
    public var line: Int
    /// The reason, as a clause without a full stop.
    public var reason: String
    /// The value of the stanza's `Package` field, if that could be read.
    public var packageName: String?

    public init(firstLine: Int, line: Int, reason: String, packageName: String?) {
        self.firstLine = firstLine
        self.line = line
        self.reason = reason
        self.packageName = packageName
    }
}
