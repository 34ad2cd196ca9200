/// Finds the collections whose elements the subqueries of a typed query count.
///
/// These depend on the enclosing subqueries: inside of a subquery over `people`,
/// `$0.people.dogs.age` continues from one of them. So until the whole query is known, the paths
/// of its subqueries start at the query's object.
struct QueryResolution {
    /// Whether the result is a tree in the form that strings have: equal to one of them, and
    /// without objects of this thread.
    let isPlain: Bool
    /// The subqueries around the condition, the innermost last.
    private var around: [QuerySubquery] = []
    /// How many subqueries were begun: their variables are named `col1`, `col2` and so on.
    private var subqueries = 0

    init(isPlain: Bool) { self.isPlain = isPlain }

    mutating func condition(_ node: PredicateNode) throws(QueryError) -> PredicateNode {
        switch node {
        case .constant: return node
        case .and(let operands):
            let conditions = try self.conditions(operands)
            return .and(
                isPlain
                    ? conditions.flatMap { if case .and(let inner) = $0 { inner } else { [$0] } }
                    : conditions)
        case .or(let operands):
            let conditions = try self.conditions(operands)
            return .or(
                isPlain
                    ? conditions.flatMap { if case .or(let inner) = $0 { inner } else { [$0] } }
                    : conditions)
        case .not(let operand): return .not(try condition(operand))
        case .agreement(let a, let b, let isWanted):
            let agreement = PredicateNode.agreement(
                try condition(a), try condition(b), isWanted: isWanted)
            return isPlain ? agreement.expanded : agreement
        case .member(let comparison): return .comparison(try resolved(comparison.named()))
        case .comparison(let comparison): return .comparison(try resolved(comparison))
        }
    }

    private mutating func conditions(_ nodes: [PredicateNode]) throws(QueryError) -> [PredicateNode]
    {
        var conditions: [PredicateNode] = []
        conditions.reserveCapacity(nodes.count)
        for node in nodes { conditions.append(try condition(node)) }
        return conditions
    }

    private mutating func resolved(_ comparison: PredicateComparison) throws(QueryError)
        -> PredicateComparison
    {
        let (left, right) = (try expression(comparison.left), try expression(comparison.right))
        var quantifier = comparison.quantifier
        if quantifier == .any {
            if left.isAny, right.isAny { throw PredicateErrors.twoCollections }
            if !left.isAny, !right.isAny { quantifier = .direct }
        }
        return isPlain
            ? comparison.with(left: left.plain, right: right.plain, quantifier: quantifier)
            : comparison.with(left: left, right: right, quantifier: quantifier)
    }

    private mutating func expression(_ expression: PredicateExpression) throws(QueryError)
        -> PredicateExpression
    {
        switch expression {
        case .constant, .list: return expression
        case .keyPath(let steps): return .keyPath(try path(steps))
        case .subqueryCount(_, _, let condition):
            subqueries += 1
            let found = try subquery(of: condition, variable: "col\(subqueries)")
            around.append(found)
            defer { around.removeLast() }
            return .subqueryCount(
                collection: found.collection, variable: found.variable,
                condition: try self.condition(condition))
        }
    }

    /// Returns a path; in the condition of a subquery, relative to the element if the path begins
    /// with the collection. A path that begins with no enclosing subquery's collection is
    /// relative to the query's object.
    private func path(_ steps: [PredicateStep]) throws(QueryError) -> [PredicateStep] {
        try checkSubscripts(steps)
        guard let subquery = QuerySubquery.innermost(of: around, containing: steps) else {
            return steps
        }
        // The values of a map need no step, from one of them.
        let rest = steps[subquery.whole.count...]
        return [.variable(subquery.variable)]
            + (rest.first == .operation(.allValues) ? rest.dropFirst() : rest)
    }

    private func checkSubscripts(_ steps: [PredicateStep]) throws(QueryError) {
        if around.isEmpty { return }
        guard let index = steps.firstIndex(where: \.isSubscript) else { return }
        let isOfMap = index > 0 && steps[index - 1].isCollection
        throw isOfMap ? QueryErrors.subqueryWithKey : QueryErrors.subqueryInsideOfAny
    }
}

// MARK: - Subqueries

/// A subquery around a condition: `($0.dogs.age > 5).count`.
private struct QuerySubquery {
    /// The name of an element.
    let variable: String
    /// The path from the query's object to the collection whose elements are counted.
    let whole: [PredicateStep]
    /// The same path from the element of an enclosing subquery, if it begins there.
    let collection: [PredicateStep]

    /// Returns the subquery whose elements a path goes through: the one with the longest path to
    /// them; among several, the innermost.
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

extension QueryResolution {
    /// Finds the collection whose elements a subquery counts: the one that the condition's
    /// paths go through.
    ///
    /// A path through the elements of an enclosing subquery continues from there, if another
    /// collection follows: `$0.people.dogs.age` inside of a subquery over `people`. If no path
    /// continues, the condition is about the same collection again. If only inner subqueries name
    /// collections, it is the outermost collection that they leave over.
    private func subquery(of condition: PredicateNode, variable: String) throws(QueryError)
        -> QuerySubquery
    {
        var scan = self
        // Errors inside of inner subqueries are reported while their paths are inspected.
        scan.around.append(
            QuerySubquery(variable: variable, whole: [.variable(variable)], collection: []))
        var direct: [[PredicateStep]] = []
        var nested: [(path: [PredicateStep], depth: Int)] = []
        try condition.forEachPath(depth: 0) { path, depth throws(QueryError) in
            try scan.checkSubscripts(path)
            if depth == 0 { direct.append(path) } else { nested.append((path, depth)) }
        }
        var candidates = direct.compactMap { collection(of: $0, leaving: 0) }
        if candidates.isEmpty {
            let passed = direct.compactMap { QuerySubquery.innermost(of: around, containing: $0) }
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

    /// Returns the first collection of a path after those that enclosing subqueries count, if
    /// `count` others follow it.
    private func collection(of path: [PredicateStep], leaving count: Int) -> [PredicateStep]? {
        let start = QuerySubquery.innermost(of: around, containing: path)?.whole.count ?? 0
        let ends = path.openCollections.filter { $0 > start }
        return ends.count > count ? Array(path[..<ends[0]]) : nil
    }
}

extension PredicateNode {
    /// Calls `body` with each path of a condition, relative to the query's object, and with the
    /// number of subqueries around it in the condition.
    fileprivate func forEachPath(
        depth: Int, _ body: (_ path: [PredicateStep], _ depth: Int) throws(QueryError) -> Void
    ) throws(QueryError) {
        switch self {
        case .constant: break
        case .and(let operands), .or(let operands):
            for operand in operands { try operand.forEachPath(depth: depth, body) }
        case .not(let operand): try operand.forEachPath(depth: depth, body)
        case .agreement(let a, let b, _):
            try a.forEachPath(depth: depth, body)
            try b.forEachPath(depth: depth, body)
        case .member(let comparison): try body(try comparison.member.steps(), depth)
        case .comparison(let comparison):
            for expression in [comparison.left, comparison.right] {
                switch expression {
                case .constant, .list: break
                case .keyPath(let steps): try body(steps, depth)
                case .subqueryCount(_, _, let condition):
                    try condition.forEachPath(depth: depth + 1, body)
                }
            }
        }
    }
}

extension PredicateExpression {
    /// The expression in the form that strings have.
    fileprivate var plain: PredicateExpression {
        switch self {
        case .constant(let constant): .constant(constant.withoutOriginals)
        case .list(let constants): .list(constants.map(\.withoutOriginals))
        case .keyPath(let steps): .keyPath(steps.map(\.plain))
        case .subqueryCount(let collection, let variable, let condition):
            .subqueryCount(
                collection: collection.map(\.plain), variable: variable, condition: condition)
        }
    }
}
