/// Values or objects by keys, a collection that a model class can have as a property.
///
/// ```swift
/// class Person: Object {
///     @Persisted var scores: Map<String, Int>
///     @Persisted var pets: Map<String, Dog?>
/// }
///
/// let person = Person()
/// person.scores["chess"] = 3
/// person.scores["chess"] = nil                 // removes the entry
/// for entry in person.scores { print(entry.key, entry.value) }
/// for (key, value) in person.scores.asKeyValueSequence() { print(key, value) }
/// ```
///
/// - A map is an object: two variables can refer to the same one. Assigning a map to a property copies the entries into the map
///   that the property has.
/// - Keys are texts, which must not begin with "$" nor contain a ".".
/// - Values are the types that properties can have, optionals of them, and optionals of objects: deleting an object makes
///   the values that refer to it nil. Assigning nil to a key removes the entry; `updateValue(nil, forKey:)` stores nil.
/// - Entries come in the order of the UTF-8 of their keys.
/// - A `for` loop visits the entries that the map had when the loop began, whatever the loop changes.
/// - Two maps are equal if they have the same keys with equal values.
///
/// Thread rule: the map of an unmanaged object belongs to whoever made it, as an instance of any other class. Maps are not `Sendable`.
public final class Map<Key: _MapKey, Value: RealmCollectionValue> {
    /// The values.
    var entries: [Key: Value] = [:]
    /// The class of the values, nil if they are no objects.
    let target: ObjectBase.Type?

    /// Makes an empty map that no realm manages.
    public init() { target = Value.elementCodec.target }

    static var kind: CollectionKind { .map }
    var kind: CollectionKind { .map }
}

@available(*, unavailable, message: "Maps belong to their object: pass a dictionary of the values, or freeze() the object.")
extension Map: Sendable {}

// MARK: - Entries

// What touches the entries. Everything else is made of these.

extension Map {
    /// How many entries there are. O(1).
    public var count: Int { entries.count }

    /// The value of a key, nil if the map does not have it. O(1).
    ///
    /// Assigning sets the value, or removes the entry if it is nil. Traps if the key begins with "$" or contains a ".", and if the value is an object of a
    /// subclass of the declared class.
    public subscript(key: Key) -> Value? {
        get { entries[key] }
        set {
            if let newValue { updateValue(newValue, forKey: key) } else { removeObject(for: key) }
        }
    }

    /// Sets the value of a key. O(1).
    ///
    /// Traps if the key begins with "$" or contains a ".", and if the value is an object of a subclass of the declared class.
    public func updateValue(_ value: Value, forKey key: Key) {
        MapKeys.check(key._rlmMapKey)
        if let target, let object = flattened(value) as? ObjectBase { kind.check(object, isOf: target) }
        entries[key] = value
    }

    /// Removes the entry of a key, if there is one. O(1).
    public func removeObject(for key: Key) { entries[key] = nil }

    /// Removes all entries. O(count).
    public func removeAll() { entries.removeAll() }

    /// The entries as they are now, in the order of the UTF-8 of their keys. O(count log count).
    var sortedEntries: [(key: Key, value: Value)] {
        entries.sorted { $0.key._rlmMapKey.utf8.lexicographicallyPrecedes($1.key._rlmMapKey.utf8) }
    }
}
