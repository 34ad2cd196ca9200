import Foundation
import FreeholdStorage

/// Reads expressions of one type without dynamic casts, which take most of the time of a short
/// lowering. Covers comparisons of properties with values, and their conjunctions.
///
/// The casts are made once for each type and class, and the types found are cached. Values are
/// then read by their known types, and compared on the path that all front ends share
/// (``ClassBinding/quickly(_:_:_:isTriedOut:)``).
indirect enum ExpressionForm {
    /// A boolean property.
    case property(any ReadableProperty.Type)
    case comparison(
        any ReadableComparison.Type, any ReadableProperty.Type, any ReadableConstant.Type)
    case conjunction(any ReadableConjunction.Type, ExpressionForm, ExpressionForm)

    /// Returns nil for an expression of another form.
    /// - Parameter depth: The number of conditions around it.
    init?(of type: Any.Type, depth: Int = 0) {
        if let comparison = type as? any ReadableComparison.Type,
            let property = comparison.left as? any ReadableProperty.Type, property.isOfObject,
            let constant = comparison.right as? any ReadableConstant.Type
        {
            self = .comparison(comparison, property, constant)
        } else if let conjunction = type as? any ReadableConjunction.Type,
            depth < PredicateLimits.maximumExpressionDepth,
            let left = ExpressionForm(of: conjunction.left, depth: depth + 1),
            let right = ExpressionForm(of: conjunction.right, depth: depth + 1)
        {
            self = .conjunction(conjunction, left, right)
        } else if let property = type as? any ReadableProperty.Type, property.isOfObject,
            property.isBoolean
        {
            self = .property(property)
        } else {
            return nil
        }
    }

    /// Lowers an expression; nil if it needs the general path.
    func scan<Expression>(_ expression: Expression, for binding: ClassBinding) -> ScanPredicate? {
        switch self {
        case .property(let property):
            guard let keyPath = property.keyPath(of: expression) else { return nil }
            return binding.quickly(keyPath, .equal, .bool(true), isTriedOut: true)
        case .comparison(let comparison, _, _):
            return comparison.scan(expression, self, for: binding)
        case .conjunction(let conjunction, let left, let right):
            return conjunction.scan(expression, left, right, for: binding)
        }
    }

    fileprivate func scan<Left, Right>(
        _ left: Left, _ comparison: ScanComparison, _ right: Right, for binding: ClassBinding
    ) -> ScanPredicate? {
        guard case .comparison(_, let property, let constant) = self,
            let keyPath = property.keyPath(of: left), let value = constant.constant(of: right)
        else { return nil }
        return binding.quickly(keyPath, comparison, value, isTriedOut: true)
    }
}

extension ClassBinding {
    /// Lowers an expression that needs no tree; nil if it needs the general path.
    func quickly<Expression: StandardPredicateExpression>(_ expression: Expression)
        -> ScanPredicate?
    {
        let type = ObjectIdentifier(Expression.self)
        if let form = loweredQueries.form(of: type) { return form.scan(expression, for: self) }
        guard let form = ExpressionForm(of: Expression.self) else { return nil }
        if !core.isFrozen { loweredQueries.note(form, of: type) }
        return form.scan(expression, for: self)
    }
}

// MARK: - Properties and constants

/// An expression that is a property of the object.
protocol ReadableProperty {
    /// Whether the property is one of the object itself.
    static var isOfObject: Bool { get }
    static var isBoolean: Bool { get }
    /// Returns the key path of an expression of this type.
    static func keyPath<Expression>(of expression: Expression) -> AnyKeyPath?
}

/// An expression that is a constant of the predicate.
protocol ReadableConstant {
    /// Returns the value of an expression of this type.
    static func constant<Expression>(of expression: Expression) -> PredicateConstant?
}

/// An expression that is the object.
private protocol ReadableRoot {}

extension PredicateExpressions.Variable: ReadableRoot {}

// `Expression` is compared with the known type, not cast to it: a cast would look up the metadata
// of an optional, as would a function that returns one.

extension PredicateExpressions.KeyPath: ReadableProperty {
    static var isOfObject: Bool { Root.self is any ReadableRoot.Type }
    static var isBoolean: Bool { Output.self == Bool.self }

    static func keyPath<Expression>(of expression: Expression) -> AnyKeyPath? {
        guard Expression.self == Self.self else { return nil }
        return unsafeBitCast(expression, to: Self.self).keyPath
    }
}

extension PredicateExpressions.Value: ReadableConstant {
    static func constant<Expression>(of expression: Expression) -> PredicateConstant? {
        guard Expression.self == Self.self else { return nil }
        return PredicateConstant(unsafeBitCast(expression, to: Self.self).value)
    }
}

// MARK: - Conditions

/// A condition of two parts, by its type.
protocol ReadablePair {
    associatedtype LHS
    associatedtype RHS
    var lhs: LHS { get }
    var rhs: RHS { get }
}

extension ReadablePair {
    static var left: Any.Type { LHS.self }
    static var right: Any.Type { RHS.self }
}

protocol ReadableComparison: ReadablePair {
    /// Nil where the comparison has to go the long way.
    var comparison: ScanComparison? { get }
}

extension ReadableComparison {
    fileprivate static func scan<Expression>(
        _ expression: Expression, _ form: ExpressionForm, for binding: ClassBinding
    ) -> ScanPredicate? {
        guard Expression.self == Self.self else { return nil }
        let known = unsafeBitCast(expression, to: Self.self)
        guard let comparison = known.comparison else { return nil }
        return form.scan(known.lhs, comparison, known.rhs, for: binding)
    }
}

extension PredicateExpressions.Equal: ReadableComparison {
    var comparison: ScanComparison? { .equal }
}

extension PredicateExpressions.NotEqual: ReadableComparison {
    var comparison: ScanComparison? { .notEqual }
}

extension PredicateExpressions.Comparison: ReadableComparison {
    var comparison: ScanComparison? {
        // The general path knows the orders of all other types.
        LHS.Output.self == Int.self || LHS.Output.self == Double.self
            || LHS.Output.self == String.self || LHS.Output.self == Date.self
            ? order : nil
    }
}

protocol ReadableConjunction: ReadablePair {}

extension ReadableConjunction {
    fileprivate static func scan<Expression>(
        _ expression: Expression, _ left: ExpressionForm, _ right: ExpressionForm,
        for binding: ClassBinding
    ) -> ScanPredicate? {
        guard Expression.self == Self.self else { return nil }
        let known = unsafeBitCast(expression, to: Self.self)
        guard let first = left.scan(known.lhs, for: binding),
            let second = right.scan(known.rhs, for: binding)
        else { return nil }
        return first.conjoined(with: second)
    }
}

extension PredicateExpressions.Conjunction: ReadableConjunction {}
