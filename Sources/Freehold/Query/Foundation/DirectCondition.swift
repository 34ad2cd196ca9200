import Foundation
import FreeholdStorage

// The short way for the commonest predicates, comparisons of single properties with values and
// their logic: a lookup by an index takes no longer than building a tree, and each dynamic cast
// takes a good part of that time. What is not of this form, or names a property for the first
// time, goes the long way.

/// A condition that may be lowered without a tree. Its only variable is the object.
protocol DirectCondition {
    /// Nil where it has to go the long way.
    /// - Parameter depth: How many conditions it is inside of.
    func scan(for binding: ClassBinding, depth: Int) -> ScanPredicate?
}

/// A property of the object.
protocol DirectProperty {
    var directKeyPath: AnyKeyPath? { get }
    /// Of an expression of this type, which is one of the object if any of the type is.
    static func keyPath<Expression>(of expression: Expression) -> AnyKeyPath?
}

/// A value that stands in the predicate.
protocol DirectConstant {
    /// As storage has it; nil of what it has not.
    var directValue: ScanValue? { get }
    /// Of an expression of this type.
    static func value<Expression>(of expression: Expression) -> ScanValue?
}

/// The object.
private protocol DirectRoot {}

extension PredicateExpressions.Variable: DirectRoot {}

extension PredicateExpressions.KeyPath: DirectProperty, DirectCondition {
    var directKeyPath: AnyKeyPath? { Root.self is any DirectRoot.Type ? keyPath : nil }

    static func keyPath<Expression>(of expression: Expression) -> AnyKeyPath? {
        Expression.self == Self.self ? unsafeBitCast(expression, to: Self.self).keyPath : nil
    }

    func scan(for binding: ClassBinding, depth: Int) -> ScanPredicate? {
        guard Output.self == Bool.self, let keyPath = directKeyPath,
            let path = binding.path(of: keyPath)
        else { return nil }
        return .compare(path, .equal, .boolean(true))
    }
}

extension PredicateExpressions.Value: DirectConstant {
    static func value<Expression>(of expression: Expression) -> ScanValue? {
        Expression.self == Self.self ? unsafeBitCast(expression, to: Self.self).directValue : nil
    }

    var directValue: ScanValue? {
        switch QueryConstant(value) {
        case .value(let value): value
        case .date(let seconds): .double(seconds)
        case .object, .members, .nested, .unsupported: nil
        }
    }
}

extension PredicateExpressions.Equal: DirectCondition {
    func scan(for binding: ClassBinding, depth: Int) -> ScanPredicate? {
        directComparison(lhs, .equal, rhs, for: binding)
    }
}

extension PredicateExpressions.NotEqual: DirectCondition {
    func scan(for binding: ClassBinding, depth: Int) -> ScanPredicate? {
        directComparison(lhs, .notEqual, rhs, for: binding)
    }
}

extension PredicateExpressions.Comparison: DirectCondition {
    func scan(for binding: ClassBinding, depth: Int) -> ScanPredicate? {
        directOperator.flatMap { directComparison(lhs, $0, rhs, for: binding) }
    }

    /// Nil of what has to go the long way, which knows which of the other types have which order.
    var directOperator: ScanComparison? {
        guard
            LHS.Output.self == Int.self || LHS.Output.self == Double.self
                || LHS.Output.self == String.self || LHS.Output.self == Date.self
        else { return nil }
        switch op {
        case .lessThan: return .less
        case .lessThanOrEqual: return .lessOrEqual
        case .greaterThan: return .greater
        case .greaterThanOrEqual: return .greaterOrEqual
        @unknown default: return nil
        }
    }
}

extension PredicateExpressions.Conjunction: DirectCondition {
    func scan(for binding: ClassBinding, depth: Int) -> ScanPredicate? {
        guard depth < PredicateLimits.maximumExpressionDepth,
            let first = (lhs as? any DirectCondition)?.scan(for: binding, depth: depth + 1),
            let second = (rhs as? any DirectCondition)?.scan(for: binding, depth: depth + 1)
        else { return nil }
        return first.conjoined(with: second)
    }
}

@inline(__always)
private func directComparison<Left, Right>(
    _ left: Left, _ comparison: ScanComparison, _ right: Right, for binding: ClassBinding
) -> ScanPredicate? {
    guard let keyPath = (left as? any DirectProperty)?.directKeyPath,
        let path = binding.path(of: keyPath),
        let value = (right as? any DirectConstant)?.directValue
    else { return nil }
    return .compare(path, comparison, value)
}

extension ClassBinding {
    /// Where the scalar property is that a key path leads to. Nil of everything else.
    fileprivate func path(of keyPath: AnyKeyPath) -> ScanPath? {
        knownPredicatePath(keyPath) ?? findPath(of: keyPath)
    }

    @inline(never)
    private func findPath(of keyPath: AnyKeyPath) -> ScanPath? {
        guard let name = PropertyKeyPath.name(of: keyPath, from: schema.type),
            let ordinal = schema.ordinal(named: name)
        else { return nil }
        let property = schema.properties[ordinal]
        guard property.shape == nil, property.objectType == nil, property.type != .any else {
            return nil
        }
        let path = ScanPath(column: columns[ordinal])
        notePredicatePath(keyPath, path)
        return path
    }
}
