/// The elements of a frozen list, set or results whose elements are values, in their order.
///
/// ```swift
/// let ada = Frozen(person)
/// Task.detached {
///     for tag in ada.tags { print(tag) }                 // a FrozenValues<String>
///     print(ada.tags.count, ada.tags.contains("swift"))
/// }
/// ```
///
/// Nothing is copied: elements are read from the file on use. As with every ``Frozen`` value, the
/// file keeps the version meanwhile. ``AnyRealmValue``s come as ``AnyFrozenValue``. Two are equal
/// if their elements are, in order.
///
/// Thread rule: any thread, and any number at once.
public struct FrozenValues<Element: Sendable>: RandomAccessCollection, Sendable {
    private let storage: any FrozenStorage<Element>

    /// Iterates over the elements.
    public struct Iterator: IteratorProtocol {
        fileprivate let nextElement: () -> Element?

        /// The next element, nil after the last one. O(1), amortised.
        public func next() -> Element? { nextElement() }
    }

    /// The number of elements. O(1); for results, one evaluation the first time.
    public var count: Int { storage.count }

    /// The position of the first element, 0.
    public var startIndex: Int { 0 }

    /// The position after the last element: ``count``.
    public var endIndex: Int { storage.count }

    /// The element at a position. Costs as much as reading it from the collection. Traps outside
    /// of `0 ..< count`.
    public subscript(position: Int) -> Element { storage.element(at: position) }

    /// Iterates over the elements.
    public func makeIterator() -> Iterator { Iterator(nextElement: storage.makeNext()) }
}

@available(*, unavailable, message: "An iterator belongs to the loop that made it.")
extension FrozenValues.Iterator: Sendable {}

// MARK: - What the elements are read from

/// A frozen collection, with the conversion of its elements to a `Sendable` form.
private protocol FrozenStorage<Element>: Sendable {
    associatedtype Element

    var count: Int { get }
    var description: String { get }
    /// The frozen collection.
    var base: Any { get }
    func element(at position: Int) -> Element
    func makeNext() -> () -> Element?
    func position(of element: Element) -> Int?
}

private struct FrozenCollectionStorage<Base: RealmCollection, Element>: FrozenStorage,
    @unchecked Sendable
{
    // @unchecked: the collection is frozen, and the conversion is a function without state.
    let collection: Base
    let convert: (Base.Element) -> Element
    let find: (Element) -> Int?

    var count: Int { collection.count }
    var description: String { collection.description }
    var base: Any { collection }
    func element(at position: Int) -> Element { convert(collection[position]) }
    func position(of element: Element) -> Int? { find(element) }

    func makeNext() -> () -> Element? {
        var iterator = collection.makeIterator()
        return { iterator.next().map(convert) }
    }
}

private struct ProjectedStorage<Element>: FrozenStorage, @unchecked Sendable {
    // @unchecked: the collection is frozen.
    let collection: ProjectedCollection<Element>

    var count: Int { collection.count }
    var description: String { collection.description }
    var base: Any { collection }
    func element(at position: Int) -> Element { collection[position] }
    func position(of element: Element) -> Int? { nil }

    func makeNext() -> () -> Element? {
        var iterator = collection.makeIterator()
        return { iterator.next() }
    }
}

extension FrozenValues {
    /// The elements of a frozen collection.
    init<Base: RealmCollection>(frozen collection: Base) where Base.Element == Element {
        storage = FrozenCollectionStorage(
            collection: collection, convert: { $0 },
            find: { element in
                // A set refuses to give positions.
                guard let set = collection as? MutableSet<Element> else {
                    return collection.index(of: element)
                }
                return set.contains(element) ? set.firstIndex(of: element) : nil
            })
    }

    /// The elements of a frozen projection of objects.
    init(frozen collection: ProjectedCollection<Element>) {
        storage = ProjectedStorage(collection: collection)
    }
}

extension FrozenValues where Element == AnyFrozenValue {
    /// The elements of a frozen collection of ``AnyRealmValue``s.
    init<Base: RealmCollection>(anyValues collection: Base) where Base.Element == AnyRealmValue {
        storage = FrozenCollectionStorage(
            collection: collection, convert: { AnyFrozenValue(frozen: $0) },
            find: { value in collection.firstIndex { AnyFrozenValue(frozen: $0) == value } })
    }

    /// The collection as an ``AnyRealmValue``.
    var anyValue: AnyRealmValue {
        (storage.base as? List<AnyRealmValue>).map { .list($0) } ?? .none
    }
}

// MARK: - Finding and aggregates

extension FrozenValues where Element: Equatable {
    /// Returns the position of the first element that equals a value, nil if none does. O(count);
    /// O(log count) for a set without the value.
    public func index(of element: Element) -> Int? {
        storage.position(of: element)
            ?? (storage.base is any RealmCollection ? nil : firstIndex(of: element))
    }

    /// Whether an element equals a value. Costs as much as ``index(of:)``.
    public func contains(_ element: Element) -> Bool { index(of: element) != nil }
}

extension FrozenValues where Element: RealmCollectionValue {
    private var collection: any RealmCollection<Element> {
        guard let collection = storage.base as? any RealmCollection<Element> else {
            preconditionFailure("Values of properties are in a collection.")
        }
        return collection
    }
}

extension FrozenValues where Element: RealmCollectionValue, Element.PersistedType: AddableType {
    /// Returns the sum of the elements; 0 without elements. O(count). Traps if it does not fit.
    public func sum() -> Element { collection.sum(ofProperty: "self") }

    /// Returns the mean of the elements; nil without elements. O(count).
    public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
        collection.average(ofProperty: "self")
    }
}

extension FrozenValues: Equatable where Element: Equatable {
    /// Whether both have equal elements in the same order. O(count).
    public static func == (a: FrozenValues, b: FrozenValues) -> Bool { a.elementsEqual(b) }
}

extension FrozenValues: Hashable where Element: Hashable {
    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { for element in self { hasher.combine(element) } }
}

extension FrozenValues: CustomStringConvertible {
    /// The collection's own description.
    public var description: String { storage.description }
}

extension FrozenValues: Encodable {
    /// Encodes the elements as an array; see ``ConfinedEncodable``.
    ///
    /// - Throws: What the encoder throws; `EncodingError` if objects are nested too deeply
    ///   (``ConfinedEncodable``).
    public func encode(to encoder: any Encoder) throws {
        try EncodedValue(storage.base).encode(to: encoder)
    }
}
