import FreeholdStorage

extension MutableSet: PersistedCollection {
    typealias Item = Element
    static var kind: CollectionKind { .set }
    var kind: CollectionKind { .set }

    /// Copies the elements of another set. Does nothing if it is this set.
    func assign(_ other: MutableSet) {
        if other === self { return }
        if let managed, let source = other.managed, managed.isSame(as: source) { return }
        assign(prepared: other.members)
    }

    func forEachObject(_ body: (ObjectBase) -> Void) {
        for element in members { visitObjects(of: element, body) }
    }

    func prepare(_ literal: Any?) throws(InvalidElementError) -> [Element] {
        try MutableSet.elements(from: literal)
    }

    /// None: sets hold no embedded objects.
    func hasEqualContents(as other: MutableSet) -> Bool {
        count == other.count && isSubset(of: other)
    }

    func ownedKeys(in managed: ManagedCollection) -> [Int64?] { [] }

    func update(from other: MutableSet) { assign(other) }

    func assign(prepared: [Element]) {
        // The elements may be collections inside of this set, which are gone once it is emptied.
        let prepared =
            managed != nil && Element.self == AnyRealmValue.self ? prepared.map(detached) : prepared
        removeAll()
        insert(objectsIn: prepared)
    }
}

extension MutableSet: _Persistable {
    /// A set is stored as a set.
    public typealias PersistedType = MutableSet
    /// The type of the elements.
    public static var _rlmType: PropertyType { Element._rlmType }
    /// Whether elements can be nil.
    public static var _rlmOptional: Bool { Element._rlmOptional }
    /// An empty set.
    public static func _rlmDefaultValue() -> MutableSet { MutableSet() }
    /// Makes an empty set for a new object.
    public static func _rlmInitialValue() -> MutableSet? { MutableSet() }

    /// Copies the elements into the property's own set, and returns that set.
    public static func _rlmAssigned(_ value: MutableSet, over stored: MutableSet?) -> MutableSet {
        assigned(value, over: stored)
    }

    /// Returns the set of a managed object: always the same set, except for frozen objects. O(1);
    /// two allocations the first time.
    public static func _read(_ object: ObjectBase, _ column: Int) -> MutableSet {
        read(object, column)
    }

    /// Replaces the elements of a managed object's set. Traps outside of a write transaction.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: MutableSet) {
        write(object, column, value)
    }
}
