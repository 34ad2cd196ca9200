/// Bounds of predicates and key paths. The DocC page "Limits" has the table.
///
/// Parsing, lowering, evaluating, printing, hashing and releasing a tree recurse into it. The
/// bounds keep all of these within a stack of 512 KiB in a debug build.
enum PredicateLimits {
    /// How many bytes a string may have. Values belong into arguments, which have no limit.
    static let maximumLength = 1 << 20
    /// How deep parentheses, negations, values and subqueries of a string may be nested.
    static let maximumDepth = 32
    /// How deep a tree may be: conditions and subqueries around a comparison, and the steps of
    /// the key paths on the way.
    static let maximumCombinedDepth = 48
    /// How many steps a key path may have.
    static let maximumSteps = 32
    /// How deep the expressions of a Foundation predicate may be nested. Each is a type of its own,
    /// and the runtime looks at them by recursion, too.
    static let maximumExpressionDepth = 32
    /// How many comparisons and operators may result from comparing conditions with each other.
    static let maximumSize = 10_000
}

extension PredicateNode {
    /// The tree itself. Throws if it is nested too deep. O(size).
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

/// The bound of key paths in strings: of predicates, orders and observations.
enum KeyPathLimit {
    static let reason = "it has more than \(PredicateLimits.maximumSteps) steps."
    static let remedy = "Follow the links in several queries, or keep a shorter way as a property."

    static func isExceeded(by names: some Collection) -> Bool {
        names.count > PredicateLimits.maximumSteps
    }
}
