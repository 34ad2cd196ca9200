public import Foundation

// On Linux, Foundation's class does not parse strings: its `init(format:_:)` is unavailable.
// These initializers replace it in programs that import Freehold.

extension NSPredicate {
    /// Makes a predicate for `filter` and `index(matching:)` from a string:
    /// `NSPredicate(format: "age > %@", 5)`.
    ///
    /// Works like ``RealmPredicate``, which can also throw errors, is equal by structure and is
    /// `Sendable`. An `NSPredicate` equals only itself. Collections evaluate it;
    /// `evaluate(with:)` traps. `NSCompoundPredicate` combines it with others.
    ///
    /// - Note: Traps if the string is wrong, with a message that shows the place.
    public convenience init(format predicateFormat: String, _ args: Any?...) {
        let predicate = unwrapPredicate(
            try RealmPredicate(parsing: predicateFormat, arguments: args))
        self.init(predicate)
    }

    /// As ``init(format:_:)``, with the arguments in an array.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        let predicate = unwrapPredicate(
            try RealmPredicate(parsing: predicateFormat, arguments: arguments ?? []))
        self.init(predicate)
    }

    /// Makes the predicate for functions that take an `NSPredicate`.
    public convenience init(_ predicate: RealmPredicate) {
        self.init(block: { _, bindings in
            // Only the block of an `NSPredicate` can be reached, so the block hands out the
            // predicate.
            guard let inquiry = bindings?[PredicateInquiry.name] as? PredicateInquiry else {
                misuse(
                    "A predicate of a string cannot be evaluated on a single object",
                    remedy:
                        "Use it with filter or index(matching:) of a collection: '\(predicate)'.")
            }
            inquiry.answer = predicate
            return false
        })
    }
}

extension RealmPredicate {
    /// Makes the predicate of an `NSPredicate`: one of a string, `NSPredicate(value:)`, or an
    /// `NSCompoundPredicate` of these.
    ///
    /// - Throws: An error if it contains a predicate of a closure, which only Foundation can
    ///   evaluate. The closure is called once, with nil.
    public init(_ predicate: NSPredicate) throws(RealmPredicateError) {
        self = try RealmPredicate.predicate(in: predicate, depth: 0)
    }

    private static func predicate(in predicate: NSPredicate, depth: Int) throws(RealmPredicateError)
        -> RealmPredicate
    {
        if let compound = predicate as? NSCompoundPredicate {
            guard depth < PredicateLimits.maximumDepth else {
                throw refusal(
                    "Predicates cannot be nested more than \(PredicateLimits.maximumDepth) deep")
            }
            var operands: [RealmPredicate] = []
            for operand in compound.subpredicates {
                operands.append(try Self.predicate(in: operand, depth: depth + 1))
            }
            switch compound.compoundPredicateType {
            case .and: return .and(operands)
            case .or: return .or(operands)
            case .not: if let operand = operands.first { return !operand }
            @unknown default: break
            }
            throw refusal("Only AND, OR, and NOT compound predicates are supported")
        }
        // Foundation compares only constants by value.
        if predicate.isEqual(NSPredicate(value: true)) { return RealmPredicate(value: true) }
        if predicate.isEqual(NSPredicate(value: false)) { return RealmPredicate(value: false) }
        let inquiry = PredicateInquiry()
        _ = predicate.evaluate(with: nil, substitutionVariables: [PredicateInquiry.name: inquiry])
        guard let answer = inquiry.answer else {
            throw refusal("Only support compound, comparison, and constant predicates")
        }
        return answer
    }

    private static func refusal(_ message: String) -> RealmPredicateError {
        RealmPredicateError(
            .mismatch, message, in: "", at: nil, detail: nil,
            remedy: """
                Make the predicate from a string, or filter a Swift array: \
                Array(results).filter { … }.
                """)
    }
}

/// Asks the block of a predicate for the predicate.
private final class PredicateInquiry {
    static let name = "Freehold.PredicateInquiry"
    var answer: RealmPredicate?
}
