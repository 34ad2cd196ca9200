public import Foundation

// Foundation's class on Linux has no strings: its `init(format:_:)` is marked as unavailable.
// These take their place in programs that import Freehold.

extension NSPredicate {
    /// A predicate for `filter` and `index(matching:)`, from a string:
    /// `NSPredicate(format: "age > %@", 5)`.
    ///
    /// As ``RealmPredicate``, which also throws errors, is equal by structure and `Sendable`.
    /// Of this one only identity is known. It is evaluated by collections: `evaluate(with:)`
    /// traps. `NSCompoundPredicate` combines it with others.
    ///
    /// - Note: Traps if the string is wrong, with a message that shows where.
    public convenience init(format predicateFormat: String, _ args: Any?...) {
        let predicate = unwrapPredicate { () throws(RealmPredicateError) in
            try RealmPredicate(parsing: predicateFormat, arguments: args)
        }
        self.init(predicate)
    }

    /// As ``init(format:_:)``, with the arguments in an array.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        let predicate = unwrapPredicate { () throws(RealmPredicateError) in
            try RealmPredicate(parsing: predicateFormat, arguments: arguments ?? [])
        }
        self.init(predicate)
    }

    /// The predicate for functions that take an `NSPredicate`.
    public convenience init(_ predicate: RealmPredicate) {
        self.init(block: { _, bindings in
            // Nothing of an `NSPredicate` can be read but what its block does; so the block
            // gives the predicate away.
            guard let inquiry = bindings?[PredicateInquiry.name] as? PredicateInquiry else {
                violation(
                    .misuse(
                        text: "A predicate of a string cannot be evaluated on a single object",
                        remedy:
                            """
                            Use it with filter or index(matching:) of a collection: \
                            '\(predicate)'.
                            """
                    ))
            }
            inquiry.answer = predicate
            return false
        })
    }
}

extension RealmPredicate {
    /// The predicate that an `NSPredicate` is: one of a string, `NSPredicate(value:)`, or an
    /// `NSCompoundPredicate` of these.
    ///
    /// - Throws: An error if there is a predicate of a closure in it, which only Foundation can
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
        // Foundation compares constants, and nothing else, by what they are.
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
            remedy:
                """
                Make the predicate from a string, or filter a Swift array: \
                Array(results).filter { … }.
                """
        )
    }
}

/// The question to a predicate's block what it stands for.
private final class PredicateInquiry {
    static let name = "Freehold.PredicateInquiry"
    var answer: RealmPredicate?
}
