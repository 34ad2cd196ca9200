import FreeholdStorage

// Which of the objects and elements around it a comparison is about.

extension PredicateLowering {
    /// A comparison in the condition of a subquery, or with one.
    func scoped(_ comparison: PredicateComparison) throws(QueryError) -> ScanPredicate {
        let innermost = elements.count
        let home = try home(of: comparison)
        var lowered = try PredicateLowering(binding: binding, elements, at: home).compared(
            comparison)
        if home != innermost { lowered = .at(ScanScope(home), lowered) }
        // Named where something inside of it asks for it.
        let scope = ScanScope(innermost)
        return lowered.freeScopes.contains(scope) ? .scope(scope, lowered) : lowered
    }

    /// The position of the scope that storage evaluates a comparison in: the one that has the
    /// collection on one of the sides, else the innermost.
    private func home(of comparison: PredicateComparison) throws(QueryError) -> Int {
        guard let left = try scope(of: comparison.left) else {
            return try scope(of: comparison.right) ?? elements.count
        }
        guard let right = try scope(of: comparison.right), left != right else { return left }
        if try leadsOverCollections(comparison.left) { return left }
        if try leadsOverCollections(comparison.right) { return right }
        return max(left, right)
    }

    /// The position of the scope that an expression begins in; nil for constants.
    private func scope(of expression: PredicateExpression) throws(QueryError) -> Int? {
        switch expression {
        case .constant, .list, .member: nil
        case .keyPath(let steps), .subqueryCount(let steps, _, _): try start(steps).scope
        }
    }

    /// The scope that steps begin in, and how many of them say so.
    func start(_ steps: [PredicateStep]) throws(QueryError) -> (scope: Int, steps: Int) {
        guard case .variable(let name)? = steps.first else { return (0, 0) }
        guard let element = elements.lastIndex(where: { $0.variable == name }) else {
            throw PredicateErrors.unknownVariable(PredicateStep.keyPath(of: steps))
        }
        return (element + 1, 1)
    }

    /// A path that begins in a scope, as the one of this position sees it.
    func seen(_ path: PredicatePath, from scope: Int) throws(QueryError) -> PredicatePath {
        if scope == position { return path }
        // The comparison would have been evaluated there, but for a collection on its other side.
        guard path.hops.isEmpty else { throw PredicateErrors.twoCollections }
        var path = path
        path.place = .operand(.outer(ScanScope(scope), path.operand))
        return path
    }
}

extension PredicateComparison {
    /// Whether one of its sides counts the elements that satisfy a condition.
    var hasSubquery: Bool {
        if case .subqueryCount = left { return true }
        if case .subqueryCount = right { return true }
        return false
    }
}
