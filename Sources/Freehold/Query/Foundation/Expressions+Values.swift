import Foundation

// Values: constants, variables, properties, optionals, casts.

extension PredicateExpressions.Value: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) -> LoweredExpression {
        .constant(flattened(value))
    }
}

extension PredicateExpressions.NilLiteral: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) -> LoweredExpression { .constant(nil) }
}

extension PredicateExpressions.Variable: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    { try lowering.value(of: key) }
}

// MARK: - Optionals

extension PredicateExpressions.ForcedUnwrap: LowerableExpression {
    /// Where Foundation throws for nil, the value stays nil here.
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    { try lowering.lower(inner) }
}

extension PredicateExpressions.NilCoalesce: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        let wrapped = try lowering.lower(lhs)
        if case .constant(let value) = wrapped {
            return value == nil ? try lowering.lower(rhs) : wrapped
        }
        let fallback = try lowering.lower(rhs).alternatives(Self.self)
        var alternatives: [LoweredAlternative] = []
        for alternative in try wrapped.alternatives(Self.self) {
            switch alternative.value {
            case .constant(nil): alternatives += fallback.map { $0.guarded(by: alternative.guards) }
            case .value(let value):
                alternatives.append(
                    LoweredAlternative(
                        guards: alternative.guards + [.isNotNull(value)], value: alternative.value))
                alternatives += fallback.map {
                    $0.guarded(by: alternative.guards + [.isNull(value)])
                }
            default: alternatives.append(alternative)
            }
        }
        return .choice(alternatives)
    }
}

extension PredicateExpressions.OptionalFlatMap: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        try lowering.lower(wrapped).mapValues(Self.self) { value throws(FoundationPredicateError) in
            if case .constant(nil) = value { return value }
            let transformed = try lowering.naming(variable.key, value) {
                () throws(FoundationPredicateError) -> LoweredExpression in
                try lowering.lower(transform)
            }
            guard case .value(var wrapped) = value else { return transformed }
            if isCollection(Wrapped.self), case .keyPath(let steps) = wrapped {
                // A collection is nil if the object that has it is nil.
                wrapped = .keyPath(steps.dropLast())
            }
            // A path that continues from null leads to null.
            if case .value(let end) = transformed, case .keyPath(let steps) = wrapped,
                end.isNull(where: steps)
            {
                return transformed
            }
            if case .elements = transformed { return transformed }
            return .choice(
                [LoweredAlternative(guards: [.isNull(wrapped)], value: .constant(nil))]
                    + (try transformed.alternatives(Self.self).map {
                        $0.guarded(by: [.isNotNull(wrapped)])
                    }))
        }
    }
}

// MARK: - Casts

// Foundation casts the value. If the type is not known to be the requested one before any object
// is read, the answer depends on the value, which the database cannot know.

extension PredicateExpressions.TypeCheck: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        if Input.Output.self == Desired.self {
            _ = try lowering.lower(input)
            return .condition(.constant(true))
        }
        guard isOptional(Input.Output.self, of: Desired.self) else {
            throw .unsupported(Self.self, "of a type that is not the property's own.")
        }
        return .condition(
            .disjunction(
                try lowering.lower(input).alternatives(Self.self).map { alternative in
                    switch alternative.value {
                    case .value(let value): .conjunction(alternative.guards + [.isNotNull(value)])
                    case .constant(nil): .constant(false)
                    default: .conjunction(alternative.guards)
                    }
                }))
    }
}

extension PredicateExpressions.ConditionalCast: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        guard Input.Output.self == Desired.self || isOptional(Input.Output.self, of: Desired.self)
        else { throw .unsupported(Self.self, "to a type that is not the property's own.") }
        return try lowering.lower(input)
    }
}

extension PredicateExpressions.ForceCast: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        guard
            Input.Output.self == Desired.self || isOptional(Input.Output.self, of: Desired.self)
                || isOptional(Desired.self, of: Input.Output.self)
        else { throw .unsupported(Self.self, "to a type that is not the property's own.") }
        return try lowering.lower(input)
    }
}

/// Whether the first type is the optional of the second.
private func isOptional<Value>(_ type: Any.Type, of wrapped: Value.Type) -> Bool {
    type == Value?.self
}
