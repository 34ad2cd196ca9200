import FreeholdStorage

/// What a predicate's string says without its arguments: parsed once, however often the string
/// is used with others.
///
/// There is one where every argument is the whole right side of a comparison (`age > %@`),
/// which is nearly always. Others, as `%K` and those that say what kind of argument they want,
/// change what is parsed.
struct PredicateTemplate: Sendable {
    let format: String
    /// With null in the place of each argument.
    let node: PredicateNode
    let clauses: [PredicateClause]
    let depth: Int
    /// Of each comparison, in the order in which they end in the string: where it is.
    let spans: [PredicateSpan]
    /// Of each comparison, in the same order: the position of the argument on its right side;
    /// nil of one without.
    let arguments: [Int?]

    /// - Parameter parsed: With the arguments that were there first, which are not kept.
    init(_ parsed: ParsedPredicate, arguments: [Int?]) {
        format = parsed.source.format
        clauses = parsed.clauses
        spans = parsed.source.spans
        self.arguments = arguments
        depth = parsed.node.depth
        var walk = PredicateSubstitution(positions: arguments, value: { _ in .constant(.null) })
        node = walk.node(parsed.node)
    }

    /// The predicate with arguments; nil if there are too few, which is for the parser to say.
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
        case .agreement: return self.node(node.expanded)
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

/// The strings that were used last, parsed. Of the process; any thread.
enum PredicateTemplates {
    private static let known = Locked<[String: PredicateTemplate]>(processWide: [:])
    private static let capacity = 256
    /// Longer strings have values in them, and are not used again.
    private static let longestFormat = 1024

    /// O(length).
    static func template(for format: String) -> PredicateTemplate? { known.withLock { $0[format] } }

    static func note(_ template: PredicateTemplate) {
        if template.format.utf8.count > longestFormat { return }
        known.withLock { known in
            if known.count >= capacity { known.removeAll(keepingCapacity: true) }
            known[template.format] = template
        }
    }
}
