import Foundation

extension Query {
    /// Makes a query outside of any closure, for tests of expressions.
    public static func _constructForTesting() -> Query<T> { Query<T>() }

    /// Returns the expression as a predicate string with placeholders, and their values; nil is
    /// an `NSNull`. For tests and logs.
    ///
    ///     ((age > %@) && (name BEGINSWITH[c] %@))
    ///
    /// Traps if the expression fits no class.
    public func _constructPredicate() -> (String, [Any]) {
        var format = QueryFormat()
        format.append(unwrapQuery { () throws(QueryError) in try form.resolved(isPlain: false) })
        return (format.text, format.arguments)
    }
}

extension QueryForm {
    /// The expression for messages.
    var formatted: String {
        guard let condition = try? resolved(isPlain: false) else { return "an expression" }
        var format = QueryFormat()
        format.append(value: condition)
        return "(\"\(format.text)\", \(format.arguments))"
    }
}

/// Writes an expression as Realm does: every comparison in parentheses, every constant as a
/// placeholder.
private struct QueryFormat {
    private(set) var text = ""
    private(set) var arguments: [Any] = []

    // MARK: Conditions

    /// - Parameter prefix: "NOT " for a negated condition; in a comparison, it is written inside
    ///   of the parentheses.
    mutating func append(_ node: PredicateNode, prefix: String = "") {
        switch node {
        case .constant(let value):
            text += prefix + "%@"
            arguments.append(value)
        case .comparison(let comparison) where comparison.isImplied:
            append(comparison.left, comparison.quantifier)
            text += prefix.isEmpty ? " == true" : " == false"
        case .comparison(let comparison): append(comparison, prefix)
        case .member: append(node.expanded, prefix: prefix)
        case .agreement(let a, let b, let isWanted):
            text += "(" + prefix
            append(value: a)
            text += isWanted ? " == " : " != "
            append(value: b)
            text += ")"
        case .and(let operands): combine(operands, "&&", prefix)
        case .or(let operands): combine(operands, "||", prefix)
        case .not(let operand): append(operand, prefix: prefix.isEmpty ? "NOT " : "")
        }
    }

    /// Writes a condition in place of a value, such as a boolean property.
    mutating func append(value node: PredicateNode) {
        guard case .comparison(let comparison) = node, comparison.isImplied else {
            return append(node)
        }
        append(comparison.left, comparison.quantifier)
    }

    /// Writes `((a && b) && c)`, in the order of combination. Not recursive, so a chain may have
    /// any length.
    private mutating func combine(_ terms: [PredicateNode], _ operation: String, _ prefix: String) {
        text += prefix + String(repeating: "(", count: terms.count - 1)
        append(terms[0])
        for term in terms.dropFirst() {
            text += " \(operation) "
            append(term)
            text += ")"
        }
    }

    private mutating func append(_ comparison: PredicateComparison, _ prefix: String) {
        text += "(" + prefix
        append(comparison.left, comparison.quantifier)
        text += " \(comparison.operation.text)\(comparison.options.text) "
        if comparison.operation == .between, case .list(let bounds) = comparison.right {
            text += "{%@, %@}"
            arguments += bounds.map(\.argument)
        } else {
            append(comparison.right, comparison.quantifier)
        }
        text += ")"
    }

    // MARK: Values

    private mutating func append(
        _ expression: PredicateExpression, _ quantifier: PredicateComparison.Quantifier
    ) {
        switch expression {
        case .constant(let constant):
            text += "%@"
            arguments.append(constant.argument)
        case .list(let constants):
            text += "%@"
            arguments.append(constants.map(\.argument))
        case .keyPath(let steps):
            if quantifier == .any, steps.isAny { text += "ANY " }
            append(steps)
        case .subqueryCount(let collection, let variable, let condition):
            text += "SUBQUERY("
            append(collection)
            text += ", $\(variable), "
            append(condition)
            text += ").@count"
        }
    }

    private mutating func append(_ steps: [PredicateStep]) {
        if steps.isEmpty { text += "self" }
        for (index, step) in steps.enumerated() {
            switch step.plain {
            case .key(let key):
                text += "[%@]"
                arguments.append(key)
            case .index(let position):
                text += "[%@]"
                arguments.append(position)
            case .anyElement:
                text += "[%K]"
                arguments.append("#any")
            // A keyword is a name only after a "#".
            case .property(let name)
            where index == 0 && steps.count == 1 && PredicateKeyword(word: name) != nil:
                text += "#" + name
            default: text += (index == 0 ? "" : ".") + step.text
            }
        }
    }
}

extension PredicateConstant {
    /// The value as an argument of a predicate string.
    fileprivate var argument: Any {
        switch self {
        case .bool(let value): value
        case .int(let value): Int(value)
        case .float(let value): value
        case .double(let value): value
        case .string(let value): value
        case .data(let value): value
        case .date(let value): value
        case .fixed(let value): value.value
        case .decimal(let value): value
        case .object(let object): object.original.object ?? NSNull()
        case .members(let members): members.original.object ?? NSNull()
        case .list(let elements): elements.map(\.argument)
        case .dictionary(let entries): entries.mapValues(\.argument)
        case .null: NSNull()
        case .geo(let shape): shape.value
        case .unsupported(let description): description
        }
    }
}
