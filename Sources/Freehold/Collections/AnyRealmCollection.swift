public import Foundation

/// Wraps any collection of a realm, or any unmanaged list or set, in one type.
///
/// ```swift
/// var dogs = AnyRealmCollection(realm.objects(Dog.self))
/// dogs = AnyRealmCollection(person.dogs)
/// ```
///
/// Every call is forwarded to the wrapped collection, at the cost of one dynamic call. Two
/// wrappers are equal if they wrap equal collections of the same type.
///
/// Thread rule: that of the wrapped collection. Not `Sendable`.
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
    private let base: any AnyCollection<Element>

    /// Wraps a collection. O(1).
    public init<Base: RealmCollection>(_ base: Base) where Base.Element == Element {
        self.base = Wrapped(base: base)
    }

    /// The wrapped collection.
    var collection: any RealmCollection<Element> { base.collection }

    private init(_ base: any AnyCollection<Element>) { self.base = base }

    /// Whether both wrap equal collections of one type.
    public static func == (a: AnyRealmCollection, b: AnyRealmCollection) -> Bool {
        a.base.isEqual(to: b.base)
    }

    /// The realm that manages the collection; nil for unmanaged ones.
    public var realm: Realm? { collection.realm }
    /// Whether the collection is unusable, because its realm was invalidated or its object was
    /// deleted.
    public var isInvalidated: Bool { collection.isInvalidated }
    /// Whether the collection is frozen.
    public var isFrozen: Bool { collection.isFrozen }
    /// How many elements there are.
    public var count: Int { collection.count }
    /// Whether there is no element.
    public var isEmpty: Bool { collection.isEmpty }
    /// The elements as text, in the format of ``Results/description``.
    public var description: String {
        // Keeps what follows the name of the wrapped collection's own type.
        let text = collection.description
        return "AnyRealmCollection" + (text.firstIndex(of: "<").map { String(text[$0...]) } ?? text)
    }
    /// The first element, nil if there is none.
    public var first: Element? { collection.first }
    /// The last element, nil if there is none.
    public var last: Element? { collection.last }
    /// The position of the first element, 0.
    public var startIndex: Int { 0 }
    /// The position after the last element: ``count``.
    public var endIndex: Int { count }

    /// The element at a position. Traps outside of `0 ..< count`.
    public subscript(position: Int) -> Element { base.collection[position] }

    /// Iterates over the elements that the collection holds at this moment. The loop may change
    /// the collection.
    public func makeIterator() -> RLMIterator<Element> { collection.makeIterator() }

    /// The position of an element, nil if the collection does not contain it.
    public func index(of object: Element) -> Int? { collection.index(of: object) }

    /// The position of the first element that satisfies a query, nil if none does.
    public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
        collection.index(matching: isIncluded)
    }

    /// The elements at the given positions. Traps if one of them is out of bounds.
    public func objects(at indexes: IndexSet) -> [Element] { collection.objects(at: indexes) }

    /// The elements that satisfy a query, as a live collection.
    public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
        collection.where(isIncluded)
    }

    /// The elements in the order of the given properties, as a live collection.
    public func sorted<Descriptors: Sequence>(by sortDescriptors: Descriptors) -> Results<Element>
    where Descriptors.Element == SortDescriptor { collection.sorted(by: sortDescriptors) }

    /// The smallest value of a property; nil without elements that have one.
    public func min<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType { collection.min(ofProperty: property) }

    /// The greatest value of a property; nil without elements that have one.
    public func max<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType { collection.max(ofProperty: property) }

    /// The sum of a property; 0 without elements.
    public func sum<T: _HasPersistedType>(ofProperty property: String) -> T
    where T.PersistedType: AddableType { collection.sum(ofProperty: property) }

    /// The mean of a property; nil without elements that have a value.
    public func average<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType { collection.average(ofProperty: property) }

    /// The values of a property of all elements, as an array.
    public func value(forKey key: String) -> Any? { collection.value(forKey: key) }

    /// Sets a property of all elements.
    public func setValue(_ value: Any?, forKey key: String) {
        collection.setValue(value, forKey: key)
    }

    /// Returns the collection as it is at this moment, usable on all threads.
    @_disfavoredOverload  // Calls prefer the one that knows their line.
    public func freeze() -> AnyRealmCollection { AnyRealmCollection(base.frozen()) }

    /// Returns the live counterpart of a frozen collection, or nil if its object was deleted.
    public func thaw() -> AnyRealmCollection? { base.thawed().map { AnyRealmCollection($0) } }
}

@available(
    *, unavailable,
    message: """
        Collections are confined to their realm's thread, queue or actor: freeze() them, \
        or query there.
        """
)
extension AnyRealmCollection: Sendable {}

/// Hides the type of the wrapped collection, and does what depends on that type.
private protocol AnyCollection<Element> {
    associatedtype Element: RealmCollectionValue
    var collection: any RealmCollection<Element> { get }
    func isEqual(to other: any AnyCollection<Element>) -> Bool
    func frozen() -> any AnyCollection<Element>
    func thawed() -> (any AnyCollection<Element>)?
}

private struct Wrapped<Base: RealmCollection>: AnyCollection {
    let base: Base

    var collection: any RealmCollection<Base.Element> { base }
    func isEqual(to other: any AnyCollection<Base.Element>) -> Bool {
        (other as? Wrapped)?.base == base
    }
    func frozen() -> any AnyCollection<Base.Element> { Wrapped(base: base.freeze()) }
    func thawed() -> (any AnyCollection<Base.Element>)? { base.thaw().map { Wrapped(base: $0) } }
}
