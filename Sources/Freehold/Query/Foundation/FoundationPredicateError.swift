/// A Foundation predicate or order that the database cannot evaluate.
///
/// ```text
/// unsupportedExpression: The predicate has 'Arithmetic', which the database cannot evaluate.
/// Compare a persisted property with a value, or filter an array:
/// Array(results).filter(predicate.evaluate).
/// ```
///
/// Thread rule: a plain value; may be sent anywhere.
public struct FoundationPredicateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, for logs.
        public let description: String

        /// A sub-expression has no counterpart in the database.
        public static let unsupportedExpression = Code(description: "unsupportedExpression")
        /// The predicate compares values that cannot be compared, or names properties or classes
        /// that the realm's schema lacks.
        public static let mismatch = Code(description: "mismatch")
        /// The predicate is nested more than 32 deep, or has more than 10,000 comparisons.
        public static let limit = Code(description: "limit")
    }

    /// The kind of the failure.
    public let code: Code
    /// Foundation's name of the faulty sub-expression: "Arithmetic", "SortDescriptor". Nil if the
    /// predicate as a whole is at fault.
    public let expression: String?
    /// What is wrong, in one line.
    public let message: String
    /// What to do instead.
    public let remedy: String

    /// The code's name, the message and the remedy.
    public var description: String { "\(code): \(message) \(remedy)" }

    static func unsupported(
        _ expression: String, _ why: String = "which the database cannot evaluate."
    ) -> FoundationPredicateError {
        FoundationPredicateError(
            code: .unsupportedExpression, expression: expression,
            message: "The predicate has '\(expression)', \(why)",
            remedy: """
                Compare a persisted property with a value, or filter an array: \
                Array(results).filter(predicate.evaluate).
                """)
    }

    /// - Parameter expression: The type of the expression; its name without the operands is
    ///   shown.
    static func unsupported(
        _ expression: Any.Type, _ why: String = "which the database cannot evaluate."
    ) -> FoundationPredicateError {
        unsupported(String(String(describing: expression).prefix { $0 != "<" }), why)
    }

    static func mismatch(_ error: QueryError) -> FoundationPredicateError {
        FoundationPredicateError(
            code: .mismatch, expression: nil, message: error.message, remedy: error.remedy)
    }

    static let tooDeep = FoundationPredicateError(
        code: .limit, expression: nil,
        message:
            "The predicate is nested more than \(PredicateLimits.maximumExpressionDepth) deep.",
        remedy: """
            Ask for many values at once with contains(_:), or combine parts as \
            RealmPredicate.or([…]).
            """)

    static func unsupportedOrder(_ what: String) -> FoundationPredicateError {
        FoundationPredicateError(
            code: .unsupportedExpression, expression: "SortDescriptor",
            message: "The order is by \(what).",
            remedy: """
                Sort by persisted properties, or sort an array: \
                Array(results).sorted(using: descriptors).
                """)
    }
}
