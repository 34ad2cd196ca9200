/// What a predicate's string says.
struct ParsedPredicate {
    let node: PredicateNode
    let clauses: [PredicateClause]
    let source: PredicateSource
    /// The same without the arguments; nil where more depends on them than constants.
    var template: PredicateTemplate?
}

/// What follows a condition: how to arrange the objects that satisfy it. Clauses apply in the
/// order in which they are written.
enum PredicateClause: Hashable, Sendable {
    case sort([SortDescriptor])
    /// One object of each combination of values of some properties, by their paths.
    case distinct([String])
    case limit(Int)
}

/// Where the parts of a predicate are in its string, for errors that are found when its class
/// is known.
struct PredicateSource: Sendable {
    let format: String
    /// In the order in which they end.
    let comparisons: [PredicateComparison]
    let spans: [PredicateSpan]

    /// Where a comparison is; of equal ones the first, which gives the same error. O(comparisons).
    func span(of comparison: PredicateComparison) -> PredicateSpan? {
        comparisons.firstIndex(of: comparison).map { spans[$0] }
    }
}

/// Where a comparison is in its string. Offsets count UTF-8.
struct PredicateSpan: Sendable {
    let start: Int
    /// The names in its key paths, those in subqueries included.
    let names: [Name]

    struct Name: Sendable {
        let text: String
        let offset: Int
    }
}
