import FreeholdStorage

// Finds which of the enclosing objects and elements a comparison refers to.

extension PredicateLowering {
    /// Lowers a comparison inside of a subquery's condition, or with a subquery.
    func scoped(_ comparison: PredicateComparison) throws(QueryError) -> ScanPredicate {
        let innermost = elements.count
        let home = try home(of: comparison)
        var lowered = try PredicateLowering(binding: binding, elements, at: home).compared(
            comparison)
        if home != innermost { lowered = .at(ScanScope(home), lowered) }
        // The scope is named only if the condition inside refers to it.
        let scope = ScanScope(innermost)
        return lowered.freeScopes.contains(scope) ? .scope(scope, lowered) : lowered
    }

    /// Returns the position of the scope in which storage evaluates a comparison: the scope with
    /// the collection on one of the sides, else the innermost.
    private func home(of comparison: PredicateComparison) throws(QueryError) -> Int {
        guard let left = try scope(of: comparison.left) else {
            return try scope(of: comparison.right) ?? elements.count
        }
        guard let right = try scope(of: comparison.right), left != right else { return left }
        if try leadsOverCollections(comparison.left) { return left }
        if try leadsOverCollections(comparison.right) { return right }
        return max(left, right)
    }

    /// Returns the position of the scope that an expression begins in; nil for constants.
    private func scope(of expression: PredicateExpression) throws(QueryError) -> Int? {
        switch expression {
        case .constant, .list: nil
        case .keyPath(let steps), .subqueryCount(let steps, _, _): try start(steps).scope
        }
    }

    /// Returns the scope that steps begin in, and how many of the steps name it.
    func start(_ steps: [PredicateStep]) throws(QueryError) -> (scope: Int, steps: Int) {
        guard case .variable(let name)? = steps.first else { return (0, 0) }
        guard let element = elements.lastIndex(where: { $0.variable == name }) else {
            throw PredicateErrors.unknownVariable(PredicateStep.keyPath(of: steps))
        }
        return (element + 1, 1)
    }

    /// Returns a path that begins in a scope, as seen from the scope of this position.
    func seen(_ path: PredicatePath, from scope: Int) throws(QueryError) -> PredicatePath {
        if scope == position { return path }
        // The comparison would have been evaluated in that scope if its other side had no
        // collection.
        guard path.hops.isEmpty else { throw PredicateErrors.twoCollections }
        var path = path
        path.place = .operand(.outer(ScanScope(scope), path.operand))
        return path
    }
}

extension PredicateComparison {
    /// Whether one of the sides counts the elements that satisfy a condition.
    var hasSubquery: Bool {
        if case .subqueryCount = left { return true }
        if case .subqueryCount = right { return true }
        return false
    }
}
