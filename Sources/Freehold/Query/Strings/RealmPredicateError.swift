public import Foundation

/// A predicate that cannot be used: its string is wrong, or it does not fit the class it is used
/// with.
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
    /// The kind of a mistake.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, for logs.
        public let description: String

        /// The string does not follow the grammar of predicate strings.
        public static let syntax = Code(description: "syntax")
        /// A placeholder has no argument, or one that is not allowed at its place.
        public static let argument = Code(description: "argument")
        /// The string is too long, or nested too deep.
        public static let limit = Code(description: "limit")
        /// The predicate names properties that the class lacks, or compares values that cannot be
        /// compared.
        public static let mismatch = Code(description: "mismatch")
    }

    /// The kind of the mistake.
    public let code: Code
    /// The mistake in one line: Realm's text for it.
    public let message: String
    /// The wrong string; for a combined predicate, its canonical string.
    public let format: String
    /// The line of the mistake in the string, from 1; nil if the mistake is not in the string.
    public let line: Int?
    /// The column in that line, from 1, counted in characters; nil if the mistake is not in the
    /// string.
    public let column: Int?
    /// What was expected there; nil if the message says everything.
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

    /// The description without the remedy: the message, the string with a caret under the
    /// mistake, and what was expected.
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

/// Returns the result of a predicate. Traps for a wrong one: where a function cannot throw, it is
/// the programmer's error.
func unwrapPredicate<Value>(_ body: @autoclosure () throws(RealmPredicateError) -> Value) -> Value {
    do {
        return try body()
    } catch {
        misuse(error.report, remedy: error.remedy)
    }
}
