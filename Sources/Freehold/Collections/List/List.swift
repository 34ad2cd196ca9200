/// An ordered collection of values or objects that a model class can have as a property.
///
/// ```swift
/// class Person: Object {
///     @Persisted var name = ""
///     @Persisted var dogs: List<Dog>
///     @Persisted var scores: List<Int>
/// }
///
/// let person = Person()
/// person.dogs.append(Dog())
/// person.scores.append(objectsIn: [3, 1, 2])
/// person.scores = other.scores   // copies the elements
/// ```
///
/// - A list is an object: two variables can refer to the same one. Assigning a list to a property copies the elements into the
///   list that the property has.
/// - Elements are the types that properties can have, optionals of them, and objects; of these, objects of exactly the
///   declared class. One object may be in a list several times.
/// - A `for` loop visits the elements that the list had when the loop began, whatever the loop changes.
/// - Two lists are equal if their elements are, in order.
///
/// Thread rule: the list of an unmanaged object belongs to whoever made it, as an instance of any other class. Lists are not `Sendable`.
public final class List<Element: RealmCollectionValue> {
    /// The elements.
    var contents: [Element]
    /// The class of the elements, nil if they are no objects.
    let target: ObjectBase.Type?

    /// Makes an empty list that no realm manages.
    public init() {
        contents = []
        target = Element.self as? ObjectBase.Type
    }
}

@available(*, unavailable, message: "Lists belong to their object: pass an array of the elements, or freeze() the object.")
extension List: Sendable {}

// MARK: - Elements

// What touches the elements. Everything else is made of these.

extension List {
    /// How many elements there are. O(1).
    public var count: Int { contents.count }

    /// The element at a position. O(1).
    ///
    /// Assigning replaces it. Traps outside of `0 ..< count`, and if the new element is an object of a subclass of `Element`.
    public subscript(position: Int) -> Element {
        get {
            kind.check(position, below: contents.count)
            return contents[position]
        }
        set {
            kind.check(position, below: contents.count)
            check(newValue)
            contents[position] = newValue
        }
    }

    /// Adds an element at the end. O(1), amortised.
    ///
    /// Traps if the element is an object of a subclass of `Element`.
    public func append(_ object: Element) {
        check(object)
        contents.append(object)
    }

    /// Replaces a range of elements by others, which may be more or fewer. O(count).
    ///
    /// Traps if the range is not one of positions of the list, and if an element is an object of a subclass of `Element`.
    public func replaceSubrange<Elements: Collection, Bounds: RangeExpression>(_ subrange: Bounds, with newElements: Elements)
    where Elements.Element == Element, Bounds.Bound == Int {
        let subrange = positions(subrange)
        // An array first: the new elements may be those of this list.
        let new = Array(newElements)
        new.forEach(check)
        contents.replaceSubrange(subrange, with: new)
    }

    /// Removes all elements. O(count).
    public func removeAll() { contents.removeAll() }

    /// Moves one element, so that it is at position `to` afterwards. O(distance).
    ///
    /// Traps if a position is outside of `0 ..< count`.
    public func move(from: Int, to: Int) {
        kind.check(from, below: contents.count)
        kind.check(to, below: contents.count)
        contents.insert(contents.remove(at: from), at: to)
    }

    /// Exchanges the elements at two positions. O(1). Traps if a position is outside of `0 ..< count`.
    public func swapAt(_ index1: Int, _ index2: Int) {
        kind.check(index1, below: contents.count, "index1")
        kind.check(index2, below: contents.count, "index2")
        contents.swapAt(index1, index2)
    }

    /// The position of the first element that equals the given one; nil if there is none. O(count).
    public func index(of object: Element) -> Int? { contents.firstIndex(of: object) }

    /// Iterates over the elements that the list has now; changing the list meanwhile is legal.
    public func makeIterator() -> RLMIterator<Element> { RLMIterator(elements: contents) }

    /// The positions that a range expression stands for, which may be the one after the last. Traps if they are none of the list's.
    func positions<Bounds: RangeExpression>(_ bounds: Bounds) -> Range<Int> where Bounds.Bound == Int {
        // Relative to a range without end: relative to the list, a bound past the end would trap without Realm's text.
        var range = bounds.relative(to: 0..<Int.max)
        if range.upperBound == Int.max { range = range.lowerBound..<Swift.max(count, range.lowerBound) }
        kind.check(range, count: count)
        return range
    }

    /// Traps if an element is an object of another class than the list declares.
    @inline(__always)
    func check(_ element: Element) {
        if let target { kind.check(unsafeDowncast(element as AnyObject, to: ObjectBase.self), isOf: target) }
    }
}
