extension RealmPredicate {
    /// Returns a predicate that requires both. Traps if one of them has a SORT, DISTINCT or
    /// LIMIT.
    public static func && (a: RealmPredicate, b: RealmPredicate) -> RealmPredicate { .and([a, b]) }

    /// Returns a predicate that requires at least one of them. Traps if one of them has a SORT,
    /// DISTINCT or LIMIT.
    public static func || (a: RealmPredicate, b: RealmPredicate) -> RealmPredicate { .or([a, b]) }

    /// Returns the negated predicate. Traps if it has a SORT, DISTINCT or LIMIT.
    public static prefix func ! (predicate: RealmPredicate) -> RealmPredicate {
        let node = predicate.operand
        return RealmPredicate(node: .not(node), depth: depth(around: [predicate]))
    }

    /// Returns a predicate that requires all of them; without predicates, every object satisfies
    /// it. O(predicates). Traps if one of them has a SORT, DISTINCT or LIMIT.
    public static func and(_ predicates: [RealmPredicate]) -> RealmPredicate {
        combined(predicates, PredicateNode.and) {
            if case .and(let operands) = $0 { operands } else { nil }
        }
    }

    /// Returns a predicate that requires at least one of them; without predicates, no object
    /// satisfies it. O(predicates). Traps if one of them has a SORT, DISTINCT or LIMIT.
    public static func or(_ predicates: [RealmPredicate]) -> RealmPredicate {
        combined(predicates, PredicateNode.or) {
            if case .or(let operands) = $0 { operands } else { nil }
        }
    }

    private static func combined(
        _ predicates: [RealmPredicate], _ node: ([PredicateNode]) -> PredicateNode,
        operands: (PredicateNode) -> [PredicateNode]?
    ) -> RealmPredicate {
        if predicates.count == 1 { return predicates[0] }
        let nodes = predicates.flatMap { operands($0.operand) ?? [$0.node] }
        return nodes.isEmpty
            ? RealmPredicate(value: node([]) == .and([]))
            : RealmPredicate(node: node(nodes), depth: depth(around: predicates))
    }

    /// The condition as an operand. Traps if the predicate has clauses.
    private var operand: PredicateNode {
        if clauses.isEmpty { return node }
        misuse(
            "Predicates with SORT, DISTINCT or LIMIT cannot be combined",
            remedy: "Combine the conditions, and sort what filter gives: '\(self)'.")
    }

    /// Returns the depth of a tree around the predicates. All operations on a tree are recursive,
    /// so its depth has a limit.
    private static func depth(around predicates: [RealmPredicate]) -> Int {
        let depth = (predicates.map(\.depth).max() ?? 0) + 1
        if depth <= PredicateLimits.maximumCombinedDepth { return depth }
        misuse(
            "Predicates cannot be nested more than \(PredicateLimits.maximumCombinedDepth) deep",
            remedy:
                "Combine many predicates at once: RealmPredicate.and([…]), RealmPredicate.or([…]).")
    }
}
