/// The lowered form of a sub-expression of a Foundation predicate.
indirect enum LoweredExpression {
    /// A value without its optionals; also a range, an array or a predicate.
    case constant(Any?)
    /// The value that a key path leads to, or a count of elements.
    case value(PredicateExpression)
    case condition(PredicateNode)
    /// One of several alternatives, depending on the object. For each object, the guards of
    /// exactly one hold.
    case choice([LoweredAlternative])
    /// Several elements of a stored collection.
    case elements(LoweredCollection)
    case range(lower: LoweredExpression, upper: LoweredExpression, includesUpper: Bool)
}

/// A value with the conditions under which it applies. The value is a constant, a value or a
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
    /// The steps from the object to the collection.
    var steps: [PredicateStep]
    /// The name of an element in the condition.
    var variable: String?
    var condition: PredicateNode = .constant(true)

    var isAll: Bool { condition == .constant(true) }

    /// Counts the elements that also satisfy another condition.
    func count(where other: PredicateNode, variable: String) -> PredicateExpression {
        let condition = PredicateNode.conjunction([condition, other])
        return condition == .constant(true)
            ? .keyPath(steps + [.operation(.count)])
            : .subqueryCount(collection: steps, variable: variable, condition: condition)
    }

    /// The number of elements.
    var count: PredicateExpression { count(where: .constant(true), variable: variable ?? "") }
}

extension LoweredExpression {
    /// Returns the possible values, depending on the object. Throws if the expression is not a
    /// single value.
    func alternatives(_ culprit: Any.Type) throws(FoundationPredicateError) -> [LoweredAlternative]
    {
        switch self {
        case .constant, .value, .condition: return [LoweredAlternative(value: self)]
        case .choice(let alternatives): return alternatives
        case .elements, .range: throw .unsupported(culprit, "where a single value is needed.")
        }
    }

    /// As ``alternatives(_:)``, with true and false in place of conditions.
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

    /// Returns where the expression is true. An optional Bool is true neither where it is false
    /// nor where it is nil.
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

    /// Transforms each alternative.
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

/// Casts a value that was taken out of its optionals to its type; nil if it has another type.
func typed<Value>(_ value: Any?, as type: Value.Type = Value.self) -> Value? {
    if let value { return value as? Value }
    return (Value.self as? any ExpressibleByNilLiteral.Type).flatMap {
        $0.init(nilLiteral: ()) as? Value
    }
}
