import Foundation

/// A streaming parser for the format of Debian's indexes (deb822): paragraphs of `Name: value`
/// lines.
///
/// `consume` takes bytes in pieces of any size, `finish` ends the file, and stanzas come out one at
/// a time. The longest stanza bounds the memory, whatever the size of the file.
///
/// Beyond the plain form, the parser accepts lines ended by CR LF, a last line without a newline
/// and several empty lines in a row. It also accepts separator lines of blanks only, and any field
/// name that the format allows. Anything else makes only its stanza `malformed`.
///
/// ### How it works
///
/// `text` holds the current stanza with its unfinished last line. So a line needs no buffer of its
/// own, however the input is split. An empty finished line ends the stanza. Any other line is
/// recorded in `fields` and ended by a newline. The first fault is kept until the stanza's end. The
/// lines after it are still recorded, because the caller needs the name of the package. Only a
/// stanza that is too long is discarded while it is read.
public struct StanzaParser {
    /// A parsed stanza, or the place and reason of a malformed one.
    public enum Event: Sendable {
        case stanza(Stanza)
        case malformed(MalformedStanza)
    }

    private let maximumStanzaLength: Int
    private var text: [UInt8] = []
    private var fields: [Stanza.Field] = []
    /// Where the unfinished line begins in `text`.
    private var lineStart = 0
    /// The number of the unfinished line.
    private var line = 1
    /// The first line of the stanza being read, or nil between stanzas.
    private var firstLine: Int?
    private var fault: MalformedStanza?
    /// True while the rest of a stanza that is too long is skipped.
    private var isSkipping = false
    /// While skipping: whether discarded bytes of the unfinished line were not blank.
    private var skippedLineHasText = false

    /// Creates a parser at line 1 of a file. A stanza of more than `maximumStanzaLength` bytes is
    /// malformed; the longest of Debian's own have some tens of kilobytes.
    public init(maximumStanzaLength: Int = 4 << 20) {
        precondition(maximumStanzaLength > 0, "maximumStanzaLength must be positive")
        self.maximumStanzaLength = maximumStanzaLength
    }

    /// A stanza with more fields is malformed: finding repeated names takes quadratic time.
    private static let maximumFieldCount = 1_000

    /// Reads the next bytes of the file, and passes the completed stanzas to `handle`. Takes time
    /// linear in the number of bytes.
    ///
    /// Rethrows what `handle` throws. Then the parser is in the middle of `bytes` and must not be
    /// used again.
    public mutating func consume(_ bytes: Span<UInt8>, _ handle: (Event) throws -> Void) rethrows {
        try bytes.withUnsafeBufferPointer { unsafeBytes in
            var rest = unsafeBytes[...]
            while let newline = rest.firstNewline {
                append(rest[..<newline])
                try endLine(handle)
                rest = rest[(newline + 1)...]
            }
            append(rest)
        }
    }

    /// Ends the file, and passes on the last stanza if no empty line followed it. Then the parser
    /// is at line 1 of a new file.
    public mutating func finish(_ handle: (Event) throws -> Void) rethrows {
        if text.count > lineStart || skippedLineHasText { try endLine(handle) }
        let last = takeStanza()
        line = 1
        if let last { try handle(last) }
    }

    private mutating func append(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        text.append(contentsOf: bytes)
        guard text.count > maximumStanzaLength || isSkipping else { return }
        if !isSkipping {
            recordFault("the stanza is longer than \(maximumStanzaLength) bytes")
            let name = stanza()["Package"]
            fault?.packageName = name
            isSkipping = true
        }
        skippedLineHasText =
            skippedLineHasText
            || text[lineStart...].contains { !$0.isBlank && $0 != carriageReturn }
        fields = []
        text = []
        lineStart = 0
    }

    private mutating func endLine(_ handle: (Event) throws -> Void) rethrows {
        defer { line += 1 }
        if text.count > lineStart, text.last == carriageReturn { text.removeLast() }
        guard skippedLineHasText || !text[lineStart...].allSatisfy(\.isBlank) else {
            if let event = takeStanza() { try handle(event) }
            return
        }
        skippedLineHasText = false
        if firstLine == nil { firstLine = line }
        if !isSkipping { noteLine() }
        text.append(newlineByte)
        lineStart = text.count
    }

    /// Records the finished line at the end of `text` as a field, as a continuation, or as a fault.
    private mutating func noteLine() {
        let lineRange = lineStart..<text.count
        guard !text[lineStart].isBlank else {
            // A line ends before its trailing blanks; it is known not to be blank.
            let end = text[lineRange].lastIndex { !$0.isBlank }! + 1
            if fields.isEmpty {
                recordFault(
                    "a continuation line, one that begins with a blank, has no field to continue")
            } else if fault == nil {
                fields[fields.count - 1].value = fields[fields.count - 1].value.lowerBound..<end
            }
            return
        }
        guard let colon = text[lineRange].firstIndex(of: UInt8(ascii: ":")) else {
            recordFault("the line is neither 'Name: value' nor the continuation of one")
            return
        }
        let name = lineStart..<colon
        guard isFieldName(text[name]) else {
            recordFault("'\(printable(text[name]))' is not a field name")
            return
        }
        guard fields.count < Self.maximumFieldCount else {
            recordFault("the stanza has more than \(Self.maximumFieldCount) fields")
            return
        }
        guard !fields.contains(where: { isSameName($0.name, name) }) else {
            recordFault("the field '\(printable(text[name]))' occurs twice")
            return
        }
        let valueStart = text[(colon + 1)...].firstIndex { !$0.isBlank } ?? text.count
        let valueEnd = text[valueStart...].lastIndex { !$0.isBlank }.map { $0 + 1 } ?? valueStart
        fields.append(Stanza.Field(name: name, value: valueStart..<valueEnd, line: line))
    }

    /// Keeps the first fault of the stanza, to pass it on when the stanza ends.
    private mutating func recordFault(_ reason: String) {
        guard fault == nil else { return }
        fault = MalformedStanza(
            firstLine: firstLine ?? line, line: line, reason: reason, packageName: nil)
    }

    private func stanza() -> Stanza {
        Stanza(firstLine: firstLine ?? line, text: text, fields: fields)
    }

    /// Returns the current stanza, or nil if there is none, and leaves the parser between stanzas.
    private mutating func takeStanza() -> Event? {
        defer {
            text.removeAll(keepingCapacity: true)
            fields.removeAll(keepingCapacity: true)
            lineStart = 0
            firstLine = nil
            fault = nil
            isSkipping = false
            skippedLineHasText = false
        }
        if var fault {
            fault.packageName = fault.packageName ?? stanza()["Package"]
            return .malformed(fault)
        }
        return firstLine == nil ? nil : .stanza(stanza())
    }

    private func isSameName(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        left.count == right.count
            && zip(text[left], text[right]).allSatisfy { $0.lowercased == $1.lowercased }
    }
}

private let newlineByte = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")

/// Printable ASCII without the colon, and no `#` or `-` in front: the policy's rule (5.1).
private func isFieldName(_ name: ArraySlice<UInt8>) -> Bool {
    guard let first = name.first, first != UInt8(ascii: "#"), first != UInt8(ascii: "-") else {
        return false
    }
    return name.allSatisfy { (0x21...0x7E).contains($0) }
}

/// The beginning of some bytes of the file for a message, without control characters.
private func printable(_ bytes: ArraySlice<UInt8>) -> String {
    let shown = bytes.prefix(40).map {
        (0x20...0x7E).contains($0) ? Character(Unicode.Scalar($0)) : "?"
    }
    return String(shown) + (bytes.count > 40 ? "..." : "")
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// The index of the first newline. Uses `memchr`, because parsing spends most of its time here.
    fileprivate var firstNewline: Int? {
        guard count > 0, let start = base.baseAddress.map({ $0 + startIndex }) else { return nil }
        guard let found = memchr(start, Int32(newlineByte), count) else { return nil }
        return startIndex + (UnsafeRawPointer(found) - UnsafeRawPointer(start))
    }
}
