public import Foundation

/// A predicate that cannot be used: its string is wrong, or it does not fit the class it is
/// asked about.
///
/// ```text
/// Unable to parse the format string "age > 5 ADN name == 'Rex'"
///   age > 5 ADN name == 'Rex'
///           ^
///   Column 9: expected AND, OR, SORT, DISTINCT, LIMIT or the end, not 'ADN'. Did you mean 'AND'?
/// ```
///
/// Thread rule: a plain value; may be sent anywhere.
public struct RealmPredicateError: Error, Hashable, Sendable {
    /// What kind of mistake it is.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, for logs.
        public let description: String

        /// The string does not follow the grammar of predicate strings.
        public static let syntax = Code(description: "syntax")
        /// A placeholder has no argument, or one that cannot stand there.
        public static let argument = Code(description: "argument")
        /// The string is too long, or nested too deep.
        public static let limit = Code(description: "limit")
        /// The predicate names what the class does not have, or compares what cannot be compared.
        public static let mismatch = Code(description: "mismatch")
    }

    /// What kind of mistake it is.
    public let code: Code
    /// The mistake in one line: the text that Realm has for it.
    public let message: String
    /// The string that is wrong. A predicate that was combined from others has its canonical one.
    public let format: String
    /// The line of the string that the mistake is in, from 1; nil where the string is not to blame.
    public let line: Int?
    /// The column in that line, from 1, counted in characters; nil where the string is not to
    /// blame.
    public let column: Int?
    /// What was expected there; nil where the message says all.
    public let detail: String?
    /// What to do instead.
    public let remedy: String
    /// The line of the string and the caret under it.
    private let excerpt: String?

    init(
        _ code: Code, _ message: String, in format: String, at offset: Int?, detail: String?,
        remedy: String
    ) {
        self.code = code
        self.message = message
        self.format = format
        self.detail = detail
        self.remedy = remedy
        let place = offset.map { SourcePlace(utf8Offset: $0, in: format) }
        line = place?.line
        column = place?.column
        excerpt = place?.excerpt
    }

    /// The message, the string with a caret under the mistake, and what was expected: all but
    /// the remedy.
    var report: String {
        var text = message
        if let excerpt { text += "\n" + excerpt }
        if let line, let column {
            let place = line > 1 ? "Line \(line), column \(column)" : "Column \(column)"
            text += "\n  \(place)" + (detail.map { ": \($0)" } ?? "")
        } else if let detail {
            text += "\n  \(detail)"
        }
        return text
    }
}

extension RealmPredicateError: CustomStringConvertible, LocalizedError {
    /// The message, the string with a caret under the mistake, what was expected, and what to do.
    public var description: String { "\(report)\n  Remedy: \(remedy)" }
    /// The same as ``description``.
    public var errorDescription: String? { description }
}

/// Gives what a predicate leads to. Where the function cannot throw, a wrong predicate is the
/// programmer's error, so it traps.
func unwrapPredicate<Value>(_ body: () throws(RealmPredicateError) -> Value) -> Value {
    do {
        return try body()
    } catch {
        violation(.misuse(text: error.report, remedy: error.remedy))
    }
}
