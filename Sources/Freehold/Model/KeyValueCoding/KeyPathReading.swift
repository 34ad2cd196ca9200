import Foundation
import FreeholdStorage

/// Reads values by a path of names, from left to right: properties of objects, keys of maps,
/// properties of all elements of collections, and collection operators. A path continued from
/// nil gives nil.
///
/// Thread rule: that of the base value, whose own functions are called.
struct KeyPathReading {
    let keyPath: String

    /// Traps if the key path is too long.
    private init(checking keyPath: String) {
        let limit = PredicateLimits.maximumSteps
        if keyPath.utf8.count > limit,
            keyPath.utf8.count(where: { $0 == UInt8(ascii: ".") }) >= limit
        {
            misuse(
                "Invalid keypath '\(keyPath.prefix(80))…': \(KeyPathLimit.reason)",
                remedy: KeyPathLimit.remedy)
        }
        self.keyPath = keyPath
    }

    /// The value that the path leads to.
    static func value(at keyPath: String, of base: Any) -> Any? {
        KeyPathReading(checking: keyPath).value(keyPath[...], of: base)
    }

    /// Sets the path's last name in the value that the rest of the path leads to. Does nothing
    /// if that value is nil.
    static func setValue(_ value: Any?, at keyPath: String, of base: Any) {
        let reading = KeyPathReading(checking: keyPath)
        guard let dot = keyPath.lastIndex(of: ".") else {
            return reading.set(value, keyPath, of: base)
        }
        guard let owner = reading.value(keyPath[..<dot], of: base) else { return }
        reading.set(value, String(keyPath[keyPath.index(after: dot)...]), of: owner)
        if let object = owner as? ObjectBase, !object._isManaged {
            reading.store(object, keyPath[..<dot], of: base)
        }
    }

    /// Assigns a changed object back to its property if the property converts it: an unmanaged
    /// object contains the value, not the object.
    private func store(_ object: ObjectBase, _ path: Substring, of base: Any) {
        let dot = path.lastIndex(of: ".")
        let name = String(dot.map { path[path.index(after: $0)...] } ?? path)
        let found: Any? = if let dot { value(path[..<dot], of: base) } else { base }
        guard let owner = found as? ObjectBase, !owner._isManaged else { return }
        if owner.reflectedSchema?.property(named: name)?.isConverted == true {
            owner.setValue(object, forKey: name)
        }
        if let dot { store(owner, path[..<dot], of: base) }
    }

    private func value(_ path: Substring, of base: Any) -> Any? {
        var current: Any? = base
        var rest: Substring? = path
        while let path = rest, let value = flattened(current) {
            let name = path.prefix { $0 != "." }
            rest = name.endIndex == path.endIndex ? nil : path[path.index(after: name.endIndex)...]
            if name.first == "@" {
                let operation = KeyPathOperator(name, in: keyPath)
                if operation.hasOperand {
                    return apply(operation, to: value, operand(rest, of: name))
                }
                current = apply(operation, to: value, isLast: rest == nil)
            } else {
                current = self.value(named: String(name), of: value)
            }
        }
        return flattened(current)
    }

    /// The value of one name.
    private func value(named name: String, of base: Any) -> Any? {
        if name == "self" { return base }
        switch base {
        case let object as ObjectBase: return object.value(forKey: name)
        case let map as any RealmKeyedCollection: return map.value(forKey: name)
        case let collection as any RealmCollection: return collection.value(forKey: name)
        case let values as [Any?]:
            return values.map { flattened($0).flatMap { value(named: name, of: $0) } } as [Any?]
        case let values as Set<AnyHashable>:
            return value(named: name, of: values.map { $0.base } as [Any?])
        default: refuse(name, of: base)
        }
    }

    private func set(_ value: Any?, _ name: String, of base: Any) {
        switch base {
        case let object as ObjectBase: object.setValue(value, forKey: name)
        case let map as any RealmKeyedCollection: map.setValue(value, forKey: name)
        case let collection as any RealmCollection: collection.setValue(value, forKey: name)
        case let values as [Any?]:
            for owner in values { if let owner = flattened(owner) { set(value, name, of: owner) } }
        case let values as Set<AnyHashable>: set(value, name, of: values.map { $0.base } as [Any?])
        default: refuse(name, of: base)
        }
    }

    private func refuse(_ name: String, of value: Any) -> Never {
        misuse(
            "Invalid property name '\(name)' for value of type '\(type(of: value))'.",
            remedy: """
                In the key path '\(keyPath)' it follows something that is neither an \
                object nor a collection.
                """)
    }
}

// MARK: - Operators

extension KeyPathReading {
    /// The path for an operator; nil if it is the elements themselves.
    private func operand(_ rest: Substring?, of name: Substring) -> Substring? {
        guard let rest, !rest.isEmpty else {
            misuse(
                """
                Missing key path for KVC collection operator \(name.dropFirst()) \
                in key path '\(keyPath)'
                """,
                remedy: """
                    Name a property of the elements after it, or 'self' for the \
                    elements: '\(name).self'.
                    """)
        }
        return rest == "self" ? nil : rest
    }

    /// Applies an operator without an operand.
    private func apply(_ operation: KeyPathOperator, to value: Any, isLast: Bool) -> Any? {
        switch operation {
        case .count:
            if !isLast {
                misuse(
                    "Invalid keypath '\(keyPath)': @count must appear at the end of a keypath.",
                    remedy: "Leave out what follows it.")
            }
            switch value {
            case let collection as any RealmCollection: return collection.count
            case let map as any RealmKeyedCollection: return map.count
            default: return elements(of: value, operation).count
            }
        case .allKeys:
            guard let map = value as? any RealmKeyedCollection else {
                refuse(operation, of: value, "@allKeys must follow a dictionary property.")
            }
            return keys(of: map)
        default:
            guard value is any RealmKeyedCollection else {
                refuse(operation, of: value, "@allValues must follow a dictionary property.")
            }
            return elements(of: value, operation)
        }
    }

    /// Applies an operator that takes the rest of the path for each element; nil means the
    /// elements themselves.
    private func apply(_ operation: KeyPathOperator, to value: Any, _ operand: Substring?) -> Any? {
        if let aggregate = operation.aggregate {
            // For results, the engine computes it without creating the objects.
            if let operand, !operand.contains("."), operand.first != "@",
                let fast = (value as? any NamedAggregates)?.aggregate(
                    aggregate, named: String(operand))
            {
                return flattened(fast)
            }
            return UnmanagedAggregate(
                aggregate, ofValues: values(operand, of: value, operation), keyPath: keyPath
            ).held
        }
        let values = values(operand, of: value, operation)
        switch operation {
        case .unionOfObjects: return values
        case .distinctUnionOfObjects: return distinct(values)
        case .unionOfArrays: return joined(values, operation)
        default: return distinct(joined(values, operation))
        }
    }

    private func values(_ operand: Substring?, of value: Any, _ operation: KeyPathOperator)
        -> [Any?]
    {
        let elements = elements(of: value, operation)
        guard let operand else { return elements }
        return elements.map { flattened($0).flatMap { self.value(operand, of: $0) } }
    }

    private func joined(_ values: [Any?], _ operation: KeyPathOperator) -> [Any?] {
        values.flatMap { value in flattened(value).map { elements(of: $0, operation) } ?? [] }
    }

    /// Each value once, at its first position.
    private func distinct(_ values: [Any?]) -> [Any?] {
        var seen: Set<AnyHashable?> = []
        return values.filter { value in
            guard let value = flattened(value) else { return seen.insert(nil).inserted }
            guard let hashable = value as? AnyHashable else { return true }
            return seen.insert(hashable).inserted
        }
    }

    /// The elements of a collection, enums as raw values; the values of a map.
    private func elements(of value: Any, _ operation: KeyPathOperator) -> [Any?] {
        switch value {
        case let collection as any RealmCollection: return elements(of: collection)
        case let map as any RealmKeyedCollection: return values(of: map)
        case let values as [Any?]: return values
        case let values as Set<AnyHashable>: return values.map { $0.base }
        default:
            refuse(
                operation, of: value,
                "collection operation '@\(operation.rawValue)' must be applied to a collection")
        }
    }

    private func elements<Elements: RealmCollection>(of collection: Elements) -> [Any?] {
        let codec = Elements.Element.elementCodec
        return collection.map { element in
            (element as? any ProjectionOfAnyClass)?.projectedObject ?? codec.persisted(element)
        }
    }

    private func values<Keyed: RealmKeyedCollection>(of map: Keyed) -> [Any?] {
        let codec = Keyed.Value.elementCodec
        return map.values.map { codec.persisted($0) }
    }

    private func keys<Keyed: RealmKeyedCollection>(of map: Keyed) -> [Any?] {
        map.keys.map { $0._rlmMapKey }
    }

    private func refuse(_ operation: KeyPathOperator, of value: Any, _ text: String) -> Never {
        misuse(
            "Invalid keypath '\(keyPath)': \(text)",
            remedy: "'@\(operation.rawValue)' was applied to a value of type '\(type(of: value))'.")
    }
}

// MARK: - Aggregates of results

/// A collection that computes aggregates of a property without creating its objects.
protocol NamedAggregates {
    /// The aggregate. Nil if it must be computed from the elements; an inner nil if there is no
    /// value. Traps if there is no such property.
    func aggregate(_ aggregate: Aggregate, named name: String) -> Any??
}

extension Results: NamedAggregates {
    func aggregate(_ aggregate: Aggregate, named name: String) -> Any?? {
        state.check("value(forKeyPath:)")
        if state.values != nil { return nil }
        return state.value(aggregate, of: name)
    }
}

extension LinkingObjects: NamedAggregates {
    func aggregate(_ aggregate: Aggregate, named name: String) -> Any?? {
        checkedState("value(forKeyPath:)").flatMap { $0.value(aggregate, of: name) }
    }
}

extension AnyRealmCollection: NamedAggregates {
    func aggregate(_ aggregate: Aggregate, named name: String) -> Any?? {
        (collection as? any NamedAggregates).flatMap { $0.aggregate(aggregate, named: name) }
    }
}

extension ResultsState {
    /// An aggregate in the property's own type; sums of floating-point numbers and averages as a
    /// `Double` or a ``Decimal128``.
    fileprivate func value(_ aggregate: Aggregate, of name: String) -> Any? {
        if let anyValues = anyValues(aggregate, of: name) { return anyValues.held }
        let isDate = binding.schema.property(named: name)?.type == .date
        switch self.aggregate(aggregate, of: name) {
        case .integer(let value): return Int(value)
        case .double(let value): return isDate ? Date(timeIntervalSinceReferenceDate: value) : value
        case .float(let value): return value
        case .decimal(let low, let high): return Decimal128(highBits: high, lowBits: low)
        case .fixed(let value): return value.value
        default: return aggregate == .sum ? 0 : nil
        }
    }
}
