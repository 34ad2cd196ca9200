import FreeholdStorage

/// A subquery around a condition: `($0.dogs.age > 5).count`.
struct QuerySubquery {
    /// The name of an element.
    let variable: String
    /// The collection whose elements are counted, from the query's object.
    let whole: [PredicateStep]
    /// The same, from the element of a subquery around this one if it begins there.
    let collection: [PredicateStep]

    /// The subquery whose elements a path goes through: the one with the longest way to them, of
    /// several the innermost.
    static func innermost(
        of around: [QuerySubquery], containing steps: [PredicateStep]
    ) -> QuerySubquery? {
        var found: QuerySubquery?
        for subquery in around where subquery.whole.count >= found?.whole.count ?? 0 {
            guard steps.starts(with: subquery.whole) else { continue }
            if steps.goesThroughElements(behind: subquery.whole.count) { found = subquery }
        }
        return found
    }
}

extension [PredicateStep] {
    /// Whether the path is about elements of the collection that ends at a position, and not about
    /// what all of them give together, as their count.
    fileprivate func goesThroughElements(behind end: Int) -> Bool {
        guard end < count, case .operation(let operation) = self[end] else { return true }
        return operation == .allKeys || operation == .allValues
    }
}

extension QueryTranslation {
    /// Finds the collection whose elements a subquery counts: the one that the condition's
    /// paths go through.
    ///
    /// A path that goes through the elements of a subquery around this one goes on from there,
    /// if another collection follows: `$0.people.dogs.age` inside of a subquery over `people`.
    /// Where no path goes on, the condition is about the same collection once more. Where only
    /// subqueries inside of this one name collections, it is the outermost that they leave.
    func subquery(of node: QueryNode, variable: String) throws(QueryError) -> QuerySubquery {
        var scan = self
        // What subqueries refuse is refused while their paths are looked at.
        scan.around.append(
            QuerySubquery(variable: variable, whole: [.variable(variable)], collection: []))
        var direct: [Path] = []
        var nested: [(path: Path, depth: Int)] = []
        try scan.forEachPath(in: node, depth: 0) { path, depth in
            if depth == 0 { direct.append(path) } else { nested.append((path, depth)) }
        }
        var candidates = direct.compactMap { collection(of: $0, leaving: 0) }
        if candidates.isEmpty {
            let passed = direct.compactMap {
                QuerySubquery.innermost(of: around, containing: $0.steps)
            }
            if let repeated = passed.max(by: { $0.whole.count < $1.whole.count }) {
                return QuerySubquery(
                    variable: variable, whole: repeated.whole, collection: repeated.collection)
            }
            candidates = nested.compactMap { collection(of: $0.path, leaving: $0.depth) }
        }
        guard let whole = candidates.first else { throw QueryErrors.subqueryWithoutCollection }
        if candidates.contains(where: { $0 != whole }) { throw QueryErrors.subqueryOfSeveral }
        guard let outer = QuerySubquery.innermost(of: around, containing: whole) else {
            return QuerySubquery(variable: variable, whole: whole, collection: whole)
        }
        return QuerySubquery(
            variable: variable, whole: whole,
            collection: [.variable(outer.variable)] + whole[outer.whole.count...])
    }

    /// The first collection of a path behind what subqueries around it count, if so many others
    /// follow.
    private func collection(of path: Path, leaving count: Int) -> [PredicateStep]? {
        let start = QuerySubquery.innermost(of: around, containing: path.steps)?.whole.count ?? 0
        let ends = path.collections.filter {
            $0 > start && path.steps.goesThroughElements(behind: $0)
        }
        return ends.count > count ? Array(path.steps[..<ends[0]]) : nil
    }

    /// Calls `body` with each path of a condition, seen from the query's object, and with the
    /// number of subqueries in the condition that it is inside of.
    private mutating func forEachPath(
        in node: QueryNode, depth: Int, _ body: (Path, _ depth: Int) -> Void
    ) throws(QueryError) {
        switch node {
        case .root: break
        case .property, .step: body(try wholePath(node), depth)
        case .subqueryCount(let operand): try forEachPath(in: operand.node, depth: depth + 1, body)
        case .comparison(let comparison): body(try wholePath(.property(comparison.path)), depth)
        case .outcome(let operand, _, _), .membership(let operand, _), .not(let operand):
            try forEachPath(in: operand.node, depth: depth, body)
        case .comparisonOfNodes(let left, _, let right):
            try forEachPath(in: left.node, depth: depth, body)
            try forEachPath(in: right.node, depth: depth, body)
        case .between(let node, _, _, _), .element(_, let node), .place(let node, _),
            .fullText(let node, _), .text(let node, _, _, _):
            try forEachPath(in: node, depth: depth, body)
        case .textOfNodes(let left, _, let right, _):
            try forEachPath(in: left, depth: depth, body)
            try forEachPath(in: right, depth: depth, body)
        case .and:
            for term in node.conjunctionTerms { try forEachPath(in: term, depth: depth, body) }
        case .or:
            for term in node.disjunctionTerms { try forEachPath(in: term, depth: depth, body) }
        }
    }
}
