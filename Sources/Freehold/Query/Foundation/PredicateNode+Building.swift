import FreeholdStorage

// Builds short conditions from others. Constants are folded. A test for null is dropped if
// another operand of the conjunction implies it: `($0.age ?? 1) == 5` becomes a comparison that
// an index can answer.

extension PredicateNode {
    static func comparing(
        _ left: PredicateExpression, _ operation: PredicateComparison.Operation,
        _ right: PredicateExpression, quantifier: PredicateComparison.Quantifier = .direct
    ) -> PredicateNode {
        .comparison(
            PredicateComparison(
                quantifier: quantifier, left: left, operation: operation, right: right))
    }

    static func isNull(_ value: PredicateExpression) -> PredicateNode {
        comparing(value, .equal, .constant(.null))
    }
    static func isNotNull(_ value: PredicateExpression) -> PredicateNode {
        comparing(value, .notEqual, .constant(.null))
    }

    static func conjunction(_ operands: [PredicateNode]) -> PredicateNode {
        var flat: [PredicateNode] = []
        flat.reserveCapacity(operands.count)
        for operand in operands {
            switch operand {
            case .constant(true): continue
            case .constant(false): return operand
            case .and(let inner): flat += inner
            default: flat.append(operand)
            }
        }
        var index = 0
        while index < flat.count {
            if let steps = flat[index].stepsNotNull,
                flat.indices.contains(where: { $0 != index && flat[$0].implies(notNull: steps) })
            {
                flat.remove(at: index)
            } else {
                index += 1
            }
        }
        return flat.count == 1 ? flat[0] : flat.isEmpty ? .constant(true) : .and(flat)
    }

    static func disjunction(_ operands: [PredicateNode]) -> PredicateNode {
        var flat: [PredicateNode] = []
        flat.reserveCapacity(operands.count)
        for operand in operands {
            switch operand {
            case .constant(false): continue
            case .constant(true): return operand
            case .or(let inner): flat += inner
            default: flat.append(operand)
            }
        }
        return flat.count == 1 ? flat[0] : flat.isEmpty ? .constant(false) : .or(flat)
    }

    static func negation(_ operand: PredicateNode) -> PredicateNode {
        switch operand {
        case .constant(let value): .constant(!value)
        case .not(let inner): inner
        default: .not(operand)
        }
    }

    /// The number of comparisons and operators. O(that number).
    var size: Int {
        switch self {
        case .constant: 1
        case .and(let operands), .or(let operands): operands.reduce(1) { $0 + $1.size }
        case .not(let operand): operand.size + 1
        case .comparison(let comparison): comparison.left.size + comparison.right.size
        case .member: 2
        case .agreement: expanded.size
        }
    }

    /// The path of a condition that only says that the path does not lead to null; nil for other
    /// conditions.
    private var stepsNotNull: [PredicateStep]? {
        guard case .comparison(let comparison) = self, comparison.quantifier == .direct,
            comparison.operation == .notEqual,
            comparison.right == .constant(.null), case .keyPath(let steps) = comparison.left
        else { return nil }
        return steps
    }

    /// Whether the condition can hold only if a path does not lead to null.
    private func implies(notNull steps: [PredicateStep]) -> Bool {
        switch self {
        case .constant(let value): !value
        case .and(let operands): operands.contains { $0.implies(notNull: steps) }
        case .or(let operands): operands.allSatisfy { $0.implies(notNull: steps) }
        case .not, .member, .agreement: false
        case .comparison(let comparison): comparison.implies(notNull: steps)
        }
    }
}

extension PredicateComparison.Operation {
    fileprivate var mayHoldForNulls: Bool {
        switch self {
        case .value(.less), .value(.greater): false
        case .value, .isIn: true
        default: false
        }
    }
}

extension PredicateComparison {
    fileprivate func implies(notNull steps: [PredicateStep]) -> Bool {
        if quantifier != .direct { return false }
        if left.isNull(where: steps) {
            switch (operation, right) {
            case (.value(.notEqual), .constant(let constant)): return constant.isNull
            case (.value(.equal), .constant(let constant)),
                (.value(.lessOrEqual), .constant(let constant)),
                (.value(.greaterOrEqual), .constant(let constant)):
                return !constant.isNull
            case (.isIn, .list(let constants)): return !constants.contains(.null)
            // Two nulls are equal, and neither is less.
            default: return !operation.mayHoldForNulls
            }
        }
        return !operation.mayHoldForNulls && right.isNull(where: steps)
    }
}

extension PredicateExpression {
    /// Whether the expression is null whenever some steps lead to null: it continues from there,
    /// to a single value.
    func isNull(where steps: [PredicateStep]) -> Bool {
        guard case .keyPath(let own) = self, own.starts(with: steps) else { return false }
        return own.dropFirst(steps.count).allSatisfy { step in
            switch step {
            case .property, .key: true
            default: false
            }
        }
    }

    fileprivate var size: Int {
        switch self {
        case .constant, .keyPath: 1
        case .list(let constants): constants.count
        case .subqueryCount(_, _, let condition): condition.size + 1
        }
    }
}
