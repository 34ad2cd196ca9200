import Foundation

/// Turns the expression of a Foundation predicate into the tree that all front ends share.
///
/// Every supported kind of expression is a ``LowerableExpression`` and lowers itself with the
/// help of this type. Operands are found by dynamic casts, so that an error can name an
/// unsupported one. Expressions that depend on no object are evaluated by Foundation, whatever
/// their kind.
final class FoundationPredicateLowering {
    /// The values of the variables, the innermost last.
    private var variables: [(key: PredicateExpressions.VariableID, value: LoweredExpression)] = []
    /// The names of the elements of the closures being lowered.
    private var scopes: [String] = []
    /// How many closures over collections were begun: their elements are named `col1`, `col2` and
    /// so on.
    private var closures = 0
    /// How many expressions are being lowered, nested in each other.
    private var depth = 0

    /// The greatest size of a condition. Nested choices multiply.
    private static let maximumSize = 10_000

    /// Returns the condition of a predicate.
    static func condition<Element>(_ predicate: Foundation.Predicate<Element>)
        throws(FoundationPredicateError) -> PredicateNode
    {
        let lowering = FoundationPredicateLowering()
        lowering.variables.append((predicate.variable.key, .value(.keyPath([]))))
        return try lowering.condition(predicate.expression)
    }

    func lower(_ expression: some Foundation.PredicateExpression) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        if depth >= PredicateLimits.maximumExpressionDepth { throw .tooDeep }
        depth += 1
        defer { depth -= 1 }
        let refusal: FoundationPredicateError
        if let lowerable = expression as? any LowerableExpression {
            do throws(FoundationPredicateError) {
                return try lowerable.lowered(in: self)
            } catch {
                if error.code == .limit { throw error }
                refusal = error
            }
        } else {
            refusal = .unsupported(type(of: expression))
        }
        // An expression that depends on no object has a value already. If Foundation throws, the
        // expression depends on one, or fails for every object.
        guard let value = try? expression.evaluate(PredicateBindings()) else { throw refusal }
        return .constant(flattened(value))
    }

    func condition(_ expression: some Foundation.PredicateExpression)
        throws(FoundationPredicateError) -> PredicateNode
    { try lower(expression).condition(type(of: expression)) }

    /// Throws if a condition has become too large.
    func checked(_ condition: PredicateNode, _ culprit: Any.Type) throws(FoundationPredicateError)
        -> PredicateNode
    {
        if condition.size > Self.maximumSize { throw .unsupported(culprit, "with too many cases.") }
        return condition
    }

    // MARK: Variables

    func value(of variable: PredicateExpressions.VariableID) throws(FoundationPredicateError)
        -> LoweredExpression
    {
        guard let value = variables.last(where: { $0.key == variable })?.value else {
            throw .unsupported("Variable", "which is of another predicate.")
        }
        if let scope = scopes.last, case .value(.keyPath(let steps)) = value,
            steps.first != .variable(scope)
        {
            throw .unsupported("Variable", "which is not the element that the closure is about.")
        }
        return value
    }

    /// Lowers an expression in which a variable has a value.
    func naming<Result>(
        _ variable: PredicateExpressions.VariableID, _ value: LoweredExpression,
        _ body: () throws(FoundationPredicateError) -> Result
    ) throws(FoundationPredicateError) -> Result {
        variables.append((variable, value))
        defer { variables.removeLast() }
        return try body()
    }

    /// Lowers the closure of a function of collections.
    func closure(
        over elements: LoweredCollection, _ variable: PredicateExpressions.VariableID,
        _ test: some Foundation.PredicateExpression
    ) throws(FoundationPredicateError) -> (variable: String, condition: PredicateNode) {
        let name = elements.variable ?? newName()
        scopes.append(name)
        defer { scopes.removeLast() }
        let condition = try naming(variable, .value(.keyPath([.variable(name)]))) {
            () throws(FoundationPredicateError) -> PredicateNode in try self.condition(test)
        }
        return (name, condition)
    }

    /// Returns a new name for the elements of a collection.
    func newName() -> String {
        closures += 1
        return "col\(closures)"
    }
}

/// A Foundation expression that the database can evaluate.
protocol LowerableExpression: Foundation.PredicateExpression {
    func lowered(in lowering: FoundationPredicateLowering) throws(FoundationPredicateError)
        -> LoweredExpression
}
