import Foundation
import FreeholdStorage

/// How comparisons of one type of expression are taken apart without dynamic casts, which take
/// most of the time of a short lowering: the casts are made once for each type and class, and
/// what is remembered are the types that they led to. Values are then read as what they are
/// known to be.
struct DirectForm {
    /// The expression's.
    let type: ObjectIdentifier
    private let comparison: any DirectComparison.Type
    private let property: any DirectProperty.Type
    private let constant: any DirectConstant.Type

    /// Nil of an expression that is no comparison of a property with a value.
    init?<Expression>(of type: Expression.Type) {
        guard let comparison = type as? any DirectComparison.Type,
            let property = comparison.left as? any DirectProperty.Type,
            let constant = comparison.right as? any DirectConstant.Type
        else { return nil }
        self.type = ObjectIdentifier(type)
        self.comparison = comparison
        self.property = property
        self.constant = constant
    }

    /// Nil where it has to go a longer way.
    func scan<Expression>(_ expression: Expression, for binding: ClassBinding) -> ScanPredicate? {
        comparison.scan(expression, self, for: binding)
    }

    func scan<Left, Right>(
        _ left: Left, _ comparison: ScanComparison, _ right: Right, for binding: ClassBinding
    ) -> ScanPredicate? {
        guard let keyPath = property.keyPath(of: left),
            let path = binding.knownPredicatePath(keyPath), let value = constant.value(of: right)
        else { return nil }
        return .compare(path, comparison, value)
    }
}

/// A comparison, by its type.
protocol DirectComparison {
    static var left: Any.Type { get }
    static var right: Any.Type { get }
    /// - Parameter expression: Of this type.
    static func scan<Expression>(
        _ expression: Expression, _ form: DirectForm, for binding: ClassBinding
    ) -> ScanPredicate?
}

extension PredicateExpressions.Equal: DirectComparison {
    static var left: Any.Type { LHS.self }
    static var right: Any.Type { RHS.self }

    static func scan<Expression>(
        _ expression: Expression, _ form: DirectForm, for binding: ClassBinding
    ) -> ScanPredicate? {
        // No optional of this type, whose metadata would have to be looked up.
        guard Expression.self == Self.self else { return nil }
        let known = unsafeBitCast(expression, to: Self.self)
        return form.scan(known.lhs, .equal, known.rhs, for: binding)
    }
}

extension PredicateExpressions.NotEqual: DirectComparison {
    static var left: Any.Type { LHS.self }
    static var right: Any.Type { RHS.self }

    static func scan<Expression>(
        _ expression: Expression, _ form: DirectForm, for binding: ClassBinding
    ) -> ScanPredicate? {
        // No optional of this type, whose metadata would have to be looked up.
        guard Expression.self == Self.self else { return nil }
        let known = unsafeBitCast(expression, to: Self.self)
        return form.scan(known.lhs, .notEqual, known.rhs, for: binding)
    }
}

extension PredicateExpressions.Comparison: DirectComparison {
    static var left: Any.Type { LHS.self }
    static var right: Any.Type { RHS.self }

    static func scan<Expression>(
        _ expression: Expression, _ form: DirectForm, for binding: ClassBinding
    ) -> ScanPredicate? {
        guard Expression.self == Self.self else { return nil }
        let known = unsafeBitCast(expression, to: Self.self)
        guard let comparison = known.directOperator else { return nil }
        return form.scan(known.lhs, comparison, known.rhs, for: binding)
    }
}

extension ClassBinding {
    /// The short way for a predicate; nil where it has to go the long way. A cast for each type
    /// of expression, once.
    func directScan<Expression: StandardPredicateExpression>(_ expression: Expression)
        -> ScanPredicate?
    {
        if let form = knownForm(ObjectIdentifier(Expression.self)),
            let scan = form.scan(expression, for: self)
        {
            return scan
        }
        guard let scan = (expression as? any DirectCondition)?.scan(for: self, depth: 0) else {
            return nil
        }
        if let form = DirectForm(of: Expression.self) { noteForm(form) }
        return scan
    }
}
