extension Map {
    /// The keys, in the order of their UTF-8. O(count log count).
    public var keys: [Key] { sortedEntries.map(\.key) }

    /// The values, in the order of their keys. O(count log count).
    public var values: [Value] { sortedEntries.map(\.value) }

    /// Returns the value of a key; nil if the map does not have the key. Equivalent to the
    /// subscript.
    public func object(forKey key: Key) -> Value? { self[key] }

    /// Returns the value of a key of any type; nil if the map does not have the key.
    @_disfavoredOverload
    public func object(forKey key: Any) -> Any? { (key as? Key).flatMap { self[$0] } }

    /// Adds entries. If the map or an earlier entry has the key already, the new value is the
    /// result of `combine`.
    ///
    /// O(entries). If `combine` throws, the entries added so far stay.
    ///
    /// - Parameters:
    ///   - keysAndValues: The entries.
    ///   - combine: Returns the value for a key that exists, from its value and the new one.
    public func merge<Entries: Sequence>(
        _ keysAndValues: Entries, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows where Entries.Element == (key: Key, value: Value) {
        try merge(keysAndValues, areKnown: false, combine)
    }

    private func merge<Entries: Sequence>(
        _ entries: Entries, areKnown: Bool, _ combine: (Value, Value) throws -> Value
    ) rethrows where Entries.Element == (key: Key, value: Value) {
        for (key, value) in entries {
            setValue(
                try self[key].map { try combine($0, value) } ?? value, forKey: key,
                isKnown: areKnown)
        }
    }

    /// Adds the entries of another map, as ``merge(_:uniquingKeysWith:)``.
    public func merge(
        _ other: Map<Key, Value>, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows { try merge(other.sortedEntries, areKnown: true, combine) }

    /// Whether any entry satisfies a condition. O(count).
    ///
    /// - Parameter predicate: The condition of a key and its value.
    public func contains(where predicate: (_ key: Key, _ value: Value) throws -> Bool) rethrows
        -> Bool
    { try entries.contains { try predicate($0.key, $0.value) } }
}

// MARK: - Sequences

extension Map: Sequence {
    /// Iterates over the entries that the map has at this moment. The loop may change the map.
    /// O(count log count) at the start.
    public func makeIterator() -> RLMMapIterator<SingleMapEntry<Key, Value>> {
        RLMMapIterator(sortedEntries.map { SingleMapEntry(key: $0.key, value: $0.value) })
    }

    /// The entries as pairs: `for (key, value) in map.asKeyValueSequence()`.
    public func asKeyValueSequence() -> KeyValueSequence<Key, Value> { KeyValueSequence(self) }

    /// The entry at a position, in the order of the keys. O(count log count). Traps outside of
    /// `0 ..< count`.
    public subscript(position: MapIndex) -> SingleMapEntry<Key, Value> {
        let entries = sortedEntries
        let offset = readable(Int(clamping: position.offset), below: entries.count)
        guard offset < entries.count else {
            return SingleMapEntry(key: Key(_rlmMapKey: ""), value: nothing)
        }
        return SingleMapEntry(key: entries[offset].key, value: entries[offset].value)
    }
}

// MARK: - Equality

extension Map: Hashable {
    /// Whether both are the same map of a realm's object. Maps that no realm manages, and maps in
    /// an ``AnyRealmValue``, are equal if they have the same keys with equal values. O(1);
    /// O(count) for unmanaged maps.
    public static func == (a: Map, b: Map) -> Bool {
        if a === b { return true }
        if a.managed != nil || b.managed != nil {
            return ManagedCollection.areSame(a.managed, b.managed)
        }
        return a.isSame(as: b) || a.hasEqualContents(as: b)
    }

    /// Hashes the place of a managed map, or the entries of another map. The hash changes with
    /// the entries: do not change or add an unmanaged map while it is in a set or a key of a
    /// dictionary. O(1); O(count) for unmanaged maps.
    public func hash(into hasher: inout Hasher) {
        if let managed { managed.hashPlace(into: &hasher) } else { hasher.combine(entries) }
    }

    /// Whether a value of any type equals this map, as `==` says. Exists for source compatibility
    /// with Realm.
    public func isEqual(_ object: Any?) -> Bool { (object as? Map).map { self == $0 } ?? false }
}
