/// The content of a predicate's string.
struct ParsedPredicate {
    let node: PredicateNode
    let clauses: [PredicateClause]
    let source: PredicateSource
    /// The content without the arguments; nil if they affect more than constants.
    var template: PredicateTemplate?
}

/// A clause after the condition, which arranges the objects that satisfy it. Clauses apply in the
/// order in which they are written.
enum PredicateClause: Hashable, Sendable {
    case sort([SortDescriptor])
    /// Keeps one object of each combination of values of some properties, by their paths.
    case distinct([String])
    case limit(Int)
}

/// The places of a predicate's parts in its string, for errors that are found once its class is
/// known.
struct PredicateSource: Sendable {
    let format: String
    /// The comparisons, in the order in which they end.
    let comparisons: [PredicateComparison]
    let spans: [PredicateSpan]

    /// Returns the place of a comparison; among equal ones that of the first, which gives the
    /// same error. O(comparisons).
    func span(of comparison: PredicateComparison) -> PredicateSpan? {
        comparisons.firstIndex(of: comparison).map { spans[$0] }
    }
}

/// The place of a comparison in its string. Offsets count UTF-8.
struct PredicateSpan: Sendable {
    let start: Int
    /// The names in its key paths, including those in subqueries.
    let names: [Name]

    struct Name: Sendable {
        let text: String
        let offset: Int
    }
}
