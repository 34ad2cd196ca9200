import Foundation
import FreeholdStorage

extension FoundationPredicateLowering {
    /// Compares two expressions, for each pair of their alternatives.
    /// - Parameter holds: Compares two constants.
    func compare(
        _ left: LoweredExpression, _ operation: PredicateComparison.Operation,
        _ right: LoweredExpression, _ culprit: Any.Type, holds: (Any?, Any?) -> Bool
    ) throws(FoundationPredicateError) -> PredicateNode {
        switch (left, right) {
        case (.constant(let a), .constant(let b)): return .constant(holds(a, b))
        case (.value(let a), .constant(let b)):
            return .comparing(a, operation, try constant(b, culprit))
        case (.constant(let a), .value(let b)):
            return .comparing(b, operation.mirrored, try constant(a, culprit))
        case (.value(let a), .value(let b)): return .comparing(a, operation, b)
        default:
            var operands: [PredicateNode] = []
            let second = try right.valueAlternatives(culprit)
            for a in try left.valueAlternatives(culprit) {
                for b in second {
                    operands.append(
                        .conjunction(
                            a.guards + b.guards + [
                                try compare(a.value, operation, b.value, culprit, holds: holds)
                            ]))
                }
            }
            return try checked(.disjunction(operands), culprit)
        }
    }

    /// Returns a single value.
    private func constant(_ value: Any?, _ culprit: Any.Type) throws(FoundationPredicateError)
        -> PredicateExpression
    {
        let constant = PredicateConstant(argument: value)
        if case .unsupported(let type) = constant {
            throw .unsupported(culprit, "of a value of type '\(type)', which no property has.")
        }
        return .constant(constant)
    }

    // MARK: Text

    /// Whether a text, or bytes, contain others or begin with them. Every text contains the empty
    /// text.
    func search(
        _ text: LoweredExpression, _ textOperator: ScanTextOperator,
        _ needle: LoweredExpression, _ culprit: Any.Type
    ) throws(FoundationPredicateError) -> PredicateNode {
        switch (text, needle) {
        case (.constant(let text), .constant(let needle)):
            guard let text = SearchedBytes(text), let needle = SearchedBytes(needle) else {
                throw .unsupported(culprit)
            }
            return .constant(
                needle.isEmpty || textOperator.holds(text.bytes, needle.bytes, [], isBytes: true))
        case (.value(let value), .constant(let needle)):
            guard let bytes = SearchedBytes(needle) else { throw .unsupported(culprit) }
            return bytes.isEmpty
                ? .constant(true)
                : .comparing(value, .text(textOperator), try constant(needle, culprit))
        case (.constant(let text), .value(let needle)):
            guard let bytes = SearchedBytes(text) else { throw .unsupported(culprit) }
            return .disjunction([
                .comparing(needle, .equal, .constant(bytes.none)),
                .comparing(try constant(text, culprit), .text(textOperator), needle),
            ])
        case (.value(let text), .value(let needle)):
            // Both have the same type, which is known once the classes are.
            return .disjunction([
                isEmpty(needle, culprit), .comparing(text, .text(textOperator), needle),
            ])
        default:
            var operands: [PredicateNode] = []
            let second = try needle.alternatives(culprit)
            for a in try text.alternatives(culprit) {
                for b in second {
                    operands.append(
                        .conjunction(
                            a.guards + b.guards + [
                                try search(a.value, textOperator, b.value, culprit)
                            ]))
                }
            }
            return try checked(.disjunction(operands), culprit)
        }
    }

    private func isEmpty(_ value: PredicateExpression, _ culprit: Any.Type) -> PredicateNode {
        .comparing(value, .equal, .constant(searchesData(culprit) ? .data(Data()) : .string("")))
    }

    private func searchesData(_ culprit: Any.Type) -> Bool {
        (culprit as? any TextSearch.Type)?.isOfData ?? false
    }
}

/// An expression that searches texts or data.
protocol TextSearch: LowerableExpression {
    associatedtype Base: Foundation.PredicateExpression
    var base: Base { get }
    static var isOfData: Bool { get }
}

/// The searched text and the wanted part.
private struct SearchedBytes {
    let bytes: [UInt8]
    /// The empty value of the searched type.
    let none: PredicateConstant

    var isEmpty: Bool { bytes.isEmpty }

    init?(_ value: Any?) {
        if let data = value as? Data {
            (bytes, none) = (Array(data), .data(Data()))
        } else if let text = value as? any StringProtocol {
            (bytes, none) = (Array(String(text).utf8), .string(""))
        } else {
            return nil
        }
    }
}

/// Compares two constants as the database does, so texts by their code points.
enum KnownValues {
    static func areEqual<Value: Equatable>(_ a: Any?, _ b: Any?, as type: Value.Type) -> Bool {
        if let a = a as? String, let b = b as? String { return a.utf8.elementsEqual(b.utf8) }
        guard let a = typed(a, as: type), let b = typed(b, as: type) else { return false }
        return a == b
    }

    static func areInOrder<Value: Comparable>(
        _ a: Any?, _ comparison: PredicateComparison.Operation, _ b: Any?, as type: Value.Type
    ) -> Bool {
        if let a = a as? String, let b = b as? String {
            return holds(
                Array(a.utf8), comparison, Array(b.utf8), by: { $0.lexicographicallyPrecedes($1) })
        }
        guard let a = typed(a, as: type), let b = typed(b, as: type) else { return false }
        return switch comparison {
        case .less: a < b
        case .lessOrEqual: a <= b
        case .greater: a > b
        default: a >= b
        }
    }

    private static func holds(
        _ a: [UInt8], _ comparison: PredicateComparison.Operation, _ b: [UInt8],
        by precedes: ([UInt8], [UInt8]) -> Bool
    ) -> Bool {
        switch comparison {
        case .less: precedes(a, b)
        case .lessOrEqual: !precedes(b, a)
        case .greater: precedes(b, a)
        default: !precedes(a, b)
        }
    }
}
