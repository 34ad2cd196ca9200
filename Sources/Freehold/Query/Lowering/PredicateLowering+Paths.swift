import FreeholdStorage

/// Follows a key path step by step.
///
/// The current place is one of a few kinds. Continuing from a collection enters it, which is a
/// hop; a path that ends in one means its elements.
private struct PathWalk {
    let steps: [PredicateStep]
    private var hops: [PredicatePath.Hop] = []
    private var place: Place
    /// The last property, for messages.
    private var name = "self"
    /// The class that declares the last property.
    private var owner: String?

    private enum Place {
        /// An object, over to-one links.
        case object(ClassBinding, [ColumnID])
        case collection(Collection)
        case value(ScanPath, PropertyType)
        case mixed(ScanPath, [ScanMixedStep])
        /// The value of a key in a map.
        case mapValue(Collection, ScanPath, key: [UInt8])
        /// The result of an operator on a collection; the last part is the type of the elements.
        case operand(ScanOperand, PropertyType, PredicateOperator, PropertyType?)
    }

    private struct Collection {
        /// Nil if the file lacks the class that the links come from.
        var hop: ScanHop?
        var shape: CollectionKind
        var element: Element
        /// The place of a stored collection.
        var path: ScanPath?
    }

    private enum Element {
        case objects(ClassBinding)
        case values(PropertyType)
    }

    /// The class of the subject, or a class of the same realm.
    private let realm: ClassBinding

    init(_ steps: [PredicateStep], from subject: PredicateSubject) {
        self.steps = steps
        realm = subject.binding
        switch subject {
        case .row(let binding): place = .object(binding, [])
        case .value(let type, _) where type.type == .any:
            place = .mixed(ScanPath(column: .element), [])
        case .value(let type, _): place = .value(ScanPath(column: .element), type.type)
        }
    }

    private var keyPath: String { PredicateStep.keyPath(of: steps) }

    // MARK: Steps

    /// Follows the steps from a position on, except the last `kept` ones.
    mutating func follow(from start: Int = 0) throws(QueryError) {
        if KeyPathLimit.isExceeded(by: steps) { throw PredicateErrors.longKeyPath(keyPath) }
        var index = start
        while index < steps.count {
            switch steps[index] {
            case .property(let property): try follow(property)
            case .typed(let property): try follow(property)
            case .variable: throw PredicateErrors.unknownVariable(keyPath)
            case .key(let key): try follow(key: key)
            case .index(let position):
                enterAnyValueOfKey()
                guard case .mixed(let path, let inner) = place else {
                    throw PredicateErrors.noSubscript(keyPath, name)
                }
                place = .mixed(path, inner + [.index(position)])
            case .anyElement: try followAnyElement()
            case .backlinks(let className, let property): try followBacklinks(className, property)
            case .operation(let operation): try follow(operation, &index)
            }
            index += 1
        }
    }

    /// Returns the end of the path, after all steps were followed.
    mutating func end() -> PredicatePath {
        if case .collection(let collection) = place { enter(collection) }
        switch place {
        case .object(let binding, let links):
            let path =
                links.isEmpty
                ? ScanPath(column: .rowKeys)
                : ScanPath(links: Array(links.dropLast()), column: links[links.count - 1])
            return PredicatePath(
                hops: hops, place: .column(path),
                type: PredicateValueType(type: .object, name: name, target: binding))
        case .value(let path, let type):
            return PredicatePath(
                hops: hops, place: .column(path),
                type: PredicateValueType(
                    type: type, name: name, operation: path.column == .elementKey ? .allKeys : nil))
        case .mixed(let path, let inner):
            return PredicatePath(
                hops: hops, place: inner.isEmpty ? .column(path) : .operand(.mixed(path, inner)),
                type: PredicateValueType(type: .any, name: name))
        case .mapValue(let collection, let path, let key):
            let type =
                switch collection.element {
                case .objects(let binding):
                    PredicateValueType(type: .object, name: name, target: binding)
                case .values(let type): PredicateValueType(type: type, name: name)
                }
            return PredicatePath(hops: hops, place: .operand(.mapValue(path, key: key)), type: type)
        case .operand(let operand, let type, let operation, let elements):
            return PredicatePath(
                hops: hops, place: .operand(operand),
                type: PredicateValueType(
                    type: type, name: name, operation: operation, operand: elements))
        case .collection: preconditionFailure("It was entered.")
        }
    }

    /// Returns the collection that the path ends in, and its elements as a subject.
    mutating func endInCollection() throws(QueryError) -> (
        hops: [PredicatePath.Hop], hop: ScanHop?, subject: PredicateSubject
    ) {
        guard case .collection(let collection) = place else {
            throw PredicateErrors.notACollection(keyPath, "SUBQUERY")
        }
        switch collection.element {
        case .objects(let binding): return (hops, collection.hop, .row(binding))
        case .values(let type):
            return (hops, collection.hop, .value(PredicateValueType(type: type, name: name), realm))
        }
    }

    /// Continues from the elements of a collection.
    private mutating func enter(_ collection: Collection) {
        hops.append(PredicatePath.Hop(hop: collection.hop))
        place = Self.inside(collection.element)
    }

    private static func inside(_ element: Element) -> Place {
        switch element {
        case .objects(let binding): .object(binding, [])
        case .values(.any): .mixed(ScanPath(column: .element), [])
        case .values(let type): .value(ScanPath(column: .element), type)
        }
    }

    /// Continues from the value of a key.
    private mutating func enter(_ collection: Collection, key: [UInt8]) {
        hops.append(PredicatePath.Hop(hop: collection.hop, key: key))
        place = Self.inside(collection.element)
    }
}

// MARK: - Properties

extension PathWalk {
    private mutating func follow(_ property: String) throws(QueryError) {
        if property.lowercased() == "self" { return }
        if case .collection(let collection) = place { enter(collection) }
        if case .mapValue(let collection, _, let key) = place, case .objects = collection.element {
            enter(collection, key: key)
        }
        guard case .object(let binding, let links) = place else {
            throw PredicateErrors.notALink(keyPath, name, of: owner)
        }
        let schema = binding.schema
        name = property
        owner = schema.className
        if let ordinal = schema.ordinal(named: property) {
            return place = try followStored(ordinal, of: binding, links)
        }
        guard let position = schema.computed.firstIndex(where: { $0.name == property }) else {
            throw PredicateErrors.unknownProperty(property, keyPath, schema)
        }
        guard let backlinks = binding.backlinks[position],
            let target = schema.computed[position].objectType
        else {
            throw PredicateErrors.missingClass(
                schema.computed[position].objectType?.className() ?? property, keyPath)
        }
        let origin = realm.core.binding(for: target)
        place = .collection(
            Collection(
                hop: ScanHop(links: links, .backlinks(origin.table, backlinks.column)),
                shape: .list, element: .objects(origin), path: nil))
    }

    /// Follows a property. Throws if it does not have the claimed type.
    private mutating func follow(_ property: TypedProperty) throws(QueryError) {
        try follow(property.name)
        guard let claim = property.claim else { return }
        var walk = self
        let found = walk.end()
        if found.type.type == claim, property.isCollection || found.isSingle { return }
        throw PredicateErrors.unclaimed(property.name, claim, found)
    }

    private func followStored(_ ordinal: Int, of binding: ClassBinding, _ links: [ColumnID])
        throws(QueryError) -> Place
    {
        let property = binding.schema.properties[ordinal]
        let column = binding.columns[ordinal]
        let path = ScanPath(links: links, column: column)
        if let shape = property.shape {
            let element: Element =
                if let target = property.codec.elementTarget {
                    .objects(try self.binding(target))
                } else { .values(property.type) }
            return .collection(
                Collection(
                    hop: ScanHop(links: links, .elements(column)), shape: shape, element: element,
                    path: path))
        }
        if let target = property.objectType {
            return .object(try self.binding(target), links + [column])
        }
        return property.type == .any ? .mixed(path, []) : .value(path, property.type)
    }

    private func binding(_ target: ObjectBase.Type) throws(QueryError) -> ClassBinding {
        guard let binding = realm.core.binding(named: target.className()) else {
            throw PredicateErrors.missingClass(target.className(), keyPath)
        }
        return binding
    }

    private mutating func followBacklinks(_ className: String, _ property: String)
        throws(QueryError)
    {
        if case .collection(let collection) = place { enter(collection) }
        guard case .object(let binding, let links) = place else {
            throw PredicateErrors.notALink(keyPath, name, of: owner)
        }
        guard let origin = realm.core.binding(named: className) else {
            throw PredicateErrors.missingClass(className, keyPath)
        }
        guard let ordinal = origin.schema.ordinal(named: property) else {
            throw PredicateErrors.unknownProperty(property, keyPath, origin.schema)
        }
        guard origin.schema.properties[ordinal].objectType?.tableName == binding.schema.tableName
        else {
            throw PredicateErrors.noBacklink(
                keyPath, "\(className).\(property)", binding.schema.className)
        }
        name = property
        owner = className
        place = .collection(
            Collection(
                hop: ScanHop(links: links, .backlinks(origin.table, origin.columns[ordinal])),
                shape: .list, element: .objects(origin), path: nil))
    }
}

// MARK: - Subscripts

extension PathWalk {
    /// Called before a step into the value of a map's key that is an ``AnyRealmValue``.
    private mutating func enterAnyValueOfKey() {
        if case .mapValue(let collection, _, let key) = place,
            case .values(.any) = collection.element
        {
            enter(collection, key: key)
        }
    }

    private mutating func follow(key: String) throws(QueryError) {
        let bytes = Array(key.utf8)
        enterAnyValueOfKey()
        switch place {
        case .collection(let collection):
            guard collection.shape == .map, let path = collection.path else {
                throw PredicateErrors.noSubscript(keyPath, name)
            }
            place = .mapValue(collection, path, key: bytes)
        case .mixed(let path, let inner): place = .mixed(path, inner + [.key(bytes)])
        default: throw PredicateErrors.noSubscript(keyPath, name)
        }
    }

    private mutating func followAnyElement() throws(QueryError) {
        enterAnyValueOfKey()
        switch place {
        case .collection(let collection): enter(collection)
        case .mixed(let path, let inner):
            hops.append(
                PredicatePath.Hop(
                    hop: ScanHop(links: path.links, .mixedElements(path.column, inner)),
                    isAnyElement: true))
            place = .mixed(ScanPath(column: .element), [])
        default: throw PredicateErrors.noSubscript(keyPath, name)
        }
    }
}

// MARK: - Collection operators

extension PathWalk {
    private mutating func follow(_ operation: PredicateOperator, _ index: inout Int)
        throws(QueryError)
    {
        enterAnyValueOfKey()
        if case .mixed(let path, let inner) = place, operation == .count || operation == .size {
            if index + 1 < steps.count { throw PredicateErrors.countInTheMiddle(keyPath) }
            return place = .operand(
                .count(ScanHop(links: path.links, .mixedElements(path.column, inner)), where: .all),
                .int, operation, nil)
        }
        guard case .collection(let collection) = place else {
            switch place {
            case .operand: throw PredicateErrors.twoOperators(keyPath)
            case .value, .mixed: throw PredicateErrors.notALink(keyPath, name, of: owner)
            default: throw PredicateErrors.notACollection(keyPath, "@\(operation.rawValue)")
            }
        }
        switch operation {
        case .allValues:
            if collection.shape != .map { throw PredicateErrors.valuesWithoutMap(keyPath) }
        case .allKeys:
            if collection.shape != .map { throw PredicateErrors.keysWithoutMap(keyPath) }
            enter(collection)
            place = .value(ScanPath(column: .elementKey), .string)
        case .count, .size:
            if index + 1 < steps.count { throw PredicateErrors.countInTheMiddle(keyPath) }
            place = .operand(
                collection.hop.map { .count($0, where: .all) } ?? .constant(.integer(0)), .int,
                operation, nil)
        case .min, .max, .sum, .avg:
            try aggregate(operation, collection, from: index + 1)
            index = steps.count
        }
    }

    /// Follows an operator on the elements of a collection, or on what the rest of the path leads
    /// to from them.
    private mutating func aggregate(
        _ operation: PredicateOperator, _ collection: Collection, from start: Int
    ) throws(QueryError) {
        let outer = hops
        hops = []
        place = Self.inside(collection.element)
        if steps[start...].contains(where: { if case .operation = $0 { true } else { false } }) {
            throw PredicateErrors.twoOperators(keyPath)
        }
        let isObjects = if case .objects = collection.element { true } else { false }
        if start == steps.count, isObjects {
            throw PredicateErrors.aggregateOfObjects(keyPath, operation)
        }
        if start < steps.count, !isObjects {
            throw PredicateErrors.aggregateOfValues(keyPath, operation)
        }
        try follow(from: start)
        let inner = end()
        guard inner.hops.isEmpty, case .column(let path) = inner.place else {
            throw PredicateErrors.notFollowedByNumber(keyPath, operation)
        }
        switch inner.type.type {
        case .int, .float, .double, .decimal128, .any: break
        case let type where type.storedScalar?.columnType.hasExtremes ?? false:
            if operation == .sum || operation == .avg { throw PredicateErrors.sumOfDates(keyPath) }
        default:
            throw isObjects
                ? PredicateErrors.notFollowedByNumber(keyPath, operation)
                : PredicateErrors.notNumbers(keyPath, operation)
        }
        hops = outer
        guard let hop = collection.hop, let aggregate = operation.aggregate else {
            return place = .operand(.constant(.null), inner.type.type, operation, inner.type.type)
        }
        // The mean of floats is compared with constants as floats are.
        let isMean = operation == .avg && inner.type.type == .int
        place = .operand(
            .aggregate(aggregate, hop, path), isMean ? .double : inner.type.type, operation,
            inner.type.type)
    }
}

// MARK: -

extension PredicateLowering {
    /// Resolves a key path.
    func resolve(_ steps: [PredicateStep]) throws(QueryError) -> PredicatePath {
        let start = try start(steps)
        var walk = PathWalk(steps, from: subject(of: start.scope))
        try walk.follow(from: start.steps)
        return try seen(walk.end(), from: start.scope)
    }

    /// Whether a side of a comparison has several values.
    func leadsOverCollections(_ expression: PredicateExpression) throws(QueryError) -> Bool {
        switch expression {
        case .constant, .list: return false
        case .keyPath(let steps):
            let start = try start(steps)
            return try !PredicateLowering(binding: binding, elements, at: start.scope).resolve(
                steps
            ).hops.isEmpty
        case .subqueryCount(let collection, _, _):
            let start = try start(collection)
            var walk = PathWalk(collection, from: subject(of: start.scope))
            try walk.follow(from: start.steps)
            return try !walk.endInCollection().hops.isEmpty
        }
    }

    /// Resolves the number of elements of a collection that satisfy a condition.
    func resolveSubquery(
        _ collection: [PredicateStep], _ variable: String, _ condition: PredicateNode
    ) throws(QueryError) -> PredicatePath {
        let start = try start(collection)
        var walk = PathWalk(collection, from: subject(of: start.scope))
        try walk.follow(from: start.steps)
        let found = try walk.endInCollection()
        let inner = try PredicateLowering(
            binding: binding,
            elements + [PredicateScope(subject: found.subject, variable: variable)]
        ).condition(condition)
        let operand =
            found.hop.map { ScanOperand.count($0, where: inner) } ?? .constant(.integer(0))
        let path = PredicatePath(
            hops: found.hops, place: .operand(operand),
            type: PredicateValueType(type: .int, name: "SUBQUERY", operation: .count))
        return try seen(path, from: start.scope)
    }
}
