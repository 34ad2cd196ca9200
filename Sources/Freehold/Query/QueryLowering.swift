import FreeholdStorage

/// Turns the tree of a query into the storage's predicate: properties become columns, objects become row keys.
struct QueryLowering {
    /// Kept alive by the caller's realm.
    unowned(unsafe) let binding: ClassBinding

    /// The predicate of a node that stands for a condition.
    func condition(_ node: QueryNode) throws(QueryError) -> ScanPredicate {
        switch node {
        case .root: throw valueInsteadOfCondition
        case .property:
            return .compare(try path(node).scan, .equal, .boolean(true))
        case .comparison(let node):
            return try compare(node)
        case .outcome(let condition, let comparison, let constant):
            return try compare(condition, comparison, constant)
        case .comparisonOfNodes(let left, let comparison, let right):
            return try compare(left, comparison, right)
        case .between(let node, let lower, let upper, let includesUpper):
            let path = try path(node)
            return .between(path.scan, try value(lower, for: path), try value(upper, for: path), includesUpper: includesUpper)
        case .membership(let node, let constants):
            let path = try path(node)
            var values: [ScanValue] = []
            values.reserveCapacity(constants.count)
            for constant in constants { values.append(try value(constant, for: path)) }
            return .oneOf(path.scan, values)
        case .text(let node, let operation, let constant, let options):
            return try text(node, operation, constant, options)
        case .and:
            return .and(try terms(of: node) { if case .and(let left, let right) = $0 { (left, right) } else { nil } })
        case .or:
            return .or(try terms(of: node) { if case .or(let left, let right) = $0 { (left, right) } else { nil } })
        case .not(let operand):
            return .not(try condition(operand))
        }
    }

    /// The operands of nested conjunctions (or disjunctions) in order. `a && b && c` nests to the left, to any depth, which
    /// this follows without recursion.
    private func terms(
        of node: QueryNode, split: (QueryNode) -> (QueryNode, QueryNode)?
    ) throws(QueryError) -> [ScanPredicate] {
        var reversed: [ScanPredicate] = []
        var rest = node
        while let (left, right) = split(rest) {
            if split(right) != nil {
                reversed.append(contentsOf: try terms(of: right, split: split).reversed())
            } else {
                reversed.append(try condition(right))
            }
            rest = left
        }
        reversed.append(try condition(rest))
        return reversed.reversed()
    }
}

// MARK: - Comparisons

extension QueryLowering {
    @inline(__always)
    private func compare(_ node: QueryComparison) throws(QueryError) -> ScanPredicate {
        // Objects must be looked at, and what is unsupported needs the property's name for its message.
        if node.path.parent == nil, case .value(let value) = node.constant, let known = binding.knownPath(node.path.keyPath) {
            return .compare(known, node.comparison, value)
        }
        return try compareUnknown(node)
    }

    @inline(never)
    private func compareUnknown(_ node: QueryComparison) throws(QueryError) -> ScanPredicate {
        let found = try path(node.path)
        if node.path.parent == nil { binding.notePath(node.path.keyPath, found.scan) }
        return .compare(found.scan, node.comparison, try value(node.constant, for: found))
    }

    /// A condition compared with a constant: `($0.age > 5) == false`.
    private func compare(
        _ node: QueryNode, _ comparison: ScanComparison, _ constant: QueryConstant
    ) throws(QueryError) -> ScanPredicate {
        guard comparison == .equal || comparison == .notEqual else { throw orderOfConditions }
        let condition = try condition(node)
        guard case .value(.boolean(let expected)) = constant else { throw valueInsteadOfCondition }
        return expected == (comparison == .equal) ? condition : .not(condition)
    }

    private func compare(
        _ left: QueryNode, _ comparison: ScanComparison, _ right: QueryNode
    ) throws(QueryError) -> ScanPredicate {
        if case (.property(let left), .property(let right)) = (left, right) {
            return .compareColumns(try path(left).scan, comparison, try path(right).scan)
        }
        guard comparison == .equal || comparison == .notEqual else { throw orderOfConditions }
        let (a, b) = (try condition(left), try condition(right))
        let equal = ScanPredicate.or([.and([a, b]), .not(.or([a, b]))])
        return comparison == .equal ? equal : .not(equal)
    }

    private var valueInsteadOfCondition: QueryError {
        QueryError("Predicate expressions must compare a keypath and another keypath or a constant value",
            remedy: "The closure gave a value. Compare it with something.")
    }

    private var orderOfConditions: QueryError {
        QueryError("Predicate expressions must compare a keypath and another keypath or a constant value",
            remedy: "Conditions can be compared with == and != only.")
    }

    private func text(
        _ node: QueryNode, _ operation: ScanTextOperator, _ constant: QueryConstant, _ options: StringOptions
    ) throws(QueryError) -> ScanPredicate {
        let path = try path(node)
        switch try value(constant, for: path) {
        case .text(let bytes), .bytes(let bytes):
            if options.isEmpty && (operation == .equal || operation == .notEqual) {
                let constant: ScanValue = path.property.columnType == .text ? .text(bytes) : .bytes(bytes)
                return .compare(path.scan, operation == .equal ? .equal : .notEqual, constant)
            }
            return .text(path.scan, operation, bytes, options.lowered)
        case .null:
            switch operation {
            case .equal: return .compare(path.scan, .equal, .null)
            case .notEqual: return .compare(path.scan, .notEqual, .null)
            case .contains, .beginsWith, .endsWith, .like: return .none
            }
        default:
            throw mismatch(constant, path)
        }
    }

    /// The constant as the property's column stores it.
    private func value(_ constant: QueryConstant, for path: PropertyPath) throws(QueryError) -> ScanValue {
        switch constant {
        case .value(let value): return value
        case .unsupported: throw mismatch(constant, path)
        case .object(let object):
            guard path.property.columnType == .link else { throw mismatch(constant, path) }
            guard let core = object.core, core.store === binding.core.store else {
                throw QueryError("Object must be from the Realm being queried",
                    remedy: "'\(path.name)' was compared with an object that "
                        + (object.core == nil ? "is in no realm: add it first." : "belongs to another realm."))
            }
            // The type says so of all but dynamic objects.
            if let dynamic = object.dynamicBinding, dynamic.schema.type != path.property.objectType { throw mismatch(constant, path) }
            return .link(RowKey(rawValue: object.key))
        }
    }

    private func mismatch(_ constant: QueryConstant, _ path: PropertyPath) -> QueryError {
        let type = switch constant {
        case .value(let value): "\(value)"
        case .object(let object): object.dynamicBinding?.schema.className ?? "\(Swift.type(of: object))"
        case .unsupported(let type): "\(type)"
        }
        return QueryError(
            "Cannot compare value of type '\(type)' to property '\(path.property.name)' of type '\(path.property.type)'",
            remedy: "Compare '\(path.name)' with a value of the property's own type."
        )
    }
}

// MARK: - Paths

extension QueryLowering {
    /// The property that a node stands for.
    func path(_ node: QueryNode) throws(QueryError) -> PropertyPath {
        if case .property(let path) = node { return try self.path(path) }
        return try path(named: [])
    }

    private func path(_ path: QueryPath) throws(QueryError) -> PropertyPath {
        let found = try self.path(named: try names(path))
        if let named = path.parent?.named, let type = named.type, type != found.property.type || found.property.shape != nil {
            throw QueryError(
                "Cannot compare value of type '\(type)' to property '\(named.name)' of type '\(found.property.typeText)'",
                remedy: "Name the property's own type: $0[\"\(named.name)\", as: ….self]."
            )
        }
        return found
    }

    private func path(named names: [String]) throws(QueryError) -> PropertyPath {
        let found: PropertyPath
        do throws(PropertyPathError) {
            found = try PropertyPath(names, from: binding)
        } catch {
            switch error {
            case .unknownProperty(let name, let className):
                throw QueryError(
                    "Property '\(name)' not found in object of type '\(className)'",
                    remedy: "Only persisted properties can be queried: mark it with @Persisted, or filter a Swift array."
                )
            case .notALink(let name, let className):
                throw QueryError(
                    "Property '\(name)' is not a link in object of type '\(className)'",
                    remedy: "It can only stand at the end of a key path."
                )
            case .empty:
                throw QueryError(
                    "Predicate expressions must compare a keypath and another keypath or a constant value",
                    remedy: "The query names no property."
                )
            }
        }
        if found.property.type == .any, found.property.shape == nil {
            throw QueryError(
                "Property '\(found.name)' of type 'mixed' cannot be queried",
                remedy: "Queries do not look into AnyRealmValue yet: filter a Swift array, as in Array(results).filter { … }.")
        }
        return found
    }

    private func names(_ path: QueryPath) throws(QueryError) -> [String] {
        if let parent = path.parent, let named = parent.named { return try (parent.path.map { path throws(QueryError) in try names(path) } ?? []) + [named.name] }
        let last = KeyPathNames.names(of: path.keyPath, from: path.root)
        if last.isEmpty {
            throw QueryError(
                "Key path '\(path.keyPath)' does not lead to a persisted property",
                remedy: "Only persisted properties can be queried: mark it with @Persisted, or filter a Swift array."
            )
        }
        guard let parent = path.parent?.path else { return last }
        return try names(parent) + last
    }
}

extension Query where T == Bool {
    /// The predicate for the storage. Traps if the query does not fit the class.
    @inline(__always)
    func lowered(for binding: ClassBinding) -> ScanPredicate {
        unwrapQuery { () throws(QueryError) in try QueryLowering(binding: binding).condition(node) }
    }
}
