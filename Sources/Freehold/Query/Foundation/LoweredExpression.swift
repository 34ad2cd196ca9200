/// What a sub-expression of a Foundation predicate means to the database.
indirect enum LoweredExpression {
    /// A value that is known now, out of its optionals. Ranges, arrays and predicates, too.
    case constant(Any?)
    /// What a key path leads to, or a count of elements.
    case value(PredicateExpression)
    case condition(PredicateNode)
    /// One of several, depending on the object. Exactly one alternative's guards hold for each
    /// object.
    case choice([LoweredAlternative])
    /// Several elements of a stored collection.
    case elements(LoweredCollection)
    case range(lower: LoweredExpression, upper: LoweredExpression, includesUpper: Bool)
}

/// A value, and the conditions on which it is the one. The value is a constant, a value or a
/// condition.
struct LoweredAlternative {
    var guards: [PredicateNode] = []
    var value: LoweredExpression

    func guarded(by first: [PredicateNode]) -> LoweredAlternative {
        LoweredAlternative(guards: first + guards, value: value)
    }
}

/// The elements of a stored collection, all or those that satisfy a condition.
struct LoweredCollection {
    /// From the object to the collection.
    var steps: [PredicateStep]
    /// The name that the condition has for an element.
    var variable: String?
    var condition: PredicateNode = .constant(true)

    var isAll: Bool { condition == .constant(true) }

    /// How many elements satisfy another condition, too.
    func count(where other: PredicateNode, variable: String) -> PredicateExpression {
        let condition = PredicateNode.conjunction([condition, other])
        return condition == .constant(true)
            ? .keyPath(steps + [.operation(.count)])
            : .subqueryCount(collection: steps, variable: variable, condition: condition)
    }

    /// How many there are.
    var count: PredicateExpression { count(where: .constant(true), variable: variable ?? "") }
}

extension LoweredExpression {
    /// What it can be, by the object. Throws of what is no single value.
    func alternatives(_ culprit: Any.Type) throws(FoundationPredicateError) -> [LoweredAlternative]
    {
        switch self {
        case .constant, .value, .condition: return [LoweredAlternative(value: self)]
        case .choice(let alternatives): return alternatives
        case .elements, .range: throw .unsupported(culprit, "where a single value is needed.")
        }
    }

    /// As ``alternatives(_:)``, with true and false in the place of conditions.
    func valueAlternatives(_ culprit: Any.Type) throws(FoundationPredicateError)
        -> [LoweredAlternative]
    {
        try alternatives(culprit).flatMap { alternative in
            guard case .condition(let condition) = alternative.value else { return [alternative] }
            return [
                LoweredAlternative(
                    guards: alternative.guards + [condition], value: .constant(true)),
                LoweredAlternative(
                    guards: alternative.guards + [.negation(condition)], value: .constant(false)),
            ]
        }
    }

    /// Where it is true; of an optional Bool, neither where it is false nor where it is nil.
    func condition(_ culprit: Any.Type) throws(FoundationPredicateError) -> PredicateNode {
        switch self {
        case .condition(let condition): return condition
        case .value(let value): return .comparing(value, .equal, .constant(.bool(true)))
        case .constant(let value):
            if value == nil { return .constant(false) }
            guard let value = value as? Bool else {
                throw .unsupported(culprit, "which is no condition here.")
            }
            return .constant(value)
        case .choice(let alternatives):
            var operands: [PredicateNode] = []
            for alternative in alternatives {
                operands.append(
                    .conjunction(alternative.guards + [try alternative.value.condition(culprit)]))
            }
            return .disjunction(operands)
        case .elements, .range: throw .unsupported(culprit, "which is no condition here.")
        }
    }

    /// Makes something of each alternative.
    func mapValues(
        _ culprit: Any.Type,
        _ transform: (LoweredExpression) throws(FoundationPredicateError) -> LoweredExpression
    ) throws(FoundationPredicateError) -> LoweredExpression {
        guard case .choice(let alternatives) = self else { return try transform(self) }
        var mapped: [LoweredAlternative] = []
        for alternative in alternatives {
            for inner in try transform(alternative.value).alternatives(culprit) {
                mapped.append(inner.guarded(by: alternative.guards))
            }
        }
        return .choice(mapped)
    }
}

/// A value that was taken out of its optionals, as what it was; nil if it was something else.
func typed<Value>(_ value: Any?, as type: Value.Type = Value.self) -> Value? {
    if let value { return value as? Value }
    return (Value.self as? any ExpressibleByNilLiteral.Type).flatMap {
        $0.init(nilLiteral: ()) as? Value
    }
}
