public import Foundation
import FreeholdStorage

/// One property of all objects of a list or set: `person.friends.projectTo.name`. Live, like the
/// collection.
///
/// Thread rule: that of the collection. Not `Sendable`.
public struct ProjectedCollection<Element>: _PositionalCollection, CustomStringConvertible {
    let base: any ProjectableCollection
    let keyPath: AnyKeyPath
    /// Applies the key path to an object of the collection.
    let read: (ObjectBase) -> Element

    /// The position of the first element, 0.
    public var startIndex: Int { 0 }
    /// The position after the last element, which is the number of objects in the collection.
    public var endIndex: Int { base.objectCount }

    /// The property of the object at a position. Assigning sets it, in a write transaction.
    ///
    /// Traps outside of `0 ..< count`. Assigning also traps if the key path is read-only.
    public subscript(position: Int) -> Element {
        get { read(base.object(at: position)) }
        nonmutating set { base.set(newValue, keyPath, at: position) }
    }

    /// The values as text.
    public var description: String {
        let lines = enumerated().map { "\t[\($0.offset)] \($0.element)" }
        return "ProjectedCollection<\(Element.self)> {\n\(lines.joined(separator: "\n"))\n}"
    }
}

extension ProjectedCollection where Element: Equatable {
    /// Returns the position of the first object with a value; nil if there is none. O(count).
    public func index(of value: Element) -> Int? { firstIndex(of: value) }
}

extension ProjectedCollection {
    /// Returns the position of the first object that satisfies a predicate string; nil if there
    /// is none. The string uses the names of the objects' class. O(count).
    ///
    /// Traps where ``RealmCollection/index(matching:_:)`` does.
    public func index(matching predicateFormat: String, _ args: Any?...) -> Int? {
        base.index(
            matching: unwrapPredicate(try RealmPredicate(parsing: predicateFormat, arguments: args))
        )
    }

    /// Returns the position of the first object that satisfies a predicate; nil if there is
    /// none. The predicate uses the names of the objects' class. O(count).
    public func index(matching predicate: NSPredicate) -> Int? {
        base.index(matching: unwrapPredicate(try RealmPredicate(predicate)))
    }
}

@available(
    *, unavailable,
    message: """
        Collections are confined to their realm's thread, queue or actor: freeze() them, \
        or query there.
        """
)
extension ProjectedCollection: Sendable {}

extension ProjectedCollection {
    /// The realm of the collection; nil for unmanaged ones. Any thread.
    public var realm: Realm? { base.realm }
    /// Whether the collection has become unusable.
    public var isInvalidated: Bool { base.isInvalidated }
    /// Whether the collection is frozen. Any thread.
    public var isFrozen: Bool { base.isFrozen }
    /// Returns a frozen copy of the current values, for all threads. Traps if the collection is
    /// not managed.
    @_disfavoredOverload  // Calls prefer the one that knows their line.
    public func freeze() -> ProjectedCollection {
        ProjectedCollection(base: base.freeze(), keyPath: keyPath, read: read)
    }
    /// Returns the live values of a frozen projection; nil if the collection is deleted.
    public func thaw() -> ProjectedCollection? {
        base.thaw().map { ProjectedCollection(base: $0, keyPath: keyPath, read: read) }
    }
}

/// Provides each property of a collection's objects as a collection of its own.
@dynamicMemberLookup
public struct CollectionElementMapper<Element: ObjectBase> {
    fileprivate let base: any ProjectableCollection

    /// One property of all objects, as a collection.
    public subscript<Value>(dynamicMember member: KeyPath<Element, Value>) -> ProjectedCollection<
        Value
    > {
        ProjectedCollection(base: base, keyPath: member) {
            unsafeDowncast($0, to: Element.self)[keyPath: member]
        }
    }
}

@available(
    *, unavailable,
    message: """
        Collections are confined to their realm's thread, queue or actor: freeze() them, \
        or query there.
        """
)
extension CollectionElementMapper: Sendable {}

extension List where Element: ObjectBase {
    /// The properties of the objects, as collections: `person.friends.projectTo.name`.
    public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(base: self) }
}

extension MutableSet where Element: ObjectBase {
    /// The properties of the objects, as collections: `person.rivals.projectTo.name`.
    public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(base: self) }
}

/// A ``ProjectedCollection`` of any type.
protocol ProjectedCollectionOfAnyType {
    /// The names from the objects' class to the property; empty if the property is not
    /// persisted.
    var elementNames: [String] { get }
}

extension ProjectedCollection: ProjectedCollectionOfAnyType {
    var elementNames: [String] { KeyPathNames.names(of: keyPath, from: base.objectClass) }
}

/// A list or set of objects of any class.
protocol ProjectableCollection: ThreadConfined {
    var objectClass: ObjectBase.Type { get }
    var objectCount: Int { get }
    func object(at position: Int) -> ObjectBase
    func set<Value>(_ value: Value, _ keyPath: AnyKeyPath, at position: Int)
    func index(matching predicate: RealmPredicate) -> Int?
}

extension ProjectableCollection where Self: RealmCollection, Element: ObjectBase {
    var objectClass: ObjectBase.Type { Element.self }
    var objectCount: Int { count }
    func object(at position: Int) -> ObjectBase { self[position] }

    func set<Value>(_ value: Value, _ keyPath: AnyKeyPath, at position: Int) {
        let object = self[position]
        guard let keyPath = keyPath as? ReferenceWritableKeyPath<Element, Value> else {
            misuse(
                "KeyPath is not writable",
                remedy: "'\(keyPath)' is read-only: assign the property of the object.")
        }
        object[keyPath: keyPath] = value
    }
}

extension List: ProjectableCollection where Element: ObjectBase {}

extension MutableSet: ProjectableCollection where Element: ObjectBase {}
