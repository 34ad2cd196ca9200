/// Predicates behind hops.
extension ScanCompiler {
    func any(_ hop: ScanHop, _ predicate: ScanPredicate, in table: TableView) -> CompiledPredicate {
        let isCorrelated = predicate.isCorrelated
        return follow(hop.links[...], in: table, isCorrelated: isCorrelated) { table in
            guard let compiled = compile(hop.kind, in: table) else {
                return ConstantPredicate(table: table, value: false)
            }
            let behind = compile(predicate, behind: compiled)
            if let constant = behind as? ConstantPredicate, !constant.value {
                return ConstantPredicate(table: table, value: false)
            }
            if let elements = compiled as? CollectionHop {
                return CollectionPredicate(elements, behind)
            }
            if let backlinks = compiled as? BacklinksHop {
                return BacklinksPredicate(backlinks, behind, isCorrelated: isCorrelated)
            }
            if let mixed = compiled as? MixedCollectionHop {
                return MixedCollectionPredicate(mixed, behind)
            }
            return ConstantPredicate(table: table, value: false)
        }
    }

    func anyCompared(
        _ hops: [ScanHop], _ value: ScanOperand, _ comparison: ScanComparison, _ other: ScanOperand,
        isNegated: Bool, in table: TableView
    ) -> CompiledPredicate {
        var walks: [HopWalk] = []
        var space = table
        var scope: ElementScope?
        for hop in hops {
            guard let walk = walk(scope?.hop(hop) ?? hop, in: space) else {
                return ConstantPredicate(table: table, value: false)
            }
            walks.append(walk)
            space = walk.hop.space
            scope = (space as? CollectionTable).map {
                ElementScope(
                    table: $0,
                    target: walk.hop.leadsToRows
                        ? $0.definition[CollectionTable.element]?.target : nil
                )
            }
        }
        guard !walks.isEmpty, let first = operand(scope?.operand(value) ?? value, in: space),
            let second = operand(other, in: table)
        else { return ConstantPredicate(table: table, value: false) }
        let isOrdered = comparison != .equal && comparison != .notEqual
        let neverHolds =
            !first.kind.compares(with: second.kind)
            || isOrdered && (first.kind.isUnordered || second.kind.isUnordered)
        return AnyComparedPredicate(
            table: table, walks, first, neverHolds ? nil : comparison, second, isNegated: isNegated)
    }

    /// Compiles a hop and its links; nil if the path does not exist.
    func walk(_ hop: ScanHop, in table: TableView) -> HopWalk? {
        guard let (links, end) = ValueReader.follow(hop.links, in: table, source: source),
            let compiled = compile(hop.kind, in: end)
        else { return nil }
        return HopWalk(links: links, hop: compiled)
    }

    private func compile(_ kind: ScanHop.Kind, in table: TableView) -> Hop? {
        switch kind {
        case .elements(let column):
            guard let definition = table.definition[column], let elements = definition.collection
            else { return nil }
            return CollectionHop(definition, elements, in: table)
        case .backlinks(let origin, let column):
            let origin = source.table(origin)
            guard let definition = origin.definition[column],
                definition.countsBacklinks || definition.type == .link,
                !definition.hasTarget || definition.target == table.id
            else { return nil }
            return BacklinksHop(definition, of: origin, to: table, source: source)
        case .mixedElements(let column, let steps):
            let column = column == .element ? CollectionTable.element : column
            guard let definition = table.definition[column], definition.type == .mixed,
                definition.collection == nil
            else { return nil }
            return MixedCollectionHop(definition, steps, in: table)
        }
    }

    /// Compiles a predicate on the rows or values behind a hop.
    func compile(_ predicate: ScanPredicate, behind hop: Hop) -> CompiledPredicate {
        guard let elements = hop.space as? CollectionTable else {
            return compile(predicate, in: hop.space)
        }
        let target = hop.leadsToRows ? elements.definition[CollectionTable.element]?.target : nil
        if hop.leadsToRows, target == nil {
            return ConstantPredicate(table: elements, value: false)
        }
        let scope = ElementScope(table: elements, target: target)
        if let target, !predicate.mentionsElementKey { return rows(predicate, target, scope) }
        let compiled = compile(predicate, in: scope)
        // A condition only on the key also applies to the key of a null link.
        guard target != nil, !predicate.mentionsOnlyElementKey else { return compiled }
        if let constant = compiled as? ConstantPredicate, !constant.value { return constant }
        let isLink = NullPredicate(
            table: elements, column: CollectionTable.element, matchesNull: false)
        return compiled is ConstantPredicate
            ? isLink : ConjunctionPredicate(table: elements, operands: [isLink, compiled])
    }

    /// Compiles a predicate on the target rows of elements that are links.
    private func rows(_ predicate: ScanPredicate, _ target: TableID, _ scope: ElementScope)
        -> CompiledPredicate
    {
        let compiled = compile(predicate, in: source.table(target))
        if let constant = compiled as? ConstantPredicate, !constant.value {
            return ConstantPredicate(table: scope.table, value: false)
        }
        return LinkPredicate(
            table: scope.table, column: CollectionTable.element, target: compiled, source: source,
            matchesNull: false, isCorrelated: predicate.isCorrelated)
    }

    /// Splits logic operators, so that only conditions on the key are evaluated for each
    /// element.
    private func compile(_ predicate: ScanPredicate, in scope: ElementScope) -> CompiledPredicate {
        if let target = scope.target, !predicate.mentionsElementKey {
            return rows(predicate, target, scope)
        }
        switch predicate {
        case .and(let operands):
            return logic(operands.map { compile($0, in: scope) }, in: scope.table, neutral: true)
        case .or(let operands):
            return logic(operands.map { compile($0, in: scope) }, in: scope.table, neutral: false)
        case .not(let operand): return negation(of: compile(operand, in: scope), in: scope.table)
        default: return compile(scope.lowered(predicate), in: scope.table)
        }
    }
}

/// Translates predicates about elements into ones about the columns of a ``CollectionTable``.
struct ElementScope {
    let table: CollectionTable
    /// The target table of elements that are links: paths of the predicate start from its rows.
    let target: TableID?

    func path(_ path: ScanPath) -> ScanPath {
        if path.links.isEmpty, path.column == .elementKey {
            return ScanPath(column: CollectionTable.key)
        }
        if path.links.isEmpty, path.column == .element {
            return ScanPath(column: CollectionTable.element)
        }
        // A value has no columns, and no table has this one.
        return target == nil
            ? ScanPath(column: .element)
            : ScanPath(links: [CollectionTable.element] + path.links, column: path.column)
    }

    func hop(_ hop: ScanHop) -> ScanHop {
        guard target == nil else {
            return ScanHop(links: [CollectionTable.element] + hop.links, hop.kind)
        }
        return hop
    }

    func operand(_ operand: ScanOperand) -> ScanOperand {
        switch operand {
        case .constant: operand
        case .path(let path): .path(self.path(path))
        case .mixed(let path, let steps): .mixed(self.path(path), steps)
        case .mapValue(let path, let key): .mapValue(self.path(path), key: key)
        case .count(let hop, let predicate): .count(self.hop(hop), where: predicate)
        case .aggregate(let aggregate, let hop, let path):
            .aggregate(aggregate, self.hop(hop), path)
        case .outer: operand
        }
    }

    /// Conditions behind further hops stay unchanged.
    func lowered(_ predicate: ScanPredicate) -> ScanPredicate {
        switch predicate {
        case .all, .none: predicate
        case .and(let operands): .and(operands.map(lowered))
        case .or(let operands): .or(operands.map(lowered))
        case .not(let operand): .not(lowered(operand))
        case .compare(let path, let comparison, let value):
            .compare(self.path(path), comparison, value)
        case .between(let path, let lower, let upper, let includesUpper):
            .between(self.path(path), lower, upper, includesUpper: includesUpper)
        case .oneOf(let path, let values): .oneOf(self.path(path), values)
        case .text(let path, let textOperator, let needle, let options):
            .text(self.path(path), textOperator, needle, options)
        case .compareColumns(let left, let comparison, let right):
            .compareColumns(path(left), comparison, path(right))
        case .any(let hop, let predicate): .any(self.hop(hop), predicate)
        case .scope(let scope, let predicate): .scope(scope, lowered(predicate))
        case .at: predicate
        case .anyCompared(let hops, let value, let comparison, let other, let isNegated):
            .anyCompared(
                [hop(hops[0])] + hops.dropFirst(), value, comparison, operand(other),
                isNegated: isNegated)
        case .compareOperands(let left, let comparison, let right):
            .compareOperands(operand(left), comparison, operand(right))
        case .compareText(let text, let textOperator, let needle, let options):
            .compareText(operand(text), textOperator, operand(needle), options)
        case .matchesText(let path, let matcher): .matchesText(self.path(path), matcher)
        case .fullText(let path, let query): .fullText(self.path(path), query)
        case .matchesNumbers(let path, let matcher): .matchesNumbers(self.path(path), matcher)
        }
    }
}

extension ScanPredicate {
    /// Whether it refers to an element's key, or to the element itself, outside of further
    /// hops.
    var mentionsElementKey: Bool {
        func isKey(_ path: ScanPath) -> Bool {
            path.links.isEmpty && (path.column == .elementKey || path.column == .element)
        }
        func isKey(_ operand: ScanOperand) -> Bool {
            switch operand {
            case .path(let path), .mixed(let path, _), .mapValue(let path, _): isKey(path)
            case .constant, .count, .aggregate, .outer: false
            }
        }
        return switch self {
        case .all, .none, .any, .at: false
        case .and(let operands), .or(let operands): operands.contains(where: \.mentionsElementKey)
        case .not(let operand), .scope(_, let operand): operand.mentionsElementKey
        case .compare(let path, _, _), .between(let path, _, _, _), .oneOf(let path, _),
            .text(let path, _, _, _), .matchesText(let path, _), .matchesNumbers(let path, _),
            .fullText(let path, _):
            isKey(path)
        case .anyCompared(_, _, _, let other, _): isKey(other)
        case .compareColumns(let left, _, let right): isKey(left) || isKey(right)
        case .compareOperands(let left, _, let right), .compareText(let left, _, let right, _):
            isKey(left) || isKey(right)
        }
    }
}

extension ScanPredicate {
    /// Whether it refers only to an element's key.
    fileprivate var mentionsOnlyElementKey: Bool {
        func isKey(_ path: ScanPath) -> Bool { path.links.isEmpty && path.column == .elementKey }
        func isKeyOrConstant(_ operand: ScanOperand) -> Bool {
            switch operand {
            case .constant: true
            case .path(let path): isKey(path)
            default: false
            }
        }
        return switch self {
        case .all, .none, .any, .at: false
        case .and(let operands), .or(let operands):
            !operands.isEmpty && operands.allSatisfy(\.mentionsOnlyElementKey)
        case .not(let operand), .scope(_, let operand): operand.mentionsOnlyElementKey
        case .compare(let path, _, _), .between(let path, _, _, _), .oneOf(let path, _),
            .text(let path, _, _, _), .matchesText(let path, _), .matchesNumbers(let path, _),
            .fullText(let path, _):
            isKey(path)
        case .anyCompared: false
        case .compareColumns(let left, _, let right): isKey(left) && isKey(right)
        case .compareOperands(let left, _, let right), .compareText(let left, _, let right, _):
            mentionsElementKey && isKeyOrConstant(left) && isKeyOrConstant(right)
        }
    }
}
