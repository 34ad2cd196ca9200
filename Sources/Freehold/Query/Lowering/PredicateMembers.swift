import FreeholdStorage

/// The members of an embedded object that a type of the program is stored as. A stored object is
/// equal if all values are.
struct PredicateMembers: Hashable, Sendable {
    /// The class of the embedded object.
    let className: String
    let names: [String]
    /// The value of each property, by the position of its name. Nil for an empty collection.
    let values: [PredicateConstant?]
    /// The object itself: see ``PredicateObject/original``.
    var original = OriginalObject()

    init(_ object: EmbeddedObject) {
        // A class with an invalid schema is in no realm, so nothing equals its objects.
        let properties = object.reflectedSchema?.properties ?? []
        className = type(of: object).className()
        names = properties.map(\.name)
        values = properties.map { property in
            let value = flattened(object.value(of: property))
            if let shape = property.shape {
                // No condition can say that two collections have the same elements.
                let isEmpty =
                    (value as? any RealmCollection)?.isEmpty ?? (value as? any RealmKeyedCollection)
                    .map { $0.count == 0 } ?? false
                return isEmpty ? nil : .unsupported(description: shape.propertyName)
            }
            return (value as? EmbeddedObject).map { .members(PredicateMembers($0)) }
                ?? PredicateConstant(argument: value)
        }
    }
}

extension PredicateConstant {
    var isMembers: Bool { if case .members = self { true } else { false } }
}

extension PredicateExpression {
    /// Whether the constant has members, or is a list with such a constant.
    var hasMembers: Bool {
        switch self {
        case .constant(let constant): constant.isMembers
        case .list(let constants): constants.contains(where: \.isMembers)
        case .keyPath, .subqueryCount: false
        }
    }
}

extension PredicateLowering {
    /// Lowers a comparison with values stored as embedded objects, member by member.
    func compareMembers(
        _ path: PredicatePath, _ comparison: PredicateComparison, _ constants: [PredicateConstant]
    ) throws(QueryError) -> ScanPredicate {
        guard [.equal, .notEqual, .isIn].contains(comparison.operation), comparison.options.isEmpty
        else { throw PredicateErrors.unsupported(comparison.operation, path.type) }
        guard case .column(let place) = path.place else {
            // The value is under a key of a map, where the members have paths of their own.
            guard case .keyPath(let steps) = comparison.left, comparison.quantifier == .direct
            else { throw PredicateErrors.noKeyPath }
            let equal = try constants.map { constant throws(QueryError) in
                try condition(equality(of: steps, with: constant))
            }
            return comparison.operation == .notEqual ? .not(equal[0]) : .or(equal)
        }
        let isEqual = comparison.operation != .notEqual
        return try quantified(
            path, comparison.quantifier, holdsForNull: isEqual ? constants.contains(.null) : true
        ) { () throws(QueryError) in
            let equal = try constants.map { constant throws(QueryError) -> ScanPredicate in
                guard case .members(let members) = constant else {
                    if try isAbsent(constant, for: path.type) { return ScanPredicate.none }
                    return path.compared(.equal, try value(constant, for: path.type))
                }
                return try equality(of: place, with: members, path.type)
            }
            return isEqual ? .or(equal) : .not(equal[0])
        }
    }

    private func equality(
        of link: ScanPath, with members: PredicateMembers, _ type: PredicateValueType
    ) throws(QueryError) -> ScanPredicate {
        guard let target = type.target, target.schema.className == members.className else {
            throw PredicateErrors.incomparable(.members(members), type)
        }
        // After a hop, the path is that of the elements themselves.
        let isElement = link.column == .rowKeys
        let links = isElement ? link.links : link.links + [link.column]
        var conditions: [ScanPredicate] = isElement ? [] : [.compare(link, .notEqual, .null)]
        for (name, value) in zip(members.names, members.values) {
            guard let ordinal = target.schema.ordinal(named: name) else {
                throw PredicateErrors.incomparable(.members(members), type)
            }
            let property = target.schema.properties[ordinal]
            let path = ScanPath(links: links, column: target.columns[ordinal])
            let inner = PredicateValueType(
                type: property.type, name: name,
                target: property.objectType.flatMap { target.core.binding(named: $0.className()) })
            guard let value else {
                let hop = ScanHop(links: links, .elements(path.column))
                conditions.append(
                    .compareOperands(.count(hop, where: .all), .equal, .constant(.integer(0))))
                continue
            }
            if property.shape != nil {
                throw PredicateErrors.elementsInMember(name, of: members.className)
            }
            if case .members(let members) = value {
                conditions.append(try equality(of: path, with: members, inner))
            } else if try isAbsent(value, for: inner) {
                return .none
            } else {
                conditions.append(.compare(path, .equal, try self.value(value, for: inner)))
            }
        }
        return .and(conditions)
    }

    private func equality(of steps: [PredicateStep], with constant: PredicateConstant)
        -> PredicateNode
    {
        func compare(
            _ steps: [PredicateStep], _ operation: PredicateComparison.Operation,
            _ constant: PredicateConstant
        ) -> PredicateNode {
            .comparison(
                PredicateComparison(
                    left: .keyPath(steps), operation: operation, right: .constant(constant)))
        }
        guard case .members(let members) = constant else { return compare(steps, .equal, constant) }
        return .and(
            [compare(steps, .notEqual, .null)]
                + zip(members.names, members.values).map { name, value in
                    let member = steps + [.property(name)]
                    return value.map { equality(of: member, with: $0) }
                        ?? compare(member + [.operation(.count)], .equal, .int(0))
                })
    }
}
