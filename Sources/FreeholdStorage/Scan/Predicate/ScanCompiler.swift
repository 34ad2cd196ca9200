/// Compiles predicates for one table.
struct ScanCompiler {
    let source: TableSource
    /// The enclosing scopes.
    var scopes: [ScanScope: ScopeFrame] = [:]

    init(source: TableSource) { self.source = source }

    func compile(_ predicate: ScanPredicate, in table: TableView) -> CompiledPredicate {
        switch predicate {
        case .all: return ConstantPredicate(table: table, value: true)
        case .none: return ConstantPredicate(table: table, value: false)
        case .and(let operands): return logic(operands, in: table, neutral: true)
        case .or(let operands): return logic(operands, in: table, neutral: false)
        case .not(let operand):
            return negation(of: compile(operand, in: table), in: table)
        case .compare(let path, let comparison, let value):
            return follow(path, in: table) { compare($1, comparison, value, in: $0) }
        case .between(let path, let lower, let upper, let includesUpper):
            return follow(path, in: table) { between($1, lower, upper, includesUpper, in: $0) }
        case .oneOf(let path, let values):
            return follow(path, in: table) { oneOf($1, values, in: $0) }
        case .text(let path, let textOperator, let needle, let options):
            return follow(path, in: table) { text($1, textOperator, needle, options, in: $0) }
        case .compareColumns(let left, let comparison, let right):
            return compareColumns(left, comparison, right, in: table)
        case .any(let hop, let predicate): return any(hop, predicate, in: table)
        case .scope(let scope, let predicate): return self.scope(scope, predicate, in: table)
        case .at(let scope, let predicate): return at(scope, predicate, in: table)
        case .anyCompared(let hops, let value, let comparison, let other, let isNegated):
            return anyCompared(hops, value, comparison, other, isNegated: isNegated, in: table)
        case .compareOperands(let left, let comparison, let right):
            return compareOperands(left, comparison, right, in: table)
        case .compareText(let text, let textOperator, let needle, let options):
            return compareText(text, textOperator, needle, options, in: table)
        case .matchesText(let path, let matcher):
            return follow(path, in: table) { matchesText($1, matcher, in: $0) }
        case .fullText(let path, let query):
            return follow(path, in: table) { fullText($1, query, in: $0) }
        case .matchesNumbers(let path, let matcher):
            return follow(path.links[...], in: table) {
                matchesNumbers(path.column, matcher, in: $0)
            }
        }
    }

    func negation(of compiled: CompiledPredicate, in table: TableView) -> CompiledPredicate {
        if let constant = compiled as? ConstantPredicate {
            return ConstantPredicate(table: table, value: !constant.value)
        }
        if let negation = compiled as? NegationPredicate { return negation.operand }
        return NegationPredicate(table: table, operand: compiled)
    }

    /// Flattens nested operands of the same kind, and folds constants.
    private func logic(_ operands: [ScanPredicate], in table: TableView, neutral: Bool)
        -> CompiledPredicate
    { logic(operands.map { compile($0, in: table) }, in: table, neutral: neutral) }

    func logic(_ operands: [CompiledPredicate], in table: TableView, neutral: Bool)
        -> CompiledPredicate
    {
        var kept: [CompiledPredicate] = []
        for compiled in operands {
            if let constant = compiled as? ConstantPredicate {
                if constant.value != neutral { return constant }
            } else if neutral, let nested = compiled as? ConjunctionPredicate {
                kept += nested.operands
            } else if !neutral, let nested = compiled as? DisjunctionPredicate {
                kept += nested.operands
            } else {
                kept.append(compiled)
            }
        }
        if kept.isEmpty { return ConstantPredicate(table: table, value: neutral) }
        if kept.count == 1 { return kept[0] }
        return neutral
            ? ConjunctionPredicate(table: table, operands: kept)
            : DisjunctionPredicate(table: table, operands: kept)
    }

    /// Compiles the end of a path, wrapped in one predicate for each link before it.
    private func follow(
        _ path: ScanPath, in table: TableView, _ end: (TableView, ColumnID) -> CompiledPredicate
    ) -> CompiledPredicate {
        follow(path.links[...], in: table) { table in
            // The cells of collections are not values.
            table.definition[path.column]?.collection == nil
                ? end(table, path.column) : ConstantPredicate(table: table, value: false)
        }
    }

    /// - Parameter isCorrelated: Whether the end depends on more than its row.
    func follow(
        _ links: ArraySlice<ColumnID>, in table: TableView, isCorrelated: Bool = false,
        _ end: (TableView) -> CompiledPredicate
    ) -> CompiledPredicate {
        guard let link = links.first else { return end(table) }
        guard let definition = table.definition[link], definition.type == .link,
            let target = definition.target
        else { return ConstantPredicate(table: table, value: false) }
        let compiled = follow(
            links.dropFirst(), in: source.table(target), isCorrelated: isCorrelated, end)
        if let constant = compiled as? ConstantPredicate {
            return ConstantPredicate(table: table, value: constant.value)
        }
        return LinkPredicate(
            table: table, column: link, target: compiled, source: source, isCorrelated: isCorrelated
        )
    }
}
