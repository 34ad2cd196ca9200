import FreeholdStorage

extension QueryForm {
    /// Returns the condition, with the collections of all subqueries resolved.
    ///
    /// - Parameter isPlain: Whether to return the tree in the form that strings have.
    func resolved(isPlain: Bool) throws(QueryError) -> PredicateNode {
        var resolution = QueryResolution(isPlain: isPlain)
        return try resolution.condition(condition).checkedForDepth()
    }
}

extension Query where T == Bool {
    /// Returns the predicate for the storage. Traps if the query does not fit the class.
    @inline(__always)
    func lowered(for binding: ClassBinding) -> ScanPredicate {
        unwrapQuery { () throws(QueryError) in
            let lowering = PredicateLowering(binding: binding)
            if case .condition(.member(let comparison), _) = form {
                return try lowering.condition(comparison)
            }
            let condition = form.condition
            return try lowering.condition(
                condition.hasSubquery ? form.resolved(isPlain: false) : condition)
        }
    }

    /// Returns the position of the first element that satisfies the condition, by reading the
    /// elements one by one. Traps if the condition does not fit them.
    func firstIndex<Elements: Sequence>(in elements: Elements) -> Int? {
        unwrapQuery { () throws(QueryError) in
            let condition = try form.resolved(isPlain: true)
            let evaluation = PredicateEvaluation()
            for (index, element) in elements.enumerated() {
                if try evaluation.holds(condition, for: element) { return index }
            }
            return nil
        }
    }
}

extension PredicateNode {
    /// Whether the condition counts elements that satisfy another one. O(comparisons).
    fileprivate var hasSubquery: Bool {
        switch self {
        case .constant, .member: false
        case .comparison(let comparison): comparison.hasSubquery
        case .and(let operands), .or(let operands): operands.contains { $0.hasSubquery }
        case .not(let operand): operand.hasSubquery
        case .agreement(let a, let b, _): a.hasSubquery || b.hasSubquery
        }
    }
}
