import Foundation
import FreeholdStorage

/// A ``PredicateTemplate`` lowered for one class of one realm, but for its arguments.
enum LoweredTemplate {
    /// Has no arguments.
    case fixed(ScanPredicate)
    /// A property that is compared with an argument.
    case comparison(QuickComparison)
    /// Lowered each time, with the argument at a position on its right side.
    indirect case unlowered(PredicateComparison, argument: Int)
    case and([LoweredTemplate])
    case or([LoweredTemplate])
    indirect case not(LoweredTemplate)

    /// Nil where that would save nothing, and of what cannot be lowered.
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

    /// The comparison of one property with a value of its own type.
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
            QuickComparison(scan, operation, path.type.type, argument: argument, comparison))
    }
}

extension LoweredTemplate {
    /// The predicate with arguments; nil where one is missing or does not fit, which is for the
    /// parser and for ``PredicateLowering`` to say.
    func predicate(_ values: [Any?], for binding: ClassBinding) -> ScanPredicate? {
        switch self {
        case .fixed(let predicate): return predicate
        case .comparison(let quick):
            if quick.argument < values.count, let value = values[quick.argument],
                let constant = ScanValue(value, exactly: quick.type)
            {
                return .compare(quick.path, quick.comparison, constant)
            }
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
        var comparison = comparison
        comparison.right = PredicateExpression(argument: values[argument])
        return try? PredicateLowering(binding: binding).condition(comparison)
    }
}

/// A comparison of one property of the class, or behind to-one links, with an argument. A
/// class, so that it is read where it is.
final class QuickComparison {
    let path: ScanPath
    let comparison: ScanComparison
    /// The property's.
    let type: PropertyType
    /// The argument's position.
    let argument: Int
    /// For arguments that have to be converted.
    let unlowered: PredicateComparison

    init(
        _ path: ScanPath, _ comparison: ScanComparison, _ type: PropertyType, argument: Int,
        _ unlowered: PredicateComparison
    ) {
        self.path = path
        self.comparison = comparison
        self.type = type
        self.argument = argument
        self.unlowered = unlowered
    }
}

extension ScanValue {
    /// The value in a column of exactly its type; nil for values of other types, which have to
    /// be converted. Asks for metatypes only, which is much cheaper than a cast.
    fileprivate init?(_ value: Any, exactly type: PropertyType) {
        switch type {
        case .string:
            guard Swift.type(of: value) == String.self, let text = value as? String else {
                return nil
            }
            self = .text(Array(text.utf8))
        case .int:
            guard Swift.type(of: value) == Int.self, let number = value as? Int else { return nil }
            self = .integer(Int64(number))
        case .double:
            guard Swift.type(of: value) == Double.self, let number = value as? Double else {
                return nil
            }
            self = .double(number)
        case .bool:
            guard Swift.type(of: value) == Bool.self, let flag = value as? Bool else { return nil }
            self = .boolean(flag)
        case .date:
            guard Swift.type(of: value) == Date.self, let date = value as? Date else { return nil }
            self = .double(date.timeIntervalSinceReferenceDate)
        case .objectId:
            guard Swift.type(of: value) == ObjectId.self, let id = value as? ObjectId else {
                return nil
            }
            self = .fixed12(id.storedWords.0, id.storedWords.1)
        case .UUID:
            guard Swift.type(of: value) == UUID.self, let id = value as? UUID else { return nil }
            self = .fixed16(id.storedWords.0, id.storedWords.1)
        default: return nil
        }
    }
}
