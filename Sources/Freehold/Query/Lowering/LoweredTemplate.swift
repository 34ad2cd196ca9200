import FreeholdStorage

/// A ``PredicateTemplate`` lowered for one class of one realm, except for its arguments.
enum LoweredTemplate {
    /// Has no arguments.
    case fixed(ScanPredicate)
    /// A comparison of a property with an argument.
    case comparison(QuickComparison)
    /// A comparison that is lowered each time, with the argument at a position as its right side.
    indirect case unlowered(PredicateComparison, argument: Int)
    case and([LoweredTemplate])
    case or([LoweredTemplate])
    indirect case not(LoweredTemplate)

    /// Returns nil if that would save nothing, or if the template cannot be lowered.
    init?(_ template: PredicateTemplate, for binding: ClassBinding) {
        guard template.clauses.isEmpty else { return nil }
        var position = 0
        guard
            let lowered = LoweredTemplate.lowered(
                template.node, PredicateLowering(binding: binding), template.arguments, &position)
        else { return nil }
        self = lowered
    }

    private static func lowered(
        _ node: PredicateNode, _ lowering: PredicateLowering, _ arguments: [Int?],
        _ position: inout Int
    ) -> LoweredTemplate? {
        func all(_ nodes: [PredicateNode]) -> [LoweredTemplate]? {
            var templates: [LoweredTemplate] = []
            for node in nodes {
                guard let template = lowered(node, lowering, arguments, &position) else {
                    return nil
                }
                templates.append(template)
            }
            return templates
        }
        switch node {
        case .constant(let value): return .fixed(value ? .all : .none)
        case .and(let operands): return all(operands).map { .and($0) }
        case .or(let operands): return all(operands).map { .or($0) }
        case .not(let operand):
            return lowered(operand, lowering, arguments, &position).map { .not($0) }
        case .member, .agreement: return nil
        case .comparison(let comparison):
            if case .subqueryCount = comparison.left { return nil }
            if case .subqueryCount = comparison.right { return nil }
            let argument = arguments[position]
            position += 1
            guard let argument else {
                return (try? lowering.condition(comparison)).map { .fixed($0) }
            }
            return quick(comparison, lowering, argument)
                ?? .unlowered(comparison, argument: argument)
        }
    }

    /// Returns the comparison of one property with a value of its own type.
    private static func quick(
        _ comparison: PredicateComparison, _ lowering: PredicateLowering, _ argument: Int
    ) -> LoweredTemplate? {
        guard comparison.quantifier == .direct, comparison.options.isEmpty,
            case .keyPath(let steps) = comparison.left,
            let operation = comparison.operation.comparison,
            let path = try? lowering.resolve(steps), path.hops.isEmpty,
            case .column(let scan) = path.place,
            (try? lowering.check(comparison.operation, [], for: path.type)) != nil
        else { return nil }
        return .comparison(
            QuickComparison(
                KnownColumn(path: scan, type: path.type.type), operation, argument: argument,
                comparison))
    }
}

extension LoweredTemplate {
    /// Returns the predicate with arguments; nil if one is missing or does not fit. The parser
    /// and ``PredicateLowering`` then report the error.
    func predicate(_ values: [Any?], for binding: ClassBinding) -> ScanPredicate? {
        switch self {
        case .fixed(let predicate): return predicate
        case .comparison(let quick):
            if let predicate = quick.predicate(values) { return predicate }
            return LoweredTemplate.predicate(values, for: binding, quick.unlowered, quick.argument)
        case .unlowered(let comparison, let argument):
            return LoweredTemplate.predicate(values, for: binding, comparison, argument)
        case .and(let operands):
            return LoweredTemplate.all(operands, values, binding).map { .and($0) }
        case .or(let operands):
            return LoweredTemplate.all(operands, values, binding).map { .or($0) }
        case .not(let operand): return operand.predicate(values, for: binding).map { .not($0) }
        }
    }

    private static func all(
        _ operands: [LoweredTemplate], _ values: [Any?], _ binding: ClassBinding
    ) -> [ScanPredicate]? {
        var predicates: [ScanPredicate] = []
        predicates.reserveCapacity(operands.count)
        for operand in operands {
            guard let predicate = operand.predicate(values, for: binding) else { return nil }
            predicates.append(predicate)
        }
        return predicates
    }

    @inline(never)
    private static func predicate(
        _ values: [Any?], for binding: ClassBinding, _ comparison: PredicateComparison,
        _ argument: Int
    ) -> ScanPredicate? {
        guard argument < values.count else { return nil }
        let right = PredicateExpression(argument: values[argument])
        return try? PredicateLowering(binding: binding).condition(comparison.with(right: right))
    }
}

/// A comparison with an argument, of one property of the class or behind to-one links. A class,
/// so that it can be read in place.
final class QuickComparison {
    let column: KnownColumn
    let comparison: ScanComparison
    /// The argument's position.
    let argument: Int
    /// The comparison for arguments that must be converted.
    let unlowered: PredicateComparison

    init(
        _ column: KnownColumn, _ comparison: ScanComparison, argument: Int,
        _ unlowered: PredicateComparison
    ) {
        self.column = column
        self.comparison = comparison
        self.argument = argument
        self.unlowered = unlowered
    }

    /// Returns nil if the argument is missing, or must be converted.
    func predicate(_ values: [Any?]) -> ScanPredicate? {
        func constant<Value>(_ value: Value) -> PredicateConstant? {
            PredicateConstant(common: value)
        }
        guard argument < values.count, let value = values[argument],
            let constant = _openExistential(value, do: constant)
        else { return nil }
        return column.compared(comparison, constant)
    }
}
