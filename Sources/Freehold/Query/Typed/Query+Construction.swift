import Foundation
import FreeholdStorage

extension Query {
    /// A query of its own, outside of any closure, for tests of expressions.
    public static func _constructForTesting() -> Query<T> { Query<T>() }

    /// The expression as a predicate string with placeholders, and their values; nil is an
    /// `NSNull`. For tests and logs.
    ///
    ///     ((age > %@) && (name BEGINSWITH[c] %@))
    ///
    /// Traps if the expression fits no class.
    public func _constructPredicate() -> (String, [Any]) {
        var format = QueryFormat()
        unwrapQuery { () throws(QueryError) in try format.appendRoot(node) }
        return (format.text, format.arguments)
    }
}

extension QueryNode {
    /// The expression for messages.
    var formatted: String {
        var format = QueryFormat()
        guard (try? format.append(value: self)) != nil else { return "an expression" }
        return "(\"\(format.text)\", \(format.arguments))"
    }
}

/// Writes an expression as Realm does: every comparison in parentheses, every constant as a
/// placeholder.
struct QueryFormat {
    private(set) var text = ""
    private(set) var arguments: [Any] = []
    private var translation = QueryTranslation()

    init() {}

    /// A condition. A boolean property by itself is compared with true.
    mutating func appendRoot(_ node: QueryNode) throws(QueryError) { try append(condition: node) }

    // MARK: Conditions

    /// - Parameter prefix: "NOT " in front of what is negated; it belongs inside of the
    ///   parentheses of a comparison.
    private mutating func append(condition node: QueryNode, prefix: String = "") throws(QueryError)
    {
        switch node {
        case .root, .property, .step, .subqueryCount:
            try append(value: node)
            text += prefix.isEmpty ? " == true" : " == false"
        case .comparison(let node):
            try compare(.property(node.path), node.comparison.text, node.constant, prefix)
        case .outcome(let operand, let comparison, let constant):
            try compare(operand.node, comparison.text, constant, prefix)
        case .comparisonOfNodes(let left, let comparison, let right):
            try compare(left.node, comparison.text, right.node, prefix)
        case .between(let operand, let lower, let upper, let includesUpper):
            guard includesUpper else {
                let operand = QueryOperand(operand)
                return try append(
                    condition: .and(
                        .outcome(operand, .greaterOrEqual, lower), .outcome(operand, .less, upper)),
                    prefix: prefix)
            }
            text += "(" + prefix
            try append(value: operand)
            text += " BETWEEN {%@, %@})"
            arguments += [lower.argument, upper.argument]
        case .membership(let operand, let constants):
            text += "(" + prefix
            try append(value: operand.node)
            text += " IN %@)"
            arguments.append(constants.map(\.argument))
        case .place(let operand, let shape):
            text += "(" + prefix
            try append(value: operand)
            text += " IN %@)"
            arguments.append(shape.value)
        case .fullText(let operand, let query):
            text += "(" + prefix
            try append(value: operand)
            text += " TEXT %@)"
            arguments.append(query)
        case .element(let constant, let collection):
            text += "(" + prefix + "%@ IN "
            arguments.append(constant.argument)
            append(try translation.path(collection).steps)
            text += ")"
        case .text(let operand, let operation, let constant, let options):
            try compare(operand, operation.text + options.text, constant, prefix)
        case .textOfNodes(let left, let operation, let right, let options):
            try compare(left, operation.text + options.text, right, prefix)
        case .and: try combine(node.conjunctionChain, "&&", prefix)
        case .or: try combine(node.disjunctionChain, "||", prefix)
        case .not(let operand):
            try append(condition: operand.node, prefix: prefix.isEmpty ? "NOT " : "")
        }
    }

    /// `((a && b) && c)`, as they were combined. A chain of any length is no recursion.
    private mutating func combine(_ terms: [QueryNode], _ operation: String, _ prefix: String)
        throws(QueryError)
    {
        text += prefix + String(repeating: "(", count: terms.count - 1)
        try append(condition: terms[0])
        for term in terms.dropFirst() {
            text += " \(operation) "
            try append(condition: term)
            text += ")"
        }
    }

    private mutating func compare(
        _ left: QueryNode, _ operation: String, _ right: QueryConstant, _ prefix: String
    ) throws(QueryError) {
        text += "(" + prefix
        try append(value: left)
        text += " \(operation) %@)"
        arguments.append(right.argument)
    }

    private mutating func compare(
        _ left: QueryNode, _ operation: String, _ right: QueryNode, _ prefix: String
    ) throws(QueryError) {
        if left.isValue, right.isValue, try isAny(left), try isAny(right) {
            throw PredicateErrors.twoCollections
        }
        text += "(" + prefix
        try append(value: left)
        text += " \(operation) "
        try append(value: right)
        text += ")"
    }

    // MARK: Values

    private mutating func isAny(_ node: QueryNode) throws(QueryError) -> Bool {
        if case .subqueryCount = node { return false }
        return try translation.path(node).isAny
    }

    /// A property, a count, or a condition in the place of one.
    mutating func append(value node: QueryNode) throws(QueryError) {
        switch node {
        case .subqueryCount(let condition):
            // The text of the condition comes behind the collection, which is found in it.
            var inner = QueryFormat()
            let (collection, variable) = try translation.inSubquery(of: condition.node) {
                translation throws(QueryError) in
                inner.translation = translation
                try inner.append(condition: condition.node)
                translation = inner.translation
            }
            text += "SUBQUERY("
            append(collection)
            text += ", $\(variable), \(inner.text)).@count"
            arguments += inner.arguments
        case .root, .property, .step:
            let path = try translation.path(node)
            if path.isAny { text += "ANY " }
            append(path.steps)
        default: try append(condition: node)
        }
    }

    private mutating func append(_ steps: [PredicateStep]) {
        if steps.isEmpty { text += "self" }
        for (index, step) in steps.enumerated() {
            switch step {
            case .key(let key):
                text += "[%@]"
                arguments.append(key)
            case .index(let position):
                text += "[%@]"
                arguments.append(position)
            case .anyElement:
                text += "[%K]"
                arguments.append("#any")
            // A word of the language is a name only behind a "#".
            case .property(let name)
            where index == 0 && steps.count == 1 && PredicateKeyword(word: name) != nil:
                text += "#" + name
            default: text += (index == 0 ? "" : ".") + step.text
            }
        }
    }
}

extension QueryConstant {
    /// The value as an argument of a predicate string.
    fileprivate var argument: Any {
        if case .object(let object) = self { return object }
        if case .members(let object) = self { return object }
        if case .nested(let value) = self { return value }
        switch PredicateConstant(self) {
        case .bool(let value): return value
        case .int(let value): return Int(value)
        case .float(let value): return value
        case .double(let value): return value
        case .string(let value): return value
        case .data(let value): return value
        case .date(let value): return value
        case .objectId(let value): return value
        case .uuid(let value): return value
        case .decimal(let value): return value
        case .null, .object, .members, .list, .dictionary: return NSNull()
        case .geo(let shape): return shape.value
        case .unsupported(let description): return description
        }
    }
}

extension ScanComparison {
    fileprivate var text: String { PredicateComparison.Operation(self).text }
}

extension ScanTextOperator {
    fileprivate var text: String { PredicateComparison.Operation(self).text }
}
