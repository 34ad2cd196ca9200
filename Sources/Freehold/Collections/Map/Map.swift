import FreeholdStorage

/// A collection of values or objects by keys, which a model class can have as a property.
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
/// - A map is an object: two variables can refer to the same one. Assigning a map to a property
///   copies the entries into the map that the property has.
/// - Keys are texts, which must not begin with "$" nor contain a ".".
/// - Values have a type that properties can have, an optional of one, or an optional of an object
///   class. Deleting an object makes the values that refer to it nil.
/// - Assigning nil to a key removes the entry; `updateValue(nil, forKey:)` stores nil.
/// - Entries come in the order of the UTF-8 of their keys.
/// - A `for` loop visits the entries that the map had when the loop began, whatever the loop
///   changes.
/// - Two maps are equal if they have the same keys with equal values.
///
/// The map of a managed object is live: it shows what its realm reads, and is changed in write
/// transactions only. The realm takes over the map of an unmanaged object when the object is
/// added. The cost of a change hardly grows with the size of a managed map. An exception is a
/// map in an ``AnyRealmValue``, which each change stores again as a whole.
///
/// Thread rule: a managed map is confined like its object. A frozen map may be used on any
/// thread. An unmanaged map is an instance of a plain class: only one thread may use it at a
/// time. Maps are not `Sendable`.
public final class Map<Key: _MapKey, Value: RealmCollectionValue> {
    /// The values, while no realm manages the map.
    private var unmanaged: [Key: Value] {
        get { own.value }
        _modify { yield &own.value }
    }
    private var own = UnmanagedContents<[Key: Value]>([:])
    /// The place of the values, while a realm manages the map.
    private(set) var managed: ManagedCollection?
    /// The place of the values, if the map is inside of an ``AnyRealmValue`` of a realm. `Value`
    /// is ``AnyRealmValue`` then.
    private(set) var nested: NestedCollection?

    /// Makes an empty map that no realm manages.
    public init() {}

    init(_ managed: ManagedCollection) { self.managed = managed }

    init(nested: NestedCollection) { self.nested = nested }

    /// The realm that manages the map; nil if none does.
    var core: RealmCore? { managed?.core ?? nested?.core }

    func refuse(_ error: InvalidValueError, count: Int) { own.refuse(error, count: count) }

    /// Makes a realm, which has stored the entries already, manage the map.
    func attach(to managed: ManagedCollection) {
        unmanaged = [:]
        self.managed = managed
    }

    static var kind: CollectionKind { .map }
    var kind: CollectionKind { .map }
}

@available(
    *, unavailable,
    message: "Maps belong to their object: pass a dictionary of the values, or freeze() the object."
)
extension Map: Sendable {}

// MARK: - Entries

// The members that access the entries. Everything else is built on these.

extension Map {
    /// The codec of a managed map's values.
    @inline(__always)
    private func codec(_ managed: ManagedCollection) -> any ElementCodec<Value> {
        unsafeDowncast(managed.descriptor, to: ElementDescriptor<Value>.self).codec
    }

    /// Returns the position of a key among the entries, or the position where it belongs.
    func find(_ key: Key, in elements: StoredCollection) -> (index: Int, isFound: Bool) {
        var text = key._rlmMapKey
        return text.withUTF8 { elements.find(key: UnsafeRawBufferPointer($0)) }
    }

    /// Whether both are the same map in the same version of a realm.
    func isSame(as other: Map) -> Bool {
        if let managed, let other = other.managed { return managed.isSame(as: other) }
        if let nested, let other = other.nested { return nested.isSame(as: other) }
        return false
    }

    /// How many entries there are. O(1).
    public var count: Int {
        managed?.current("count").count ?? nested?.entries("count").count ?? own.refusedCount
            ?? unmanaged.count
    }

    /// The value of a key; nil if the map does not have the key. O(1); O(log count) for managed
    /// maps.
    ///
    /// Assigning sets the value; assigning nil removes the entry. Traps if the key begins with
    /// "$" or contains a ".", and if the value is an object of a subclass of the declared class.
    public subscript(key: Key) -> Value? {
        get {
            guard let managed else {
                if let nested { return nested.value(forKey: key._rlmMapKey) }
                return unmanaged[key] ?? KeyPathRecording.element()
            }
            let elements = managed.current("subscript")
            let place = find(key, in: elements)
            guard place.isFound else { return nil }
            let leaf = managed.leaf(at: place.index, "subscript")
            return codec(managed).load(leaf, place.index - leaf.start, managed)
        }
        set {
            if let newValue { updateValue(newValue, forKey: key) } else { removeObject(for: key) }
        }
    }

    /// Returns the position to read at. Traps if the given one is not in `0 ..< count`, unless
    /// damage took the entries.
    func readable(_ position: Int, below count: Int) -> Int {
        if let managed { return managed.readable(position, below: count) }
        if let nested { return nested.readable(position, below: count) }
        kind.check(position, below: count)
        return position
    }

    /// The value that a managed map reads in place of one that damage took.
    var nothing: Value {
        if let managed { return codec(managed).load(.nothing(managed.kind), 0, managed) }
        return unsafeBitCast(AnyRealmValue.none, to: Value.self)
    }

    /// Sets the value of a key. O(1); O(log count) for managed maps. Adds an unmanaged object to
    /// the realm.
    ///
    /// Traps if the key begins with "$" or contains a ".", and if the value is an object of a
    /// subclass of the declared class.
    public func updateValue(_ value: Value, forKey key: Key) {
        setValue(value, forKey: key, isKnown: false)
    }

    /// As ``updateValue(_:forKey:)``.
    ///
    /// - Parameter isKnown: Whether the key comes from a map and is not checked: a damaged file
    ///   may have keys that a program cannot use.
    func setValue(_ value: Value, forKey key: Key, isKnown: Bool) {
        let tree = managed?.changeable("updateValue(_:forKey:)")
        nested?.checkChangeable("updateValue(_:forKey:)")
        if !isKnown { MapKeys.check(key._rlmMapKey) }
        if let target = Value._rlmObjectType, let object = flattened(value) as? ObjectBase {
            kind.check(object, isOf: target)
        }
        if let nested { return nested.setValue(value, forKey: key._rlmMapKey) }
        guard let managed, let tree else {
            unmanaged[key] = value
            return
        }
        let codec = codec(managed)
        let new = codec.resolved(value, managed.core)
        let place = find(key, in: tree.stored)
        if place.isFound { return codec.set(new, at: place.index, in: tree, managed.core) }
        codec.insert(new, at: place.index, in: tree, managed.core)
        var text = key._rlmMapKey
        text.withUTF8 { tree.setKey(UnsafeRawBufferPointer($0), at: place.index) }
    }

    /// See ``PersistedCollection/update(from:)``.
    func update(from other: Map) {
        guard let managed else { return }
        let tree = managed.changeable("updateValue(_:forKey:)")
        let new = other.entries
        for (key, _) in sortedEntries where new[key] == nil { removeObject(for: key) }
        for (key, value) in other.sortedEntries {
            let place = find(key, in: tree.stored)
            if place.isFound {
                codec(managed).update(value, at: place.index, in: tree, managed.core)
            } else {
                setValue(value, forKey: key, isKnown: true)
            }
        }
    }

    /// Removes the entry of a key, if there is one. O(1); O(log count) for managed maps.
    public func removeObject(for key: Key) {
        if let nested { return nested.removeValue(forKey: key._rlmMapKey) }
        guard let managed else {
            unmanaged[key] = nil
            return
        }
        let tree = managed.changeable("removeObject(for:)")
        let place = find(key, in: tree.stored)
        if place.isFound { managed.remove(place.index..<(place.index + 1), from: tree) }
    }

    /// Removes all entries. O(count).
    public func removeAll() {
        if let nested { return nested.changeEntries("removeAll()") { $0 = [] } }
        guard let managed else { return own = UnmanagedContents([:]) }
        let tree = managed.changeable("removeAll()")
        managed.remove(0..<tree.count, from: tree)
    }

    /// The current entries, by their keys. O(count).
    var entries: [Key: Value] {
        core == nil
            ? unmanaged
            : Dictionary(
                sortedEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The current entries, in the order of the UTF-8 of their keys. O(count); O(count log count)
    /// for unmanaged maps.
    var sortedEntries: [(key: Key, value: Value)] {
        if let nested {
            return nested.entries("reading").map { entry in
                (
                    Key(_rlmMapKey: entry.key.withUnsafeBytes { String(storedBytes: $0) }),
                    nested.load(entry.value, as: Value.self)
                )
            }
        }
        guard let managed else {
            return unmanaged.sorted {
                $0.key._rlmMapKey.utf8.lexicographicallyPrecedes($1.key._rlmMapKey.utf8)
            }
        }
        let codec = codec(managed)
        var entries: [(key: Key, value: Value)] = []
        managed.current("reading").forEachLeaf { leaf in
            for row in 0..<leaf.count {
                entries.append(
                    (
                        Key(_rlmMapKey: String(storedBytes: leaf.keys.heapBytes(at: row))),
                        codec.load(leaf, row, managed)
                    ))
            }
            return true
        }
        return entries
    }
}
