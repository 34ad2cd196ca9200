/// Bounds of predicates and key paths. The DocC page "Limits" has the table.
///
/// Parsing, lowering, evaluating, printing, hashing and releasing a tree recurse into it. The
/// bounds keep all of these within a stack of 512 KiB in a debug build.
enum PredicateLimits {
    /// The greatest length of a string in bytes. Values belong into arguments, which have no
    /// limit.
    static let maximumLength = 1 << 20
    /// The greatest nesting depth of parentheses, negations, values and subqueries in a string.
    static let maximumDepth = 32
    /// The greatest depth of a tree: conditions and subqueries around a comparison, and the steps
    /// of the key paths on the way.
    static let maximumCombinedDepth = 48
    /// The greatest number of steps of a key path.
    static let maximumSteps = 32
    /// The greatest nesting depth of the expressions of a Foundation predicate. Each has a type
    /// of its own, which the runtime also processes by recursion.
    static let maximumExpressionDepth = 32
    /// The greatest number of comparisons and operators that comparing conditions with each other
    /// may produce.
    static let maximumSize = 10_000
}

extension PredicateNode {
    /// Returns the tree itself. Throws if it is nested too deep. O(size).
    func checkedForDepth() throws(QueryError) -> PredicateNode {
        if depth > PredicateLimits.maximumCombinedDepth { throw QueryErrors.tooDeep }
        return self
    }
}

extension QueryErrors {
    static let tooDeep = QueryError(
        "Predicates cannot be nested more than \(PredicateLimits.maximumCombinedDepth) deep",
        remedy: "Each condition, subquery and step of a key path counts. Join many conditions with "
            + "&& or || without nesting, and ask for many values at once with in(_:).")

    static let tooLarge = QueryError(
        "Conditions that are compared with == or != cannot have more than "
            + "\(PredicateLimits.maximumSize) parts",
        remedy:
            "Each comparison of two conditions doubles them. Write what is meant with && and ||.")
}

/// The limit of key paths in the strings of predicates, orders and observations.
enum KeyPathLimit {
    static let reason = "it has more than \(PredicateLimits.maximumSteps) steps."
    static let remedy = "Follow the links in several queries, or keep a shorter way as a property."

    static func isExceeded(by names: some Collection) -> Bool {
        names.count > PredicateLimits.maximumSteps
    }
}
