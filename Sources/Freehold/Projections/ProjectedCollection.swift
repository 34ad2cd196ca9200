import FreeholdStorage

/// One property of all objects of a list or set: `person.friends.projectTo.name`. Live, as the collection is.
///
/// Thread rule: that of the collection. Not `Sendable`.
public struct ProjectedCollection<Element>: _PositionalCollection, CustomStringConvertible {
    let base: any ProjectableCollection
    let keyPath: AnyKeyPath
    /// Applies the key path to an object of the collection.
    let read: (Object) -> Element

    init(_ base: any ProjectableCollection, _ keyPath: AnyKeyPath, _ read: @escaping (Object) -> Element) {
        self.base = base
        self.keyPath = keyPath
        self.read = read
    }

    /// The position of the first element, 0.
    public var startIndex: Int { 0 }
    /// The position after the last element: how many objects the collection has.
    public var endIndex: Int { base.objectCount }

    /// The property of the object at a position. Assigning sets it, in a write transaction.
    ///
    /// Traps outside of `0 ..< count`, and, when assigned, if the key path is read-only.
    public subscript(position: Int) -> Element {
        get { read(base.object(at: position)) }
        nonmutating set { base.set(newValue, keyPath, at: position) }
    }

    /// The values as text.
    public var description: String { "ProjectedCollection<\(Element.self)> {\n\(map { "\t\($0)" }.joined(separator: "\n"))\n}" }
}

extension ProjectedCollection where Element: Equatable {
    /// The position of the first object with a value; nil if none has it. O(count).
    public func index(of value: Element) -> Int? { firstIndex(of: value) }
}

@available(*, unavailable, message: "Collections are confined to their realm's thread, queue or actor: freeze() them, or query there.")
extension ProjectedCollection: Sendable {}

extension ProjectedCollection {
    /// The realm of the collection; nil for unmanaged ones. Any thread.
    public var realm: Realm? { base.realm }
    /// Whether the collection can no longer be used.
    public var isInvalidated: Bool { base.isInvalidated }
    /// Whether the collection is frozen. Any thread may ask.
    public var isFrozen: Bool { base.isFrozen }
    /// The values as they are now, for all threads. Only of collections of a realm: traps elsewhere.
    @_disfavoredOverload // Calls prefer the one that knows their line.
    public func freeze() -> ProjectedCollection { ProjectedCollection(base.freeze(), keyPath, read) }
    /// The live values that a frozen projection was made from; nil if the collection is gone.
    public func thaw() -> ProjectedCollection? { base.thaw().map { ProjectedCollection($0, keyPath, read) } }
}

/// Gives each property of a collection's objects as a collection of its own.
@dynamicMemberLookup
public struct CollectionElementMapper<Element: Object> {
    fileprivate let base: any ProjectableCollection

    /// One property of all objects.
    public subscript<Value>(dynamicMember member: KeyPath<Element, Value>) -> ProjectedCollection<Value> {
        ProjectedCollection(base, member) { unsafeDowncast($0, to: Element.self)[keyPath: member] }
    }
}

@available(*, unavailable, message: "Collections are confined to their realm's thread, queue or actor: freeze() them, or query there.")
extension CollectionElementMapper: Sendable {}

extension List where Element: Object {
    /// The properties of the objects, as collections: `person.friends.projectTo.name`.
    public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(base: self) }
}

extension MutableSet where Element: Object {
    /// The properties of the objects, as collections: `person.rivals.projectTo.name`.
    public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(base: self) }
}

/// A ``ProjectedCollection`` of any type.
protocol ProjectedCollectionOfAnyType {
    /// The names from the objects' class to the property; empty if it is none that is persisted.
    var elementNames: [String] { get }
}

extension ProjectedCollection: ProjectedCollectionOfAnyType {
    var elementNames: [String] { KeyPathNames.names(of: keyPath, from: base.objectClass) }
}

/// A list or set of objects of any class.
protocol ProjectableCollection: ThreadConfined {
    var objectClass: Object.Type { get }
    var objectCount: Int { get }
    func object(at position: Int) -> Object
    func set<Value>(_ value: Value, _ keyPath: AnyKeyPath, at position: Int)
}

extension ProjectableCollection {
    fileprivate func write<Element: Object, Value>(_ value: Value, _ keyPath: AnyKeyPath, to object: Element) {
        guard let keyPath = keyPath as? ReferenceWritableKeyPath<Element, Value> else {
            violation(.misuse(text: "KeyPath is not writable", remedy: "'\(keyPath)' is read-only: assign the property of the object."))
        }
        object[keyPath: keyPath] = value
    }
}

extension List: ProjectableCollection where Element: Object {
    var objectClass: Object.Type { Element.self }
    var objectCount: Int { count }
    func object(at position: Int) -> Object { self[position] }
    func set<Value>(_ value: Value, _ keyPath: AnyKeyPath, at position: Int) { write(value, keyPath, to: self[position]) }
}

extension MutableSet: ProjectableCollection where Element: Object {
    var objectClass: Object.Type { Element.self }
    var objectCount: Int { count }
    func object(at position: Int) -> Object { self[position] }
    func set<Value>(_ value: Value, _ keyPath: AnyKeyPath, at position: Int) { write(value, keyPath, to: self[position]) }
}
