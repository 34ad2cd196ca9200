import Foundation
import FreeholdStorage

// Functions of collections: those that objects have, and those in the predicate.

extension PredicateExpressions.SequenceContains: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        let sequence = try lowering.lower(sequence)
        let element = try lowering.lower(element)
        if LHS.Output.self == String.self {
            return .condition(try lowering.search(sequence, .contains, element, Self.self))
        }
        if let range = LoweredExpression(range: sequence) {
            guard let type = RHS.Output.self as? any Comparable.Type else {
                throw .unsupported(Self.self)
            }
            return .condition(try lowering.contains(range, element, Self.self, as: type))
        }
        switch sequence {
        case .constant(let values?):
            guard let values = values as? LHS.Output else { throw .unsupported(Self.self) }
            return .condition(try contains(values, element))
        case .elements, .value:
            guard case .constant(let value) = element else {
                throw .unsupported(Self.self, "of a value that is not constant.")
            }
            let elements = try lowering.elements(sequence, LHS.Output.self, Self.self)
            let wanted = PredicateExpression.constant(PredicateConstant(argument: value))
            if elements.isAll {
                return .condition(
                    .comparing(.keyPath(elements.steps), .equal, wanted, quantifier: .any))
            }
            let name = elements.variable ?? lowering.newName()
            return .condition(
                .comparing(
                    elements.count(
                        where: .comparing(.keyPath([.variable(name)]), .equal, wanted),
                        variable: name), .greater, .constant(.int(0))))
        default: throw .unsupported(Self.self)
        }
    }

    /// Whether an element is one of the given values.
    private func contains(_ values: LHS.Output, _ element: LoweredExpression)
        throws(FoundationPredicateError) -> PredicateNode
    {
        let known: [Any?] = values.map { flattened($0) }
        let constants = known.map { PredicateConstant(argument: $0) }
        var operands: [PredicateNode] = []
        for alternative in try element.valueAlternatives(Self.self) {
            let condition: PredicateNode =
                switch alternative.value {
                case .constant(let value):
                    .constant(
                        known.contains { KnownValues.areEqual($0, value, as: RHS.Output.self) })
                case .value(let value):
                    constants.isEmpty
                        ? .constant(false) : .comparing(value, .isIn, .list(constants))
                default: throw .unsupported(Self.self)
                }
            operands.append(.conjunction(alternative.guards + [condition]))
        }
        return .disjunction(operands)
    }
}

extension PredicateExpressions.SequenceContainsWhere: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    { try lowering.quantified(sequence, variable.key, test, Self.self, isForAll: false) }
}

extension PredicateExpressions.SequenceAllSatisfy: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    { try lowering.quantified(sequence, variable.key, test, Self.self, isForAll: true) }
}

extension FoundationPredicateLowering {
    /// Whether any element satisfies a closure, or all do.
    fileprivate func quantified<Elements: Foundation.PredicateExpression>(
        _ sequence: Elements, _ variable: PredicateExpressions.VariableID,
        _ test: some Foundation.PredicateExpression, _ culprit: Any.Type, isForAll: Bool
    ) throws(FoundationPredicateError) -> LoweredExpression where Elements.Output: Sequence {
        let sequence = try lower(sequence)
        if case .constant(let values as Elements.Output) = sequence {
            let conditions = try conditions(values, variable, test)
            return .condition(
                try checked(
                    isForAll ? .conjunction(conditions) : .disjunction(conditions), culprit))
        }
        let elements = try elements(sequence, Elements.Output.self, culprit)
        let (name, condition) = try closure(over: elements, variable, test)
        return .condition(
            .comparing(
                elements.count(where: isForAll ? .negation(condition) : condition, variable: name),
                isForAll ? .equal : .greater, .constant(.int(0))))
    }
}

extension PredicateExpressions.Filter: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        var elements = try lowering.elements(
            try lowering.lower(sequence), LHS.Output.self, Self.self)
        let (name, condition) = try lowering.closure(over: elements, variable.key, filter)
        elements.variable = name
        elements.condition = .conjunction([elements.condition, condition])
        return .elements(elements)
    }
}

extension PredicateExpressions.SequenceMinimum: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    { try lowering.aggregate(.min, try lowering.lower(elements), Elements.Output.self, Self.self) }
}

extension PredicateExpressions.SequenceMaximum: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    { try lowering.aggregate(.max, try lowering.lower(elements), Elements.Output.self, Self.self) }
}

extension FoundationPredicateLowering {
    /// Returns the elements of a stored collection. Throws for texts, which are not collections
    /// here.
    fileprivate func elements<Elements: Sequence>(
        _ sequence: LoweredExpression, _ type: Elements.Type, _ culprit: Any.Type
    ) throws(FoundationPredicateError) -> LoweredCollection {
        // In Swift, the null objects of a map are elements; the database ignores them.
        if let optional = Elements.Element.self as? any OptionalProtocol.Type, optional.wrapsObjects
        {
            throw .unsupported(culprit, "of objects that may be nil.")
        }
        switch sequence {
        case .elements(let elements): return elements
        case .value(.keyPath(let steps)) where isCollection(type):
            return LoweredCollection(steps: steps)
        default: throw .unsupported(culprit, "of something other than a collection.")
        }
    }

    /// Lowers a closure for each of the given values.
    fileprivate func conditions(
        _ values: some Sequence, _ variable: PredicateExpressions.VariableID,
        _ test: some Foundation.PredicateExpression
    ) throws(FoundationPredicateError) -> [PredicateNode] {
        var conditions: [PredicateNode] = []
        for value in values {
            conditions.append(
                try naming(variable, .constant(flattened(value))) {
                    () throws(FoundationPredicateError) -> PredicateNode in try condition(test)
                })
        }
        return conditions
    }

    fileprivate func aggregate<Elements: Sequence>(
        _ operation: PredicateOperator, _ sequence: LoweredExpression, _ type: Elements.Type,
        _ culprit: Any.Type
    ) throws(FoundationPredicateError) -> LoweredExpression {
        let elements = try elements(sequence, type, culprit)
        guard elements.isAll else {
            throw .unsupported(culprit, "of some of a collection's elements.")
        }
        if Elements.Element.self is any _MappedPersistable.Type {
            throw .unsupported(culprit, "of values that are stored as others.")
        }
        return .value(.keyPath(elements.steps + [.operation(operation)]))
    }
}

extension OptionalProtocol {
    fileprivate static var wrapsObjects: Bool { Wrapped.self is ObjectBase.Type }
}

// MARK: - Ranges

extension PredicateExpressions.Range: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        .range(
            lower: try lowering.lower(lower), upper: try lowering.lower(upper), includesUpper: false
        )
    }
}

extension PredicateExpressions.ClosedRange: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        .range(
            lower: try lowering.lower(lower), upper: try lowering.lower(upper), includesUpper: true)
    }
}

extension PredicateExpressions.RangeExpressionContains: LowerableExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        guard let range = LoweredExpression(range: try lowering.lower(range)) else {
            throw .unsupported(Self.self)
        }
        return .condition(
            try lowering.contains(
                range, try lowering.lower(element), Self.self, as: Element.Output.self))
    }
}

extension FoundationPredicateLowering {
    fileprivate func contains<Bound: Comparable>(
        _ range: LoweredExpression, _ element: LoweredExpression, _ culprit: Any.Type,
        as type: Bound.Type
    ) throws(FoundationPredicateError) -> PredicateNode {
        guard case .range(let lower, let upper, let includesUpper) = range else {
            throw .unsupported(culprit)
        }
        if case .value(let value) = element, includesUpper, !(type is any PersistableEnum.Type),
            case .constant(let first?) = lower, case .constant(let last?) = upper
        {
            return .comparing(
                value, .between,
                .list([PredicateConstant(argument: first), PredicateConstant(argument: last)]))
        }
        var operands: [PredicateNode] = []
        if !lower.isNil {
            operands.append(try order(element, .greaterOrEqual, lower, culprit, as: type))
        }
        if !upper.isNil {
            operands.append(
                try order(element, includesUpper ? .lessOrEqual : .less, upper, culprit, as: type))
        }
        return .conjunction(operands)
    }
}

extension LoweredExpression {
    fileprivate var isNil: Bool { if case .constant(nil) = self { true } else { false } }

    /// Makes a range; nil for other values. A missing bound is nil.
    fileprivate init?(range: LoweredExpression) {
        switch range {
        case .range: self = range
        case .constant(let value as any BoundedRange): self = value.lowered
        default: return nil
        }
    }
}

/// A range whose bound type is not known.
private protocol BoundedRange {
    var lower: Any? { get }
    var upper: Any? { get }
    var includesUpper: Bool { get }
}

extension BoundedRange {
    fileprivate var lower: Any? { nil }
    fileprivate var upper: Any? { nil }
    fileprivate var includesUpper: Bool { false }

    fileprivate var lowered: LoweredExpression {
        .range(lower: .constant(lower), upper: .constant(upper), includesUpper: includesUpper)
    }
}

extension Range: BoundedRange {
    fileprivate var lower: Any? { lowerBound }
    fileprivate var upper: Any? { upperBound }
}

extension ClosedRange: BoundedRange {
    fileprivate var lower: Any? { lowerBound }
    fileprivate var upper: Any? { upperBound }
    fileprivate var includesUpper: Bool { true }
}

extension PartialRangeFrom: BoundedRange {
    fileprivate var lower: Any? { lowerBound }
}

extension PartialRangeUpTo: BoundedRange {
    fileprivate var upper: Any? { upperBound }
}

extension PartialRangeThrough: BoundedRange {
    fileprivate var upper: Any? { upperBound }
    fileprivate var includesUpper: Bool { true }
}

// MARK: - Texts

extension TextSearch {
    static var isOfData: Bool { Base.Output.self == Data.self }

    fileprivate func lowered(
        _ textOperator: ScanTextOperator, _ needle: some Foundation.PredicateExpression,
        in lowering: FoundationPredicateLowering
    ) throws(FoundationPredicateError) -> LoweredExpression {
        guard Base.Output.self == String.self || Self.isOfData else {
            throw .unsupported(Self.self, "of something other than texts.")
        }
        return .condition(
            try lowering.search(
                try lowering.lower(base), textOperator, try lowering.lower(needle), Self.self))
    }
}

extension PredicateExpressions.CollectionContainsCollection: TextSearch {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    { try lowered(.contains, other, in: lowering) }
}

extension PredicateExpressions.SequenceStartsWith: TextSearch {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
    { try lowered(.beginsWith, prefix, in: lowering) }
}
