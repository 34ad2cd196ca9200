/// What an expression of a typed query stands for: a value, or a condition in the tree of all
/// front ends.
///
/// A property and its comparison with a constant, by far the commonest expressions, take no path.
/// Three words: one of more than four is passed in memory, and each copy of a `Query` of it asks
/// the runtime for the type's description.
enum QueryForm {
    /// The object that the query is about.
    case object
    /// A property of that object.
    case member(PredicateMember)
    /// What steps from that object lead to.
    case path([PredicateStep])
    /// How many elements of the one collection that a condition names satisfy it.
    case count(of: PredicateNode, depth: Int)
    case condition(PredicateNode, depth: Int)
    /// A conjunction or a disjunction.
    case chain(QueryChain)
}

/// The operands of `a && b && c`, which nests to the left, to any length: such a chain counts as
/// one level.
///
/// A longer chain adds to the operands of a shorter one, so that each operator takes O(1).
struct QueryChain {
    /// Shared with shorter chains, which have the first ones only.
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
    /// Whether it is a value: the query's object, or what a path leads to.
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
        // Which collection it is depends on the subqueries around it.
        case .count(let condition, _):
            .subqueryCount(collection: [], variable: "", condition: condition)
        case .condition, .chain: QueryErrors.valueInsteadOfCondition.trap()
        }
    }

    /// The condition. A value is true if it equals true.
    var condition: PredicateNode {
        switch self {
        case .condition(let node, _): node
        case .chain(let chain): chain.node
        case .member(let member): QueryForm.holds(.member(member))
        case .object, .path, .count: QueryForm.holds(expression)
        }
    }

    private static func holds(_ value: PredicateExpression) -> PredicateNode {
        .comparison(
            PredicateComparison(
                quantifier: value.isAny ? .any : .direct, left: value, operation: .equal,
                right: .constant(.bool(true)),
                isImplied: true))
    }

    /// How deep its tree is. O(1).
    var depth: Int {
        switch self {
        case .object, .member: 0
        case .path(let steps): max(0, steps.count - 1)
        case .count(_, let depth), .condition(_, let depth): depth
        case .chain(let chain): chain.depth
        }
    }

    /// The depth of a tree around another one. Everything that is done with a tree recurses into
    /// it, so its depth has a limit: traps beyond it.
    static func depth(around depth: Int) -> Int {
        if depth < PredicateLimits.maximumCombinedDepth { return depth + 1 }
        QueryErrors.tooDeep.trap()
    }
}

extension PredicateMember {
    /// Traps if the key path does not lead to a persisted property.
    var knownSteps: [PredicateStep] { unwrapQuery { () throws(QueryError) in try steps() } }
}
