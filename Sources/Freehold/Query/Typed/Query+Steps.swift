// Continues expressions by further steps. Expressions that cannot continue trap.

extension QueryForm {
    /// Appends properties of the object that the path leads to.
    func appendingMembers(_ members: [PredicateStep]) -> QueryForm {
        let steps = steps
        if case .key? = steps.last {
            misuse(
                "Cannot apply key path to Map subscripts.",
                remedy: """
                    Ask for the values of all keys instead, as in $0.map.values, or \
                    loop over the objects.
                    """)
        }
        return QueryForm(steps + members)
    }

    /// Appends the value of a key or at an index, or any of a value's elements.
    func appendingSubscript(_ step: PredicateStep) -> QueryForm {
        switch self {
        case .object, .member: return QueryForm(steps + [step])
        case .path(let steps):
            let isOperation = if case .operation? = steps.last { true } else { false }
            let isAggregate = steps.contains { $0.isAggregate }
            if !isOperation && !isAggregate { return QueryForm(steps + [step]) }
        case .count, .condition, .chain: break
        }
        misuse(
            "Cannot add subscript to \(formatted)",
            remedy: "Only properties, and what is inside of them, have values by keys and indexes.")
    }

    /// Appends the count, or the keys or values of a map.
    func appendingOperation(_ operation: PredicateOperator) -> QueryForm {
        QueryForm(steps + [.operation(operation)])
    }

    /// Returns the least, the greatest, the sum or the mean of the elements of the last
    /// collection.
    func aggregated(_ operation: PredicateOperator) -> QueryForm {
        var steps = steps
        steps.insert(.operation(operation), at: steps.openCollections.last ?? steps.count)
        return QueryForm(steps)
    }

    /// Whether all elements of a collection lie in a range; false for an empty one.
    func allBetween<Bound>(_ lower: Bound, _ upper: Bound, includesUpper: Bool) -> QueryForm {
        .chain(
            QueryChain(
                aggregated(.min).compared(.greaterOrEqual, PredicateConstant(lower)),
                aggregated(.max).compared(
                    includesUpper ? .lessOrEqual : .less, PredicateConstant(upper)),
                isConjunction: true))
    }

    /// Traps if the path is too long.
    private init(_ steps: [PredicateStep]) {
        if KeyPathLimit.isExceeded(by: steps) {
            PredicateErrors.longKeyPath(PredicateStep.keyPath(of: steps)).trap()
        }
        self = .path(steps)
    }

    /// The steps from the query's object. Traps if the expression is not a value of the object.
    var steps: [PredicateStep] {
        switch self {
        case .object: return []
        case .member(let member): return member.knownSteps
        case .path(let steps): return steps
        case .count, .condition, .chain:
            misuse(
                "Cannot apply a keypath to \(formatted)",
                remedy: """
                    Members, counts and aggregates are those of properties, not of \
                    conditions and their counts.
                    """)
        }
    }
}

extension PredicateStep {
    fileprivate var isAggregate: Bool {
        if case .operation(let operation) = self { operation.aggregate != nil } else { false }
    }
}
