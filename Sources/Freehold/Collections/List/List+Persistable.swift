extension List: PersistedCollection {
    typealias Item = Element
    static var kind: CollectionKind { .list }
    var kind: CollectionKind { .list }

    /// Copies the elements of another list. Nothing happens if it is this one.
    func assign(_ other: List) {
        if other === self { return }
        replaceSubrange(0..<count, with: other.contents)
    }

    func prepare(_ literal: Any?) throws(InvalidElementError) -> [Element] { try List.elements(from: literal) }

    func assign(prepared: [Element]) { replaceSubrange(0..<count, with: prepared) }
}

extension List: _Persistable {
    /// A list is stored as a list.
    public typealias PersistedType = List
    /// What the elements are.
    public static var _rlmType: PropertyType { Element._rlmType }
    /// Whether elements can be nil.
    public static var _rlmOptional: Bool { Element._rlmOptional }
    /// An empty list.
    public static func _rlmDefaultValue() -> List { List() }
    /// An empty list, made with the object: its own.
    public static func _rlmInitialValue() -> List? { List() }

    /// Copies the elements into the list that the property has, and gives that.
    public static func _rlmAssigned(_ value: List, over stored: List?) -> List { assigned(value, over: stored) }

    /// Notes that a key path goes over the property. Realms do not manage lists yet, and refuse to open with them.
    public static func _read(_ object: ObjectBase, _ column: Int) -> List {
        _ = object.columnForReading(column)
        return List()
    }

    /// Not reached: realms do not manage lists yet, and refuse to open with them.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: List) { object.writeToRecorder() }
}
