extension Map: PersistedCollection {
    typealias Item = Value

    /// Copies the entries of another map. Does nothing if it is this map.
    func assign(_ other: Map) {
        if other === self { return }
        if let managed, let source = other.managed, managed.isSame(as: source) { return }
        if let nested, let source = other.nested, nested.isSame(as: source) { return }
        assign(prepared: other.sortedEntries)
    }

    func hasEqualContents(as other: Map) -> Bool { entries == other.entries }

    func forEachObject(_ body: (ObjectBase) -> Void) {
        for value in values { visitObjects(of: value, body) }
    }

    func prepare(_ literal: Any?) throws(InvalidElementError) -> [(key: Key, value: Value)] {
        guard let literal = flattened(literal) else { return [] }
        try CollectionLiteral.check(literal)
        if let same = literal as? Map { return same.sortedEntries }
        guard let keyed = CollectionLiteral.entries(of: literal) else {
            // As in Realm, an empty array is an empty map.
            if let values = CollectionLiteral.values(of: literal), values.isEmpty { return [] }
            throw .refused(ShownValue(literal))
        }
        let codec = Value.elementCodec
        var entries: [(key: Key, value: Value)] = []
        for (key, value) in keyed.entries {
            if !keyed.areKnown, let objection = MapKeys.objection(to: key) {
                throw .nested(InvalidValueError(message: objection))
            }
            // As in properties, nil is replaced by the type's default where values are stored as
            // embedded objects.
            if flattened(value) == nil, let standIn = codec.standInForNull {
                entries.append((Key(_rlmMapKey: key), standIn))
            } else {
                entries.append((Key(_rlmMapKey: key), try Map.convert(value, codec)))
            }
        }
        return entries
    }

    func assign(prepared: [(key: Key, value: Value)]) {
        // The values may be collections inside of this map, which are gone once it is emptied.
        let prepared =
            core != nil && Value.self == AnyRealmValue.self
            ? prepared.map { ($0.key, detached($0.value)) } : prepared
        removeAll()
        for (key, value) in prepared { setValue(value, forKey: key, isKnown: true) }
    }

    func ownedKeys(in managed: ManagedCollection) -> [Int64?] {
        sortedEntries.filter { flattened($0.value) != nil }.map { entry in
            let place = find(entry.key, in: managed.current("Realm.add"))
            return place.isFound ? managed.linkedKey(at: place.index) : nil
        }
    }

    /// As ``updateValue(_:forKey:)``, for literals: throws if the map cannot have the key.
    func insert(_ value: Value, forKey key: Key) throws(InvalidValueError) {
        if let objection = MapKeys.objection(to: key._rlmMapKey) {
            throw InvalidValueError(message: objection)
        }
        updateValue(value, forKey: key)
    }
}

extension Map: KeyedLiteral {
    var literal: KeyedEntries {
        KeyedEntries(entries: keyedValues as [String: Any], areKnown: true)
    }

    /// The values by their keys as text. If a damaged file has equal keys, one entry is taken.
    var keyedValues: [String: Value] {
        Dictionary(
            sortedEntries.map { ($0.key._rlmMapKey, $0.value) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension Map: _Persistable {
    /// A map is stored as a map.
    public typealias PersistedType = Map
    /// The type of the values.
    public static var _rlmType: PropertyType { Value._rlmType }
    /// Whether values can be nil.
    public static var _rlmOptional: Bool { Value._rlmOptional }
    /// An empty map.
    public static func _rlmDefaultValue() -> Map { Map() }
    /// Makes an empty map for a new object.
    public static func _rlmInitialValue() -> Map? { Map() }

    /// Copies the entries into the property's own map, and returns that map.
    public static func _rlmAssigned(_ value: Map, over stored: Map?) -> Map {
        assigned(value, over: stored)
    }

    /// Returns the map of a managed object: always the same map, except for frozen objects. O(1);
    /// two allocations the first time.
    public static func _read(_ object: ObjectBase, _ column: Int) -> Map { read(object, column) }

    /// Replaces the entries of a managed object's map. Traps outside of a write transaction.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Map) {
        write(object, column, value)
    }
}
