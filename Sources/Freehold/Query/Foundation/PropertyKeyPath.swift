import Foundation
import FreeholdStorage

/// Key paths of Foundation's predicates and orders, which have to be those of persisted properties.
///
/// What a key path reads is found by recording (``KeyPathNames``), which takes a computed
/// property that reads a single persisted one for that. Predicates say what they would find
/// when they are evaluated, so here the key path is tried out besides: it has to give what the
/// property has.
enum PropertyKeyPath {
    /// The name of the property that a key path of a single component leads to; nil if it does
    /// not lead to a persisted one.
    static func name(of keyPath: AnyKeyPath, from root: ObjectBase.Type) -> String? {
        let names = names(of: keyPath, from: root)
        return names.count == 1 ? names[0] : nil
    }

    /// The names of the properties along a key path; empty if it does not lead to a persisted one.
    ///
    /// O(1) for a key path literal after its first time.
    static func names(of keyPath: AnyKeyPath, from root: ObjectBase.Type) -> [String] {
        let identity = ObjectIdentifier(keyPath)
        if let known = cache.withLock({ $0.names[identity] }) { return known }
        var names = KeyPathNames.names(of: keyPath, from: root)
        if !names.isEmpty, !gives(keyPath, of: root, what: names) { names = [] }
        // What is forgotten leaves the lock before it is released: key paths hold the program's
        // values.
        _ = cache.withLock { cache -> Cache? in
            var forgotten: Cache?
            if cache.names.count >= capacity {
                forgotten = cache
                cache = Cache()
            }
            cache.names[identity] = names
            cache.keyPaths.append(keyPath)
            return forgotten
        }
        return names
    }

    private struct Cache: @unchecked Sendable {
        // Sendable: the key paths are only kept alive, so that nothing else gets their
        // addresses; they are never applied.
        var names: [ObjectIdentifier: [String]] = [:]
        var keyPaths: [AnyKeyPath] = []
    }

    private static let capacity = 4096
    private static let cache = Locked(processWide: Cache())

    // MARK: Trying out

    /// Whether a key path gives what the last of some properties has, over links to new objects.
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
            // Those of unmanaged objects are there for as long as their objects; linking
            // objects are values, which have nothing to tell them apart.
            guard type(of: found) == type(of: expected) else { return false }
            return type(of: found) is AnyClass
                ? (found as AnyObject) === (expected as AnyObject) : true
        }
        return PredicateConstant(argument: found) == PredicateConstant(argument: expected)
    }

    /// Values to try out with, nil for the one that a new object has.
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
