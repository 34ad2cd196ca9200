import FreeholdStorage

/// Resolves the key paths of Foundation's predicates and orders, which must lead to persisted
/// properties.
///
/// Recording finds what a key path reads (``KeyPathNames``). It mistakes a computed property that
/// reads a single persisted one for that property. A predicate must find what its evaluation
/// would find, so here the key path is also tried out: it must return the property's value.
enum PropertyKeyPath {
    /// Returns the name of the property that a key path of a single component leads to; nil if it
    /// does not lead to a persisted one.
    static func name(of keyPath: AnyKeyPath, from root: ObjectBase.Type) -> String? {
        let names = names(of: keyPath, from: root)
        return names.count == 1 ? names[0] : nil
    }

    /// Returns the names of the properties along a key path; empty if it does not lead to a
    /// persisted one.
    ///
    /// O(1) for a key path literal after its first use.
    static func names(of keyPath: AnyKeyPath, from root: ObjectBase.Type) -> [String] {
        cache.names(of: keyPath) {
            let names = KeyPathNames.names(of: keyPath, from: root)
            return names.isEmpty || gives(keyPath, of: root, what: names) ? names : []
        }
    }

    private static let cache = KeyPathNameCache()

    // MARK: Trying out

    /// Whether a key path returns the value of the last of some properties, following links to
    /// new objects.
    private static func gives(_ keyPath: AnyKeyPath, of root: ObjectBase.Type, what names: [String])
        -> Bool
    {
        let first = root.init()
        var owner = first
        for name in names.dropLast() {
            guard let property = owner.reflectedSchema?.declaredProperty(named: name),
                let type = property.objectType
            else { return false }
            let next = type.init()
            guard (try? owner.assign(next, to: property)) != nil else { return false }
            owner = next
        }
        guard let last = names.last,
            let property = owner.reflectedSchema?.declaredProperty(named: last)
        else { return false }
        let values = samples(of: property, Swift.type(of: keyPath).valueType)
        var tried = 0
        for value in values {
            if let value, (try? owner.assign(value, to: property)) == nil { continue }
            tried += 1
            if !areSame(first[keyPath: keyPath], owner.value(of: property)) { return false }
        }
        return tried > 0
    }

    private static func areSame(_ found: Any?, _ expected: Any?) -> Bool {
        guard let found = flattened(found), let expected = flattened(expected) else {
            return flattened(found) == nil && flattened(expected) == nil
        }
        if isCollection(type(of: found)) || isCollection(type(of: expected)) {
            // The collections of unmanaged objects live as long as their objects, so identity
            // decides. Linking objects are values without identity.
            guard type(of: found) == type(of: expected) else { return false }
            return type(of: found) is AnyClass
                ? (found as AnyObject) === (expected as AnyObject) : true
        }
        return PredicateConstant(argument: found) == PredicateConstant(argument: expected)
    }

    /// Returns values to try out, nil for that of a new object.
    private static func samples(of property: PropertyDescriptor, _ type: Any.Type) -> [Any?] {
        if property.shape != nil || property.isComputed { return [nil] }
        if let enumeration = type as? any PersistableEnum.Type { return rawValues(of: enumeration) }
        if let enumeration = (type as? any OptionalProtocol.Type)?.wrappedEnum {
            return rawValues(of: enumeration)
        }
        switch property.type {
        case .any: return [nil, AnyRealmValue.int(3), AnyRealmValue.string("x")]
        case .object: return property.objectType.map { [nil, $0.init()] } ?? [nil]
        case .linkingObjects: return [nil]
        default: return [nil] + (property.type.storedScalar?.untypedSamples ?? [])
        }
    }

    private static func rawValues<Enum: PersistableEnum>(of type: Enum.Type) -> [Any?] {
        type.allCases.map { $0.rawValue }
    }
}

extension ScalarValue {
    fileprivate static var untypedSamples: [Any?] { samples }
}

extension OptionalProtocol {
    fileprivate static var wrappedEnum: (any PersistableEnum.Type)? {
        Wrapped.self as? any PersistableEnum.Type
    }
}
