/// A collection of distinct values or objects that a model class can have as a property.
///
/// ```swift
/// class Article: Object {
///     @Persisted var tags: MutableSet<String>
/// }
///
/// let article = Article()
/// article.tags.insert(objectsIn: ["a", "b", "a"])
/// print(article.tags.count, article.tags.contains("b"))   // 2 true
/// ```
///
/// - A set is an object: two variables can refer to the same one. Assigning a set to a property copies the elements into the
///   set that the property has.
/// - Elements are the types that properties can have, optionals of them, and objects of exactly the declared class. A set has at
///   most one NaN and one nil.
/// - The order of the elements means nothing, and may change with each change.
/// - A `for` loop visits the elements that the set had when the loop began, whatever the loop changes.
/// - Two sets are equal if they have the same elements.
///
/// Objects are told apart as `==` does it. Adding objects one by one to a realm may change their hash (see ``ObjectBase/hash(into:)``): take them out of
/// unmanaged sets before, or add the object that has the set.
///
/// Thread rule: the set of an unmanaged object belongs to whoever made it, as an instance of any other class. Sets are not `Sendable`.
public final class MutableSet<Element: RealmCollectionValue> {
    /// The elements.
    var unique = UniqueElements<Element>()
    /// The class of the elements, nil if they are no objects.
    let target: ObjectBase.Type?

    /// Makes an empty set that no realm manages.
    public init() { target = Element.self as? ObjectBase.Type }
}

@available(*, unavailable, message: "Sets belong to their object: pass an array of the elements, or freeze() the object.")
extension MutableSet: Sendable {}

// MARK: - Elements

// What touches the elements. Everything else is made of these.

extension MutableSet {
    /// How many elements there are. O(1).
    public var count: Int { unique.elements.count }

    /// The element at a position, in no particular order. O(1). Traps outside of `0 ..< count`.
    public subscript(position: Int) -> Element {
        kind.check(position, below: count)
        return unique.elements[position]
    }

    /// Whether the set has an element. O(1).
    public func contains(_ element: Element) -> Bool { unique.position(of: element) != nil }

    /// Adds an element, if the set does not have it. O(1), amortised.
    ///
    /// Traps if the element is an object of a subclass of `Element`.
    public func insert(_ object: Element) {
        check(object)
        unique.insert(object)
    }

    /// Removes an element, if the set has it. O(1).
    public func remove(_ object: Element) { unique.remove(object) }

    /// Removes all elements. O(count).
    public func removeAll() { unique.removeAll() }

    /// The elements as they are now.
    var members: [Element] { unique.elements }

    /// Iterates over the elements that the set has now; changing the set meanwhile is legal.
    public func makeIterator() -> RLMIterator<Element> { RLMIterator(elements: members) }

    /// Traps if an element is an object of another class than the set declares.
    @inline(__always)
    private func check(_ element: Element) {
        if let target { kind.check(unsafeDowncast(element as AnyObject, to: ObjectBase.self), isOf: target) }
    }
}
