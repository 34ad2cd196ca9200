import FreeholdStorage

/// Turns the tree of a query into the storage's predicate.
///
/// The commonest conditions, comparisons of single properties and their logic, go straight
/// there; everything else becomes the tree of all front ends first, which ``PredicateLowering``
/// lowers.
struct QueryLowering {
    /// Kept alive by the caller's realm.
    unowned(unsafe) let binding: ClassBinding

    /// The predicate of a node that stands for a condition.
    func condition(_ node: QueryNode) throws(QueryError) -> ScanPredicate {
        switch node {
        case .comparison(let node): return try compare(node)
        case .and: return .and(try conditions(node.conjunctionTerms))
        case .or: return .or(try conditions(node.disjunctionTerms))
        case .not(let operand): return .not(try condition(operand.node))
        case .between(.property(let path), let lower, let upper, false):
            return try between(node, path, lower, upper)
        default: return try translated(node)
        }
    }

    private func conditions(_ nodes: [QueryNode]) throws(QueryError) -> [ScanPredicate] {
        var lowered: [ScanPredicate] = []
        lowered.reserveCapacity(nodes.count)
        for node in nodes { lowered.append(try condition(node)) }
        return lowered
    }

    @inline(__always)
    private func compare(_ node: QueryComparison) throws(QueryError) -> ScanPredicate {
        // Objects must be looked at, and what is unsupported needs the property's name for its
        // message.
        if node.path.parent == nil, let known = binding.knownPath(node.path.keyPath) {
            switch node.constant {
            case .value(.null) where node.comparison.isOrdered: break
            case .value(let value): return .compare(known, node.comparison, value)
            case .date(let seconds): return .compare(known, node.comparison, .double(seconds))
            case .object, .members, .nested, .unsupported: break
            }
        }
        return try compareUnknown(node)
    }

    @inline(never)
    private func compareUnknown(_ node: QueryComparison) throws(QueryError) -> ScanPredicate {
        let lowered = try translated(.comparison(node))
        // What the types of the program let through once is right with every value of the type,
        // but where values of all types are.
        if node.path.parent == nil, case .compare(let scan, _, _) = lowered,
            let property = singleProperty(node.path), property.type != .any
        {
            binding.notePath(node.path.keyPath, scan)
        }
        return lowered
    }

    private func singleProperty(_ path: QueryPath) -> PropertyDescriptor? {
        let names = KeyPathNames.names(of: path.keyPath, from: path.root)
        guard names.count == 1 else { return nil }
        return binding.schema.property(named: names[0])
    }

    /// A range without its upper bound, which storage knows as one condition.
    private func between(
        _ node: QueryNode, _ property: QueryPath, _ lower: QueryConstant, _ upper: QueryConstant
    ) throws(QueryError) -> ScanPredicate {
        var translation = QueryTranslation()
        let path = try translation.path(.property(property))
        if path.isAny || !translation.claims.isEmpty { return try translated(node) }
        let lowering = PredicateLowering(binding: binding)
        let found = try lowering.resolve(path.steps)
        try lowering.check(.between, [], for: found.type)
        return found.between(
            try lowering.value(PredicateConstant(lower), for: found.type),
            try lowering.value(PredicateConstant(upper), for: found.type), includesUpper: false)
    }

    /// By way of the tree of all front ends.
    @inline(never)
    private func translated(_ node: QueryNode) throws(QueryError) -> ScanPredicate {
        var translation = QueryTranslation()
        let condition = try translation.condition(node).checkedForDepth()
        let lowering = PredicateLowering(binding: binding)
        for claim in translation.claims { try check(claim, lowering) }
        return try lowering.condition(condition)
    }

    /// Throws if a property that was named is not what the caller takes it for. Those inside of
    /// subqueries are checked by their conditions.
    private func check(_ claim: QueryTranslation.Claim, _ lowering: PredicateLowering)
        throws(QueryError)
    {
        let found = try lowering.resolve(claim.steps)
        if found.type.type == claim.type, claim.isCollection || found.isSingle { return }
        guard case .property(let name)? = claim.steps.last else { return }
        throw QueryError(
            """
            Cannot compare value of type '\(claim.type)' to property '\(name)' of type \
            '\(found.isSingle ? found.type.type.description : "array")'
            """,
            remedy: "Name the property's own type: $0[\"\(name)\", as: ….self].")
    }
}

extension Query where T == Bool {
    /// The predicate for the storage. Traps if the query does not fit the class.
    @inline(__always)
    func lowered(for binding: ClassBinding) -> ScanPredicate {
        unwrapQuery { () throws(QueryError) in try QueryLowering(binding: binding).condition(node) }
    }
}
