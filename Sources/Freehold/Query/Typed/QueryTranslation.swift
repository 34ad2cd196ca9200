import Foundation
import FreeholdStorage

/// Says a ``QueryNode`` as the tree that all front ends share.
///
/// A path over a collection that does not end in an operator on it is about any of its
/// elements; so is the comparison that has it on its left.
struct QueryTranslation {
    /// Around the condition, the innermost last.
    var around: [QuerySubquery] = []
    /// How many subqueries were begun: their variables are `col1`, `col2` and so on.
    private var subqueries = 0
    /// The named steps whose type the caller claims, for who can check it.
    private(set) var claims: [Claim] = []

    struct Claim {
        let steps: [PredicateStep]
        let type: PropertyType
        let isCollection: Bool
    }

    /// Steps, and where in them collections are.
    struct Path {
        var steps: [PredicateStep] = []
        /// The position behind each collection.
        var collections: [Int] = []
        /// The same, of those whose elements the path is about.
        var open: [Int] = []

        var isAny: Bool { !open.isEmpty }
    }

    init() {}

    // MARK: Conditions

    mutating func condition(_ node: QueryNode) throws(QueryError) -> PredicateNode {
        switch node {
        case .root, .property, .step, .subqueryCount:
            return try compared(node, .equal, .constant(.bool(true)), [])
        case .comparison(let comparison):
            return try compared(
                .property(comparison.path), PredicateComparison.Operation(comparison.comparison),
                PredicateExpression(comparison.constant), [])
        case .outcome(let operand, let comparison, let constant):
            let operand = operand.node
            if operand.isValue {
                return try compared(
                    operand, PredicateComparison.Operation(comparison),
                    PredicateExpression(constant), [])
            }
            guard comparison == .equal || comparison == .notEqual else {
                throw QueryErrors.orderOfConditions
            }
            guard case .value(.boolean(let expected)) = constant else {
                throw QueryErrors.valueInsteadOfCondition
            }
            let condition = try condition(operand)
            return expected == (comparison == .equal) ? condition : .not(condition)
        case .comparisonOfNodes(let left, let comparison, let right):
            let (left, right) = (left.node, right.node)
            if left.isValue, right.isValue {
                return try compared(left, PredicateComparison.Operation(comparison), right, [])
            }
            guard comparison == .equal || comparison == .notEqual else {
                throw QueryErrors.orderOfConditions
            }
            let (a, b) = (try condition(left), try condition(right))
            if a.size + b.size > PredicateLimits.maximumSize / 2 { throw QueryErrors.tooLarge }
            let equal = PredicateNode.or([.and([a, b]), .not(.or([a, b]))])
            return comparison == .equal ? equal : .not(equal)
        case .between(let operand, let lower, let upper, let includesUpper):
            let (lower, upper) = (PredicateConstant(lower), PredicateConstant(upper))
            if includesUpper { return try compared(operand, .between, .list([lower, upper]), []) }
            return .and([
                try compared(operand, .greaterOrEqual, .constant(lower), []),
                try compared(operand, .less, .constant(upper), []),
            ])
        case .membership(let operand, let constants):
            return try compared(
                operand.node, .isIn, .list(constants.map { PredicateConstant($0) }), [])
        case .place(let operand, let shape):
            return try compared(operand, .isIn, .constant(.geo(shape)), [])
        case .fullText(let operand, let query):
            return try compared(operand, .fullText, .constant(.string(query)), [])
        case .element(let constant, let collection):
            let path = try path(collection)
            return .comparison(
                PredicateComparison(
                    quantifier: .direct, left: PredicateExpression(constant), operation: .isIn,
                    right: .keyPath(path.steps), options: []))
        case .text(let operand, let operation, let constant, let options):
            return try compared(
                operand, PredicateComparison.Operation(operation),
                .constant(PredicateConstant(constant)), options)
        case .textOfNodes(let left, let operation, let right, let options):
            return try compared(left, PredicateComparison.Operation(operation), right, options)
        case .and:
            return .and(
                try node.conjunctionTerms.map { node throws(QueryError) in try condition(node) })
        case .or:
            return .or(
                try node.disjunctionTerms.map { node throws(QueryError) in try condition(node) })
        case .not(let operand): return .not(try condition(operand.node))
        }
    }

    private mutating func compared(
        _ left: QueryNode, _ operation: PredicateComparison.Operation, _ right: PredicateExpression,
        _ options: StringOptions
    ) throws(QueryError) -> PredicateNode {
        let (left, isAny) = try expression(left)
        return .comparison(
            PredicateComparison(
                quantifier: isAny ? .any : .direct, left: left, operation: operation, right: right,
                options: options))
    }

    private mutating func compared(
        _ left: QueryNode, _ operation: PredicateComparison.Operation, _ right: QueryNode,
        _ options: StringOptions
    ) throws(QueryError) -> PredicateNode {
        let (first, isFirstAny) = try expression(left)
        let (second, isSecondAny) = try expression(right)
        if isFirstAny, isSecondAny { throw PredicateErrors.twoCollections }
        return .comparison(
            PredicateComparison(
                quantifier: isFirstAny || isSecondAny ? .any : .direct, left: first,
                operation: operation, right: second, options: options))
    }

    // MARK: Values

    private mutating func expression(_ node: QueryNode) throws(QueryError) -> (
        PredicateExpression, isAny: Bool
    ) {
        if case .subqueryCount(let condition) = node { return (try count(condition.node), false) }
        guard node.isValue else { throw QueryErrors.valueInsteadOfCondition }
        let path = try path(node)
        return (.keyPath(path.steps), path.isAny)
    }

    private mutating func count(_ node: QueryNode) throws(QueryError) -> PredicateExpression {
        var condition = PredicateNode.constant(true)
        let (collection, variable) = try inSubquery(of: node) { translation throws(QueryError) in
            condition = try translation.condition(node)
        }
        return .subqueryCount(collection: collection, variable: variable, condition: condition)
    }

    /// Goes through the condition of a subquery.
    mutating func inSubquery(
        of node: QueryNode, _ body: (inout QueryTranslation) throws(QueryError) -> Void
    ) throws(QueryError) -> (collection: [PredicateStep], variable: String) {
        subqueries += 1
        let found = try subquery(of: node, variable: "col\(subqueries)")
        around.append(found)
        defer { around.removeLast() }
        try body(&self)
        return (found.collection, found.variable)
    }

    /// The path of a node; in the condition of a subquery seen from the element, if it begins
    /// with the collection. What begins with no collection of a subquery around it is seen from
    /// the query's object.
    mutating func path(_ node: QueryNode) throws(QueryError) -> Path {
        var path = try wholePath(node)
        guard let subquery = QuerySubquery.innermost(of: around, containing: path.steps) else {
            return path
        }
        // To the values of a map from one of them is no step.
        let end =
            path.steps.dropFirst(subquery.whole.count).first == .operation(.allValues)
            ? subquery.whole.count + 1 : subquery.whole.count
        path.steps = [.variable(subquery.variable)] + path.steps[end...]
        path.collections = path.collections.compactMap { $0 > end ? $0 - end + 1 : nil }
        path.open = path.open.compactMap { $0 > end ? $0 - end + 1 : nil }
        return path
    }

    /// The path of a node, seen from the query's object.
    mutating func wholePath(_ node: QueryNode) throws(QueryError) -> Path {
        switch node {
        case .property(let property):
            var path = Path()
            try append(property, to: &path)
            return path
        case .step(let base, let step):
            var path = try wholePath(base.node)
            try append(step, to: &path)
            return path
        default: return Path()
        }
    }

    private mutating func append(_ step: QueryStep, to path: inout Path) throws(QueryError) {
        if KeyPathLimit.isExceeded(by: path.steps) {
            throw PredicateErrors.longKeyPath(PredicateStep.keyPath(of: path.steps))
        }
        switch step {
        case .member(let property): try append(property, to: &path)
        case .operation(let operation):
            path.steps.append(.operation(operation))
            if operation == .count { _ = path.open.popLast() }
        case .aggregate(let operation):
            let position = path.open.popLast() ?? path.steps.count
            path.steps.insert(.operation(operation), at: position)
        case .mapKey(let key):
            if !around.isEmpty { throw QueryErrors.subqueryWithKey }
            path.steps.append(.key(key))
            _ = path.open.popLast()
        case .inner(let step):
            if !around.isEmpty { throw QueryErrors.subqueryInsideOfAny }
            path.steps.append(step)
        }
    }

    private mutating func append(_ property: QueryPath, to path: inout Path) throws(QueryError) {
        if let parent = property.parent?.path { try append(parent, to: &path) }
        if let named = property.parent?.named {
            path.steps.append(.property(named.name))
            if let type = named.type {
                claims.append(
                    Claim(steps: path.steps, type: type, isCollection: named.isCollection))
            }
            if named.isCollection { path.noteCollection() }
            return
        }
        let names = KeyPathNames.names(of: property.keyPath, from: property.root)
        if names.isEmpty { throw QueryErrors.notPersisted(property.keyPath) }
        path.steps += names.map { .property($0) }
        if isCollection(type(of: property.keyPath).valueType) { path.noteCollection() }
    }
}

extension QueryTranslation.Path {
    fileprivate mutating func noteCollection() {
        collections.append(steps.count)
        open.append(steps.count)
    }
}

extension PredicateExpression {
    fileprivate init(_ constant: QueryConstant) { self.init(PredicateConstant(constant)) }
}

/// What is wrong with a query expression before any class is looked at.
enum QueryErrors {
    static let valueInsteadOfCondition = QueryError(
        "Predicate expressions must compare a keypath and another keypath or a constant value",
        remedy: "The closure gave a value. Compare it with something.")

    static let orderOfConditions = QueryError(
        "Predicate expressions must compare a keypath and another keypath or a constant value",
        remedy: "Conditions can be compared with == and != only.")

    static let subqueryWithoutCollection = QueryError(
        "Subqueries must contain a keypath starting with a collection.",
        remedy:
            "'(condition).count' counts the elements of the collection that the condition names.")

    static let subqueryOfSeveral = QueryError(
        "Subqueries must contain a keypath starting with a collection.",
        remedy:
            """
            The condition names several collections. Count the elements of one collection \
            for each subquery.
            """
    )

    static let subqueryWithKey = QueryError(
        "Subqueries do not support map subscripts.",
        remedy: "Take the condition on the map's key out of the subquery.")

    static let subqueryInsideOfAny = QueryError(
        "Subqueries do not support AnyRealmValue subscripts.",
        remedy: "Take the condition on what is inside of the value out of the subquery.")

    static func notPersisted(_ keyPath: AnyKeyPath) -> QueryError {
        QueryError(
            "Key path '\(keyPath)' does not lead to a persisted property",
            remedy:
                """
                Only persisted properties can be queried: mark it with @Persisted, or \
                filter a Swift array.
                """
        )
    }
}

/// Whether a property of a type has many values.
func isCollection(_ type: Any.Type) -> Bool {
    type is any RealmCollection.Type || type is any RealmKeyedCollection.Type
}
