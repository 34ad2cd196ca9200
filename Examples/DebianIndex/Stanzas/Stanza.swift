/// One paragraph of a Debian index: the fields between two empty lines, in the order of the file.
///
/// A stanza keeps its bytes and where its fields are; a value becomes a `String` only when it
/// is asked for, because an index holds some twenty fields a package of which a reader uses
/// ten. Field names compare without regard to case, as the format demands. Bytes that are not
/// UTF-8 come out as U+FFFD.
public struct Stanza: Sendable {
    /// The line of the file, counted from 1, that the stanza begins on.
    public let firstLine: Int
    /// The lines of the stanza without carriage returns, each ended by a newline.
    let text: [UInt8]
    let fields: [Field]

    /// Where a field is in the text.
    struct Field: Sendable {
        var name: Range<Int>
        /// From the first byte that is not blank to the last, continuation lines included.
        var value: Range<Int>
        /// The line of the file the field begins on.
        var line: Int
    }

    /// The names of the fields as they are written.
    public var fieldNames: [String] {
        fields.map { String(decoding: text[$0.name], as: UTF8.self) }
    }

    /// The value of a field, or nil where the stanza lacks it. Linear in the number of fields.
    ///
    /// Lines of a value are joined by newlines; continuation lines keep the blank that marks them.
    public subscript(name: String) -> String? {
        guard let field = field(named: name) else { return nil }
        return String(decoding: text[field.value], as: UTF8.self)
    }

    /// The line of the file a field begins on, or nil where the stanza lacks it.
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

/// A stanza that could not be read, and why. It concerns this stanza only: reading goes on at
/// the next one.
public struct MalformedStanza: Error, Equatable, Sendable {
    /// The line of the file, counted from 1, that the stanza begins on.
    public var firstLine: Int
    /// The line of the file that is to blame.
    public var line: Int
    /// What is wrong, as a clause without a full stop.
    public var reason: String
    /// The value of the stanza's `Package` field, where that much could be read.
    public var packageName: String?

    public init(firstLine: Int, line: Int, reason: String, packageName: String?) {
        self.firstLine = firstLine
        self.line = line
        self.reason = reason
        self.packageName = packageName
    }
}
