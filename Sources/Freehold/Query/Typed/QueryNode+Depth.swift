/// A node inside of another one.
///
/// Everything that is done with a tree recurses into it, so its depth has a limit, which is checked
/// where the tree grows.
struct QueryOperand {
    let node: QueryNode
    /// How deep the tree of the node is.
    let depth: Int

    /// Traps if the tree is too deep.
    init(_ node: QueryNode) {
        self.node = node
        depth = node.depth
        QueryOperand.check(depth)
    }

    /// Traps if a tree cannot be inside of another one.
    static func check(_ depth: Int) {
        if depth < PredicateLimits.maximumCombinedDepth { return }
        violation(.misuse(text: QueryErrors.tooDeep.message, remedy: QueryErrors.tooDeep.remedy))
    }
}

/// Two conditions of a conjunction or a disjunction.
///
/// `a && b && c` nests to the left, to any length: such a chain counts as one level, and everything
/// that is done with it, its release included, follows it without recursion.
final class QueryPair {
    /// Changed in `deinit` only.
    private(set) var left: QueryNode
    let right: QueryNode
    /// How deep the tree is.
    let depth: Int

    /// - Parameter isChained: Whether the left condition is of the same kind as this one.
    /// Traps if the tree is too deep.
    init(_ left: QueryNode, _ right: QueryNode, isChained: Bool) {
        self.left = left
        self.right = right
        depth = max(isChained ? left.depth : left.depth + 1, right.depth + 1)
        QueryOperand.check(depth - 1)
    }

    deinit {
        guard var last = takeLeft() else { return }
        while isKnownUniquelyReferenced(&last), let next = last.takeLeft() { last = next }
    }

    private func takeLeft() -> QueryPair? {
        guard let pair = left.pair else { return nil }
        left = .root
        return pair
    }
}

extension QueryNode {
    static func and(_ left: QueryNode, _ right: QueryNode) -> QueryNode {
        let isChained = if case .and = left { true } else { false }
        return .and(QueryPair(left, right, isChained: isChained))
    }

    static func or(_ left: QueryNode, _ right: QueryNode) -> QueryNode {
        let isChained = if case .or = left { true } else { false }
        return .or(QueryPair(left, right, isChained: isChained))
    }

    fileprivate var pair: QueryPair? {
        switch self {
        case .and(let pair), .or(let pair): pair
        default: nil
        }
    }

    /// How many nodes and steps of paths are inside of each other. O(1).
    var depth: Int {
        switch self {
        case .root: 0
        case .property(let path): path.depth
        case .comparison(let comparison): comparison.path.depth
        case .and(let pair), .or(let pair): pair.depth
        case .step(let operand, _), .subqueryCount(let operand), .outcome(let operand, _, _),
            .membership(let operand, _), .not(let operand):
            operand.depth + 1
        case .comparisonOfNodes(let left, _, let right): max(left.depth, right.depth) + 1
        // The operands of these are paths, which know their depth.
        case .between(let node, _, _, _), .element(_, let node), .place(let node, _),
            .fullText(let node, _), .text(let node, _, _, _):
            node.depth + 1
        case .textOfNodes(let left, _, let right, _): max(left.depth, right.depth) + 1
        }
    }

    /// The operands of a conjunction of conjunctions, in order; of another node, itself.
    var conjunctionTerms: [QueryNode] {
        terms { if case .and(let pair) = $0 { pair } else { nil } }
    }

    /// The operands of a disjunction of disjunctions, in order; of another node, itself.
    var disjunctionTerms: [QueryNode] { terms { if case .or(let pair) = $0 { pair } else { nil } } }

    /// The operands of `((a && b) && c)`, in order; those may be conjunctions, too.
    var conjunctionChain: [QueryNode] {
        chain { if case .and(let pair) = $0 { pair } else { nil } }
    }

    /// The operands of `((a || b) || c)`, in order; those may be disjunctions, too.
    var disjunctionChain: [QueryNode] { chain { if case .or(let pair) = $0 { pair } else { nil } } }

    private func chain(split: (QueryNode) -> QueryPair?) -> [QueryNode] {
        var reversed: [QueryNode] = []
        var rest = self
        while let pair = split(rest) {
            reversed.append(pair.right)
            rest = pair.left
        }
        reversed.append(rest)
        return reversed.reversed()
    }

    private func terms(split: (QueryNode) -> QueryPair?) -> [QueryNode] {
        var reversed: [QueryNode] = []
        var rest = self
        while let pair = split(rest) {
            if split(pair.right) != nil {
                reversed += pair.right.terms(split: split).reversed()
            } else {
                reversed.append(pair.right)
            }
            rest = pair.left
        }
        reversed.append(rest)
        return reversed.reversed()
    }
}

extension QueryPath {
    fileprivate var depth: Int { parent?.depth ?? 0 }
}

extension Query {
    /// The node, to be put inside of another one. Traps if it is nested too deep.
    var operand: QueryOperand { QueryOperand(node) }
}
