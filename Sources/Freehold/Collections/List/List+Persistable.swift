import FreeholdStorage

extension List: PersistedCollection {
    typealias Item = Element
    static var kind: CollectionKind { .list }
    var kind: CollectionKind { .list }

    /// Copies the elements of another list. Does nothing if it is this list.
    func assign(_ other: List) {
        if other === self { return }
        if let managed, let source = other.managed, managed.isSame(as: source) { return }
        if let nested, let source = other.nested, nested.isSame(as: source) { return }
        assign(prepared: other.contents)
    }

    func hasEqualContents(as other: List) -> Bool { contents == other.contents }

    func forEachObject(_ body: (ObjectBase) -> Void) {
        for element in contents { visitObjects(of: element, body) }
    }

    func prepare(_ literal: Any?) throws(InvalidElementError) -> [Element] {
        try List.elements(from: literal)
    }

    func assign(prepared: [Element]) {
        forgetRefusal()
        replaceSubrange(0..<count, with: prepared)
    }

    func ownedKeys(in managed: ManagedCollection) -> [Int64?] {
        (0..<count).map { managed.linkedKey(at: $0) }
    }
}

extension List: _Persistable {
    /// A list is stored as a list.
    public typealias PersistedType = List
    /// The type of the elements.
    public static var _rlmType: PropertyType { Element._rlmType }
    /// Whether elements can be nil.
    public static var _rlmOptional: Bool { Element._rlmOptional }
    /// An empty list.
    public static func _rlmDefaultValue() -> List { List() }
    /// Makes an empty list for a new object.
    public static func _rlmInitialValue() -> List? { List() }

    /// Copies the elements into the property's own list, and returns that list.
    public static func _rlmAssigned(_ value: List, over stored: List?) -> List {
        assigned(value, over: stored)
    }

    /// Returns the list of a managed object: always the same list, except for frozen objects.
    /// O(1); two allocations the first time.
    public static func _read(_ object: ObjectBase, _ column: Int) -> List { read(object, column) }

    /// Replaces the elements of a managed object's list. Traps outside of a write transaction.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: List) {
        write(object, column, value)
    }
}
