import FreeholdStorage

/// Turns a condition into the storage's predicate for one class of one realm.
struct PredicateLowering {
    /// Kept alive by the caller's realm.
    unowned(unsafe) let binding: ClassBinding

    func condition(_ node: PredicateNode) throws(QueryError) -> ScanPredicate {
        switch node {
        case .constant(let value): return value ? .all : .none
        case .not(let operand): return .not(try condition(operand))
        case .and(let operands): return .and(try conditions(operands))
        case .or(let operands): return .or(try conditions(operands))
        case .comparison(let comparison): return try compare(comparison)
        }
    }

    private func conditions(_ nodes: [PredicateNode]) throws(QueryError) -> [ScanPredicate] {
        var lowered: [ScanPredicate] = []
        for node in nodes { lowered.append(try condition(node)) }
        return lowered
    }

    private func compare(_ comparison: PredicateComparison) throws(QueryError) -> ScanPredicate {
        guard comparison.quantifier == .direct else { throw unsupported("ANY, ALL and NONE") }
        switch (comparison.left, comparison.right) {
        case (.keyPath(let left), .keyPath(let right)):
            guard let operation = comparison.operation.comparison else { throw unsupported("'\(comparison.format)'") }
            return .compareColumns(try path(left).scan, operation, try path(right).scan)
        case (.keyPath(let left), .constant(let constant)):
            return try compare(try path(left), comparison, constant)
        case (.constant(let constant), .keyPath(let right)):
            guard let operation = comparison.operation.mirrored else { throw unsupported("'\(comparison.format)'") }
            return try compare(try path(right), PredicateComparison(
                quantifier: .direct, left: comparison.right, operation: operation, right: comparison.left, options: comparison.options), constant)
        case (.keyPath(let left), .list(let constants)):
            let path = try path(left)
            var values: [ScanValue] = []
            for constant in constants { values.append(try value(constant, for: path)) }
            if comparison.operation == .isIn { return .oneOf(path.scan, values) }
            guard comparison.operation == .between else { throw unsupported("'\(comparison.format)'") }
            guard values.count == 2 else {
                throw QueryError("NSArray object must contain exactly two objects for BETWEEN operations", remedy: "Write BETWEEN {1, 5}.")
            }
            return .between(path.scan, values[0], values[1], includesUpper: true)
        default:
            throw QueryError(
                "Predicate expressions must compare a keypath and another keypath or a constant value", remedy: "Name a property: age > 5.")
        }
    }

    private func compare(_ path: PropertyPath, _ comparison: PredicateComparison, _ constant: PredicateConstant) throws(QueryError) -> ScanPredicate {
        let value = try value(constant, for: path)
        let operation = comparison.operation.text
        if let ordered = comparison.operation.comparison, comparison.options.isEmpty || operation == nil { return .compare(path.scan, ordered, value) }
        guard let operation else {
            throw QueryError(
                "Predicate with \(comparison.operation == .between ? "BETWEEN" : "IN") operator must compare a KeyPath with an aggregate",
                remedy: "Write a list: {1, 5}.")
        }
        switch value {
        case .text(let bytes), .bytes(let bytes): return .text(path.scan, operation, bytes, comparison.options.lowered)
        case .null where operation == .equal: return .compare(path.scan, .equal, .null)
        case .null where operation == .notEqual: return .compare(path.scan, .notEqual, .null)
        case .null: return .none
        default: throw mismatch(constant, path)
        }
    }

    private func path(_ steps: [PredicateStep]) throws(QueryError) -> PropertyPath {
        var names: [String] = []
        for step in steps {
            guard case .property(let name) = step else { throw unsupported("'\(PredicateStep.format(of: steps))'") }
            names.append(name)
        }
        do throws(PropertyPathError) {
            return try PropertyPath(names, from: binding)
        } catch {
            let keyPath = names.joined(separator: ".")
            switch error {
            case .empty: throw unsupported("SELF")
            case .unknownProperty(let name, let className):
                let properties = binding.core.binding(named: className)?.schema.properties.map(\.name) ?? []
                let nearest = NearestName.suggestion(for: name, among: properties)
                throw QueryError(
                    "Invalid keypath '\(keyPath)': Property '\(name)' not found in object of type '\(className)'",
                    remedy: nearest.map { "Did you mean '\($0)'?" } ?? "'\(className)' has: \(properties.joined(separator: ", ")).")
            case .notALink(let name, let className):
                throw QueryError(
                    "Invalid keypath '\(keyPath)': Property '\(className).\(name)' is not a link or collection and can only appear at the end of a keypath.",
                    remedy: "End the path there.")
            }
        }
    }

    private func value(_ constant: PredicateConstant, for path: PropertyPath) throws(QueryError) -> ScanValue {
        guard path.property.shape == nil else { throw unsupported("'\(path.name)', a collection,") }
        let value: QueryConstant = switch constant {
        case .null: .value(.null)
        case .bool(let value): QueryConstant(value)
        case .int(let value): .value(.integer(value))
        case .float(let value): .value(.float(value))
        case .double(let value): QueryConstant(value)
        case .string(let value): QueryConstant(value)
        case .data(let value): QueryConstant(any: value)
        case .date(let value): QueryConstant(value)
        case .objectId(let value): QueryConstant(value)
        case .uuid(let value): QueryConstant(value)
        case .decimal(let value): QueryConstant(any: value)
        case .object(let object) where object.store == ObjectIdentifier(binding.core.store): .value(.link(RowKey(rawValue: object.key)))
        case .object: throw QueryError("Object must be from the Realm being queried", remedy: "Add the object to the realm first.")
        case .unsupported: throw mismatch(constant, path)
        }
        guard case .value(let scan) = value, PredicateLowering.fits(constant, path.property.type) else { throw mismatch(constant, path) }
        return scan
    }

    private static func fits(_ constant: PredicateConstant, _ type: PropertyType) -> Bool {
        switch (constant, type) {
        case (.null, _), (.bool, .bool), (.string, .string), (.data, .data), (.date, .date), (.objectId, .objectId), (.uuid, .UUID), (.object, .object): true
        case (.int, .int), (.int, .float), (.int, .double), (.int, .decimal128), (.float, .int), (.float, .float), (.float, .double), (.float, .decimal128),
            (.double, .int), (.double, .float), (.double, .double), (.double, .decimal128), (.decimal, .int), (.decimal, .float), (.decimal, .double),
            (.decimal, .decimal128):
            true
        default: false
        }
    }

    private func mismatch(_ constant: PredicateConstant, _ path: PropertyPath) -> QueryError {
        QueryError(
            "Cannot compare value '\(constant.format)' to property '\(path.property.name)' of type '\(path.property.type)'",
            remedy: "Compare '\(path.name)' with a value of the property's own type.")
    }

    private func unsupported(_ what: String) -> QueryError {
        QueryError("\(what) cannot be queried", remedy: "Filter a Swift array, as in Array(results).filter { … }.")
    }
}

extension PredicateComparison.Operation {
    fileprivate var comparison: ScanComparison? {
        switch self {
        case .equal: .equal
        case .notEqual: .notEqual
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        default: nil
        }
    }

    fileprivate var text: ScanTextOperator? {
        switch self {
        case .equal: .equal
        case .notEqual: .notEqual
        case .beginsWith: .beginsWith
        case .contains: .contains
        case .endsWith: .endsWith
        case .like: .like
        default: nil
        }
    }

    fileprivate var mirrored: PredicateComparison.Operation? {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: nil
        }
    }
}
