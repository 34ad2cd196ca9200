public import Foundation

/// The common base of all collections of a realm: random access, lazy, and confined to their
/// realm's thread, queue or actor.
public protocol RealmCollectionBase: _PositionalCollection, LazyCollectionProtocol,
    CustomStringConvertible
where Element: RealmCollectionValue {
    /// The type of the elements, under its name in old versions of Realm.
    typealias ElementType = Element
}

/// A collection of a realm, which can be counted, iterated over, filtered, sorted and aggregated.
///
/// Functions that are generic over this protocol accept any of them:
///
///     func names<Dogs: RealmCollection>(_ dogs: Dogs) -> [String] where Dogs.Element == Dog {
///         dogs.map(\.name)
///     }
public protocol RealmCollection<Element>: RealmCollectionBase, Equatable
where Iterator == RLMIterator<Element> {
    /// The realm that manages the collection; nil for unmanaged ones.
    var realm: Realm? { get }

    /// Whether the collection is unusable, because its realm was invalidated or its object was
    /// deleted.
    var isInvalidated: Bool { get }

    /// How many elements there are.
    var count: Int { get }

    /// The elements as text.
    var description: String { get }

    /// The first element, nil if there is none.
    var first: Element? { get }

    /// The last element, nil if there is none.
    var last: Element? { get }

    /// The position of an element, nil if the collection does not contain it. O(log objects) for
    /// unsorted results of objects, else at most O(elements).
    func index(of object: Element) -> Int?

    /// The position of the first element that satisfies a query, nil if none does.
    /// O(elements).
    func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int?

    /// The elements at the given positions. Traps if one of them is out of bounds.
    func objects(at indexes: IndexSet) -> [Element]

    /// The elements that satisfy a query, as a live collection. O(1): evaluated when it is used.
    func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element>

    /// The elements that satisfy a predicate, as a live collection. O(1): evaluated when it is
    /// used.
    func filter(_ predicate: RealmPredicate) -> Results<Element>

    /// The position of the first element that satisfies a predicate, nil if none does.
    /// O(elements).
    func index(matching predicate: RealmPredicate) -> Int?

    /// The elements in the order of the given properties, as a live collection. O(1): sorted when
    /// it is used. Traps if a descriptor does not lead to a property that can be sorted by.
    func sorted<Descriptors: Sequence>(by sortDescriptors: Descriptors) -> Results<Element>
    where Descriptors.Element == SortDescriptor

    /// The smallest value of a property; nil without elements that have one. O(elements).
    func min<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType

    /// The greatest value of a property; nil without elements that have one. O(elements).
    func max<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType

    /// The sum of a property; 0 without elements. O(elements).
    func sum<T: _HasPersistedType>(ofProperty property: String) -> T
    where T.PersistedType: AddableType

    /// The mean of a property; nil without elements that have a value. O(elements).
    func average<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType

    /// The values of a property of all elements, as an array.
    func value(forKey key: String) -> Any?

    /// Sets a property of all elements. Only in a write transaction.
    func setValue(_ value: Any?, forKey key: String)

    /// Returns the collection as it is at this moment. It never changes, and any thread may use
    /// it. Copies no elements.
    func freeze() -> Self

    /// Returns the live counterpart of a frozen collection, or nil if its object was deleted.
    func thaw() -> Self?
}

// MARK: - Sorting

extension RealmCollection {
    /// Returns the elements in the order of one property, given by its name or by a path over
    /// to-one links: `"owner.name"`.
    ///
    /// Stable. In ascending order, nil comes first, and elements with a nil link on the path come
    /// last; in descending order the reverse. O(1): sorted when it is used.
    ///
    /// - Parameters:
    ///   - keyPath: The property, by its name or by a path over to-one links.
    ///   - ascending: Whether the smallest value comes first.
    /// - Note: Traps if there is no such property, or if it cannot be sorted by.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }
}

extension RealmCollection where Element: ObjectBase {
    /// Returns the elements in the order of one property: `sorted(by: \.age)`. Stable. In
    /// ascending order, nil comes first, and elements with a nil link on the path come last; in
    /// descending order the reverse. O(1): sorted when it is used.
    ///
    /// - Parameters:
    ///   - keyPath: The property, also over to-one links.
    ///   - ascending: Whether the smallest value comes first.
    public func sorted<T: _HasPersistedType>(
        by keyPath: KeyPath<Element, T>, ascending: Bool = true
    ) -> Results<Element> where T.PersistedType: SortableType {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }
}

// MARK: - Aggregates by key path

extension RealmCollection where Element: ObjectBase {
    /// The smallest value of a property; nil without elements that have one. O(elements).
    public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
    where T.PersistedType: MinMaxType { min(ofProperty: propertyName(of: keyPath)) }

    /// The greatest value of a property; nil without elements that have one. O(elements).
    public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
    where T.PersistedType: MinMaxType { max(ofProperty: propertyName(of: keyPath)) }

    /// Returns the sum of a property over all elements; 0 without elements. Nil is left out.
    /// O(elements).
    ///
    /// The engine chooses the order in which it adds floating-point numbers, so the last digits
    /// may differ from a loop's.
    public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T
    where T.PersistedType: AddableType { sum(ofProperty: propertyName(of: keyPath)) }

    /// The mean of a property over the elements that have a value; nil without such elements.
    /// O(elements).
    public func average<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
    where T.PersistedType: AddableType { average(ofProperty: propertyName(of: keyPath)) }

    private func propertyName(of keyPath: PartialKeyPath<Element>) -> String {
        KeyPathNames.names(of: keyPath, from: Element.self).joined(separator: ".")
    }
}
