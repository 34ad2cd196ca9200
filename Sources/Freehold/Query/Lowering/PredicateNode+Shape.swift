// The depth of trees, and the conversion of typed queries' trees to those of strings.

extension PredicateNode {
    /// The nesting depth of conditions, including subqueries and steps of key paths.
    var depth: Int {
        switch self {
        case .constant, .member: 0
        case .and(let operands), .or(let operands): 1 + (operands.map(\.depth).max() ?? 0)
        case .not(let operand): 1 + operand.depth
        case .comparison(let comparison): max(comparison.left.depth, comparison.right.depth)
        case .agreement: expanded.depth
        }
    }

    /// Returns the first comparison, from left to right, for which `isWanted` holds. Comparisons
    /// in subqueries belong to the comparison of their count.
    func firstComparison(_ isWanted: (PredicateComparison) -> Bool) -> PredicateComparison? {
        switch self {
        case .constant: return nil
        case .comparison(let comparison): return isWanted(comparison) ? comparison : nil
        case .not(let operand): return operand.firstComparison(isWanted)
        case .member, .agreement: return expanded.firstComparison(isWanted)
        case .and(let operands), .or(let operands):
            for operand in operands {
                if let found = operand.firstComparison(isWanted) { return found }
            }
            return nil
        }
    }

    /// The condition without the operators that only typed queries have: a comparison of two
    /// conditions is expressed with AND, OR and NOT, and a property by its name. Other nodes are
    /// returned as they are. A member without a name is refused when the query is resolved; here
    /// it becomes the object itself, so that the result never is a member.
    var expanded: PredicateNode {
        if case .member(let comparison) = self {
            return .comparison(comparison.named((try? comparison.member.steps()) ?? []))
        }
        guard case .agreement(let a, let b, let isWanted) = self else { return self }
        if case .constant(let expected) = b { return expected == isWanted ? a : .not(a) }
        let equal = PredicateNode.or([.and([a, b]), .not(.or([a, b]))])
        return isWanted ? equal : .not(equal)
    }
}

extension PredicateExpression {
    /// The depth of the expression. A property of the object itself has none; a subquery uses the
    /// stack of several conditions.
    var depth: Int {
        switch self {
        case .constant, .list: 0
        case .keyPath(let steps): max(0, steps.count - 1)
        case .subqueryCount(let collection, _, let condition):
            max(1, collection.count) + 2 + condition.depth
        }
    }
}
