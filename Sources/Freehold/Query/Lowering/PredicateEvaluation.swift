import Foundation

/// Evaluates a condition on an object or a value that no realm manages, by reading its properties
/// one by one.
///
/// The rules are those of ``ScanPredicate``. Throws for names that the classes do not have.
struct PredicateEvaluation {
    /// The elements that the variables of subqueries refer to.
    private var variables: [String: Any?] = [:]

    init() {}

    /// Whether an element satisfies a condition.
    func holds(_ node: PredicateNode, for element: Any?) throws(QueryError) -> Bool {
        switch node {
        case .constant(let value): return value
        case .and(let operands):
            for operand in operands { if try !holds(operand, for: element) { return false } }
            return true
        case .or(let operands):
            for operand in operands { if try holds(operand, for: element) { return true } }
            return false
        case .not(let operand): return try !holds(operand, for: element)
        case .comparison(let comparison): return try holds(comparison, for: element)
        case .member(let comparison): return try holds(comparison.named(), for: element)
        case .agreement(let a, let b, let isWanted):
            return try (holds(a, for: element) == holds(b, for: element)) == isWanted
        }
    }

    private func holds(_ comparison: PredicateComparison, for element: Any?) throws(QueryError)
        -> Bool
    {
        if comparison.operation == .isIn, case .constant(.geo) = comparison.right,
            case .keyPath(let steps) = comparison.left
        {
            let holds = try ValueComparison(
                comparison.operation, comparison.options, comparison.right)
            return quantified(
                comparison.quantifier,
                try follow(steps, from: element).map { holds.isInRegion($0) ?? false })
        }
        let areMembers = comparison.left.hasMembers || comparison.right.hasMembers
        let takesList = comparison.operation == .between || comparison.operation == .isIn
        let left = try values(comparison.left, of: element, areMembers, areSeveral: false)
        let right = try values(comparison.right, of: element, areMembers, areSeveral: takesList)
        let holds = try ValueComparison(
            comparison.operation, comparison.options, comparison.right,
            isWithNull: try isOfTextWithNull(comparison, element))
        if takesList {
            // Each value of the left side against all of the right side.
            let matches = left.map { holds($0, right) }
            return quantified(comparison.quantifier, matches)
        }
        return quantified(
            comparison.quantifier, left.flatMap { first in right.map { holds(first, $0) } })
    }

    /// Whether a property of texts or data is compared with nil itself. ``AnyRealmValue``s do not
    /// have the special order of nil.
    private func isOfTextWithNull(_ comparison: PredicateComparison, _ element: Any?)
        throws(QueryError) -> Bool
    {
        guard comparison.operation.isOrdered else { return false }
        let steps: [PredicateStep]
        switch (comparison.left, comparison.right) {
        case (.keyPath(let path), .constant(.null)), (.constant(.null), .keyPath(let path)):
            steps = path
        default: return false
        }
        return try !follow(steps, from: element).contains { $0 is AnyRealmValue }
    }

    private func quantified(_ quantifier: PredicateComparison.Quantifier, _ matches: [Bool]) -> Bool
    {
        switch quantifier {
        case .direct, .any: matches.contains(true)
        case .all: !matches.contains(false)
        case .none: !matches.contains(true)
        }
    }

    // MARK: Values

    /// - Parameters:
    ///   - areMembers: Whether an embedded object is replaced by its members, for comparison with
    ///     such values.
    ///   - areSeveral: Whether a list is replaced by its elements.
    private func values(
        _ expression: PredicateExpression, of element: Any?, _ areMembers: Bool, areSeveral: Bool
    ) throws(QueryError) -> [PredicateConstant] {
        switch expression {
        case .constant(let constant): return [constant]
        case .list(let constants): return areSeveral ? constants : [.list(constants)]
        case .keyPath(let steps):
            return try follow(steps, from: element).map { value in
                if areMembers, let object = flattened(value) as? EmbeddedObject {
                    return .members(PredicateMembers(object))
                }
                return PredicateConstant(argument: value)
            }
        case .subqueryCount(let collection, let variable, let condition):
            var inner = self
            var count: Int64 = 0
            for found in try follow(collection, from: element) {
                inner.variables[variable] = found
                if try inner.holds(condition, for: element) { count += 1 }
            }
            return [.int(count)]
        }
    }

    /// Returns the end of a path: one value, which may be nil, or those of the collections on the
    /// path.
    private func follow(_ steps: [PredicateStep], from element: Any?) throws(QueryError) -> [Any?] {
        var values: [Any?] = [element]
        // The class of the values, including those that are nil.
        var schema = Self.schema(of: element)
        let keyPath = PredicateStep.keyPath(of: steps)
        if KeyPathLimit.isExceeded(by: steps) { throw PredicateErrors.longKeyPath(keyPath) }
        for (index, step) in steps.lazy.map(\.plain).enumerated() {
            switch step {
            case .operation(.count), .operation(.size):
                return values.map { value in
                    guard let value = value as? AnyRealmValue else {
                        return Int64(elements([value], withNulls: true).count)
                    }
                    return isCollection(type(of: value.held ?? 0))
                        ? Int64(elements([value.held], withNulls: true).count) : 0
                }
            case .operation(.allKeys): values = values.flatMap { Self.keys(of: $0) }
            case .operation(.allValues): break
            case .operation(let operation):
                let rest = Array(steps[(index + 1)...])
                return try values.map { collection throws(QueryError) in
                    var operands: [Any?] = []
                    for value in elements([collection]) {
                        operands += try follow(rest, from: value)
                    }
                    return aggregate(operation, operands, keyPath)
                }
            case .variable(let name):
                guard let variable = variables[name] else {
                    throw PredicateErrors.unknownVariable(keyPath)
                }
                values = [variable]
                schema = Self.schema(of: variable)
            case .key(let key): values = values.map { Self.value(forKey: key, of: $0) }
            case .index(let position): values = values.map { Self.element(at: position, of: $0) }
            case .anyElement:
                values = values.flatMap {
                    isCollection(type(of: Self.held($0) ?? 0)) ? elements([Self.held($0)]) : []
                }
            case .property(let name):
                if name.lowercased() == "self" { continue }
                let objects = elements(values)
                var next: ClassSchema?
                values = []
                for object in objects {
                    guard let declaring = Self.schema(of: object) ?? schema else {
                        throw PredicateErrors.notALink(keyPath, name, of: nil)
                    }
                    guard let property = declaring.declaredProperty(named: name) else {
                        throw PredicateErrors.unknownProperty(name, keyPath, declaring)
                    }
                    next = property.objectType.flatMap { try? ClassSchema.shared(for: $0) }
                    values.append(Self.value(of: property, object as? ObjectBase))
                }
                schema = next
            case .typed, .backlinks: throw PredicateErrors.notACollection(keyPath, "@links")
            }
        }
        return elements(values)
    }

    private static func schema(of value: Any?) -> ClassSchema? {
        (held(value) as? ObjectBase)?.reflectedSchema
    }

    /// Returns the value of an object's property. Without an object, a collection is empty and
    /// everything else is nil.
    private static func value(of property: PropertyDescriptor, _ object: ObjectBase?) -> Any? {
        guard let object else {
            return property.shape == nil && !property.isComputed ? nil : [Any?]()
        }
        let value = object.value(of: property)
        // ``AnyRealmValue``s are kept, so that the collections in them count as values.
        if property.type == .any, property.shape == nil {
            return (try? AnyRealmValue(literal: value)) ?? AnyRealmValue.none
        }
        return flattened(value)
    }

    /// Replaces collections by their elements. Null objects, which a map may have, are only
    /// counted.
    private func elements(_ values: [Any?], withNulls: Bool = false) -> [Any?] {
        values.flatMap { value -> [Any?] in
            guard let value = flattened(value) else { return [nil] }
            if value is AnyRealmValue { return [value] }
            if let none = value as? [Any?] { return none }
            if let map = value as? any PersistedCollection & KeyedLiteral {
                return map.literal.entries.values.map { flattened($0) }.filter {
                    $0 != nil || withNulls || !map.holdsObjects
                }
            }
            if let collection = value as? any RealmCollection { return Self.contents(collection) }
            return [value]
        }
    }

    private static func contents<Elements: RealmCollection>(_ collection: Elements) -> [Any?] {
        collection.map { flattened($0) }
    }

    private static func held(_ value: Any?) -> Any? { (value as? AnyRealmValue)?.held ?? value }

    private static func value(forKey key: String, of value: Any?) -> Any? {
        guard let map = held(value) as? any KeyedLiteral else { return nil }
        return map.literal.entries[key].flatMap { flattened($0) }
    }

    private static func element(at position: Int, of value: Any?) -> Any? {
        guard let list = held(value) as? List<AnyRealmValue> else { return nil }
        let index = position < 0 ? list.count + position : position
        return list.indices.contains(index) ? list[index] : nil
    }

    private static func keys(of value: Any?) -> [Any?] {
        (held(value) as? any KeyedLiteral).map { Array($0.literal.entries.keys) } ?? []
    }

    private func aggregate(_ operation: PredicateOperator, _ values: [Any?], _ keyPath: String)
        -> Any?
    {
        let aggregate: Aggregate =
            switch operation {
            case .min: .minimum
            case .max: .maximum
            case .avg: .average
            default: .sum
            }
        return UnmanagedAggregate(aggregate, ofValues: values, keyPath: keyPath).held
    }
}

extension PersistedCollection {
    fileprivate var holdsObjects: Bool {
        Item._rlmObjectType != nil || Item.elementCodec.target != nil
    }
}
