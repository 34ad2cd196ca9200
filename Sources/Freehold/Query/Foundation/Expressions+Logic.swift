import Foundation
import FreeholdStorage

// Logic and comparisons.

extension PredicateExpressions.Conjunction: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    { .condition(.conjunction([try lowering.condition(lhs), try lowering.condition(rhs)])) }
}

extension PredicateExpressions.Disjunction: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    { .condition(.disjunction([try lowering.condition(lhs), try lowering.condition(rhs)])) }
}

extension PredicateExpressions.Negation: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    { .condition(.negation(try lowering.condition(wrapped))) }
}

extension PredicateExpressions.Conditional: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        let test = try lowering.condition(test)
        if case .constant(let value) = test {
            return value ? try lowering.lower(trueBranch) : try lowering.lower(falseBranch)
        }
        _ = try lowering.checked(test, Self.self)
        let first = try lowering.lower(trueBranch).alternatives(Self.self)
        let second = try lowering.lower(falseBranch).alternatives(Self.self)
        return .choice(
            first.map { $0.guarded(by: [test]) } + second.map { $0.guarded(by: [.negation(test)]) })
    }
}

extension PredicateExpressions.Equal: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    { try lowering.equality(lhs, .equal, rhs, Self.self) }
}

extension PredicateExpressions.NotEqual: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    { try lowering.equality(lhs, .notEqual, rhs, Self.self) }
}

extension PredicateExpressions.Comparison: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        guard let order else { throw .unsupported(Self.self) }
        let (left, right) = (try lowering.lower(lhs), try lowering.lower(rhs))
        return .condition(
            try lowering.order(left, .value(order), right, Self.self, as: LHS.Output.self))
    }
}

extension PredicateExpressions.Comparison {
    /// Nil of an operator that Foundation may add.
    var order: ScanComparison? {
        switch op {
        case .lessThan: .less
        case .lessThanOrEqual: .lessOrEqual
        case .greaterThan: .greater
        case .greaterThanOrEqual: .greaterOrEqual
        @unknown default: nil
        }
    }
}

extension FoundationPredicateLowering {
    fileprivate func equality<Left: Foundation.PredicateExpression>(
        _ left: Left, _ operation: PredicateComparison.Operation,
        _ right: some Foundation.PredicateExpression, _ culprit: Any.Type
    ) throws(FoundationPredicateError) -> LoweredExpression where Left.Output: Equatable {
        .condition(
            try compare(try lower(left), operation, try lower(right), culprit) {
                KnownValues.areEqual($0, $1, as: Left.Output.self) == (operation == .equal)
            })
    }

    /// Compares values that have an order.
    func order<Value: Comparable>(
        _ left: LoweredExpression, _ operation: PredicateComparison.Operation,
        _ right: LoweredExpression, _ culprit: Any.Type, as type: Value.Type
    ) throws(FoundationPredicateError) -> PredicateNode {
        if let type = type as? any (PersistableEnum & Comparable).Type {
            return try orderCases(left, operation, right, culprit, of: type)
        }
        return try compare(left, operation, right, culprit) {
            KnownValues.areInOrder($0, operation, $1, as: type)
        }
    }

    /// Compares enums. Their type defines the order, which may differ from that of the raw
    /// values. So the cases that satisfy the comparison are searched for.
    private func orderCases<Enum: PersistableEnum & Comparable>(
        _ left: LoweredExpression, _ operation: PredicateComparison.Operation,
        _ right: LoweredExpression, _ culprit: Any.Type, of type: Enum.Type
    ) throws(FoundationPredicateError) -> PredicateNode {
        var operands: [PredicateNode] = []
        let second = try right.alternatives(culprit)
        for a in try left.alternatives(culprit) {
            for b in second {
                let condition: PredicateNode
                switch (a.value, b.value) {
                case (.constant(let a), .constant(let b)):
                    condition = .constant(KnownValues.areInOrder(a, operation, b, as: type))
                case (.value(let a), .constant(let b)):
                    condition = isIn(
                        a,
                        type.allCases.filter { KnownValues.areInOrder($0, operation, b, as: type) })
                case (.constant(let a), .value(let b)):
                    condition = isIn(
                        b,
                        type.allCases.filter { KnownValues.areInOrder(a, operation, $0, as: type) })
                default: throw .unsupported(culprit, "of two enums that are stored.")
                }
                operands.append(.conjunction(a.guards + b.guards + [condition]))
            }
        }
        return .disjunction(operands)
    }

    private func isIn<Enum: PersistableEnum>(_ value: PredicateExpression, _ cases: [Enum])
        -> PredicateNode
    {
        cases.isEmpty
            ? .constant(false)
            : .comparing(value, .isIn, .list(cases.map { PredicateConstant(argument: $0) }))
    }
}
