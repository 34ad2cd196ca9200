import FreeholdStorage

/// The content of a predicate's string without its arguments. It is parsed once, however often
/// the string is used with other arguments.
///
/// A string has a template if every argument is the whole right side of a comparison
/// (`age > %@`), which nearly all are. Other placeholders, such as `%K` and those that require a
/// kind of argument, affect the parsing.
struct PredicateTemplate: Sendable {
    let format: String
    /// The condition, with null in place of each argument.
    let node: PredicateNode
    let clauses: [PredicateClause]
    let depth: Int
    /// The place of each comparison, in the order in which they end in the string.
    let spans: [PredicateSpan]
    /// For each comparison, in the same order: the position of the argument on its right side;
    /// nil without one.
    let arguments: [Int?]

    /// - Parameter parsed: The content with the first arguments, which are not kept.
    init(_ parsed: ParsedPredicate, arguments: [Int?]) {
        format = parsed.source.format
        clauses = parsed.clauses
        spans = parsed.source.spans
        self.arguments = arguments
        depth = parsed.node.depth
        var walk = PredicateSubstitution(positions: arguments, value: { _ in .constant(.null) })
        node = walk.node(parsed.node)
    }

    /// Returns the predicate with arguments; nil if there are too few, which the parser then
    /// reports.
    func predicate(_ values: [Any?]) -> RealmPredicate? {
        guard arguments.allSatisfy({ $0.map { $0 < values.count } ?? true }) else { return nil }
        var walk = PredicateSubstitution(positions: arguments) {
            PredicateExpression(argument: values[$0])
        }
        let node = walk.node(node)
        return RealmPredicate(
            node: node, clauses: clauses,
            source: PredicateSource(format: format, comparisons: walk.comparisons, spans: spans),
            depth: depth)
    }
}

/// Puts values into the right sides of comparisons, in the order in which these end in the string.
private struct PredicateSubstitution {
    let positions: [Int?]
    let value: (Int) -> PredicateExpression
    private(set) var comparisons: [PredicateComparison] = []

    init(positions: [Int?], value: @escaping (Int) -> PredicateExpression) {
        self.positions = positions
        self.value = value
    }

    mutating func node(_ node: PredicateNode) -> PredicateNode {
        switch node {
        case .constant: return node
        case .and(let operands): return .and(operands.map { self.node($0) })
        case .or(let operands): return .or(operands.map { self.node($0) })
        case .not(let operand): return .not(self.node(operand))
        case .comparison(let comparison):
            let left = expression(comparison.left)
            var right = expression(comparison.right)
            if let position = positions[comparisons.count] { right = value(position) }
            let substituted = comparison.with(left: left, right: right)
            comparisons.append(substituted)
            return .comparison(substituted)
        case .member, .agreement: return self.node(node.expanded)
        }
    }

    private mutating func expression(_ expression: PredicateExpression) -> PredicateExpression {
        guard case .subqueryCount(let collection, let variable, let condition) = expression else {
            return expression
        }
        return .subqueryCount(
            collection: collection, variable: variable, condition: node(condition))
    }
}

/// The process's cache of the most recently used strings, parsed. Any thread may use it.
enum PredicateTemplates {
    private static let known = Locked<[String: PredicateTemplate]>(processWide: [:])
    private static let capacity = 256
    /// Longer strings contain values, and are not used again.
    private static let longestFormat = 1024

    /// Returns the template of a string; nil if it is not cached. O(length).
    static func template(for format: String) -> PredicateTemplate? { known.withLock { $0[format] } }

    static func note(_ template: PredicateTemplate) {
        if template.format.utf8.count > longestFormat { return }
        known.withLock { known in
            if known.count >= capacity { known.removeAll(keepingCapacity: true) }
            known[template.format] = template
        }
    }
}
