/// The content of a typed query's expression: a value, or a condition in the tree that all front
/// ends share.
///
/// A property and its comparison with a constant, by far the commonest expressions, need no path.
/// The type has three words. With more than four, it would be passed in memory, and each copy of
/// its `Query` would ask the runtime for the type's description.
enum QueryForm {
    /// The object of the query.
    case object
    /// A property of that object.
    case member(PredicateMember)
    /// The value that steps from that object lead to.
    case path([PredicateStep])
    /// The number of elements that satisfy a condition, in the one collection that the condition
    /// names.
    case count(of: PredicateNode, depth: Int)
    case condition(PredicateNode, depth: Int)
    /// A conjunction or a disjunction.
    case chain(QueryChain)
}

/// The operands of `a && b && c`, which nests to the left, to any length. Such a chain counts as
/// one level.
///
/// A longer chain adds to the operands of a shorter one, so that each operator takes O(1).
struct QueryChain {
    /// Shared with shorter chains, which use only the first ones.
    private let operands: Operands
    private let count: Int
    let depth: Int

    private final class Operands {
        let isConjunction: Bool
        var nodes: [PredicateNode]

        init(isConjunction: Bool, _ nodes: [PredicateNode]) {
            self.isConjunction = isConjunction
            self.nodes = nodes
        }
    }

    /// Traps if the tree is nested too deep.
    init(_ left: QueryForm, _ right: QueryForm, isConjunction: Bool) {
        let next = right.condition
        if case .chain(let chain) = left, chain.operands.isConjunction == isConjunction {
            operands =
                chain.operands.nodes.count == chain.count
                ? chain.operands : Operands(isConjunction: isConjunction, chain.nodes)
            operands.nodes.append(next)
            count = chain.count + 1
            depth = max(chain.depth, QueryForm.depth(around: right.depth))
        } else {
            operands = Operands(isConjunction: isConjunction, [left.condition, next])
            count = 2
            depth = QueryForm.depth(around: max(left.depth, right.depth))
        }
    }

    private var nodes: [PredicateNode] {
        count == operands.nodes.count ? operands.nodes : Array(operands.nodes[..<count])
    }

    var node: PredicateNode { operands.isConjunction ? .and(nodes) : .or(nodes) }
}

extension QueryForm {
    /// Whether the expression is a value: the query's object, or the end of a path.
    var isValue: Bool {
        switch self {
        case .object, .member, .path, .count: true
        case .condition, .chain: false
        }
    }

    /// The value, for a comparison. Traps if it is a condition.
    var expression: PredicateExpression {
        switch self {
        case .object: .keyPath([])
        case .member(let member): .keyPath(member.knownSteps)
        case .path(let steps): .keyPath(steps)
        // The subqueries around it determine the collection.
        case .count(let condition, _):
            .subqueryCount(collection: [], variable: "", condition: condition)
        case .condition, .chain: QueryErrors.valueInsteadOfCondition.trap()
        }
    }

    /// The condition. A value counts as true if it equals true.
    var condition: PredicateNode {
        switch self {
        case .condition(let node, _): node
        case .chain(let chain): chain.node
        case .member(let member):
            .member(MemberComparison(member, .equal, .bool(true), isImplied: true))
        case .object, .path, .count: QueryForm.holds(expression)
        }
    }

    private static func holds(_ value: PredicateExpression) -> PredicateNode {
        .comparison(
            PredicateComparison(
                quantifier: value.isAny ? .any : .direct, left: value, operation: .equal,
                right: .constant(.bool(true)), isImplied: true))
    }

    /// The depth of the expression's tree. O(1).
    var depth: Int {
        switch self {
        case .object, .member: 0
        case .path(let steps): max(0, steps.count - 1)
        case .count(_, let depth), .condition(_, let depth): depth
        case .chain(let chain): chain.depth
        }
    }

    /// Returns the depth of a tree around another one. All operations on a tree are recursive, so
    /// its depth has a limit; traps beyond it.
    static func depth(around depth: Int) -> Int {
        if depth < PredicateLimits.maximumCombinedDepth { return depth + 1 }
        QueryErrors.tooDeep.trap()
    }
}

extension PredicateMember {
    /// Traps if the key path does not lead to a persisted property.
    var knownSteps: [PredicateStep] { unwrapQuery { () throws(QueryError) in try steps() } }
}
