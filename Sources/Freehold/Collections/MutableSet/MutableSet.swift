import FreeholdStorage

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
/// - A set is an object: two variables can refer to the same one. Assigning a set to a property
///   copies the elements into the set that the property has.
/// - Elements have a type that properties can have, or an optional of one. Objects must be of
///   exactly the declared class. A set has at most one NaN and one nil.
/// - The order of the elements means nothing, and may change with each change.
/// - A `for` loop visits the elements that the set had when the loop began, whatever the loop
///   changes.
/// - Two sets are equal if they have the same elements.
///
/// Objects are compared by `==`. Adding single objects to a realm may change their hash (see
/// ``ObjectBase/hash(into:)``). Take them out of unmanaged sets first, or add the object that has
/// the set.
///
/// The set of a managed object is live: it shows what its realm reads, and is changed in write
/// transactions only. The realm takes over the set of an unmanaged object when the object is
/// added. The cost of a change hardly grows with the size of a managed set.
///
/// Thread rule: a managed set is confined like its object. A frozen set may be used on any
/// thread. An unmanaged set is an instance of a plain class: only one thread may use it at a
/// time. Sets are not `Sendable`.
public final class MutableSet<Element: RealmCollectionValue> {
    /// The elements, while no realm manages the set.
    private var unmanaged: UniqueElements<Element> {
        get { own.value }
        _modify { yield &own.value }
    }
    private var own = UnmanagedContents(UniqueElements<Element>())
    /// The place of the elements, while a realm manages the set.
    private(set) var managed: ManagedCollection?
    /// The class of the elements; nil if they are not objects.
    let target: ObjectBase.Type?

    /// Makes an empty set that no realm manages.
    public init() { target = Element._rlmObjectType }

    init(_ managed: ManagedCollection) {
        target = Element._rlmObjectType
        self.managed = managed
    }

    func refuse(_ error: InvalidValueError, count: Int) { own.refuse(error, count: count) }

    /// Makes a realm, which has stored the elements already, manage the set.
    func attach(to managed: ManagedCollection) {
        unmanaged = UniqueElements()
        self.managed = managed
    }
}

@available(
    *, unavailable,
    message: "Sets belong to their object: pass an array of the elements, or freeze() the object."
)
extension MutableSet: Sendable {}

// MARK: - Elements

// The members that access the elements. Everything else is built on these.

extension MutableSet {
    /// The codec of a managed set's elements.
    @inline(__always)
    private func codec(_ managed: ManagedCollection) -> any ElementCodec<Element> {
        unsafeDowncast(managed.descriptor, to: ElementDescriptor<Element>.self).codec
    }

    /// How many elements there are. O(1).
    public var count: Int {
        managed?.current("count").count ?? own.refusedCount ?? unmanaged.elements.count
    }

    /// The element at a position, in no particular order. O(1); O(log count) for large managed
    /// sets. Traps outside of `0 ..< count`.
    public subscript(position: Int) -> Element {
        guard let managed else {
            let count = unmanaged.elements.count
            if position < 0 || position >= count, let recorded: Element = KeyPathRecording.element()
            {
                return recorded
            }
            kind.check(position, below: count)
            return unmanaged.elements[position]
        }
        let position = managed.readable(position, below: managed.current("subscript").count)
        let leaf = managed.leaf(at: position, "subscript")
        return codec(managed).load(leaf, position - leaf.start, managed)
    }

    /// Whether the set has an element. O(1); O(log count) for managed sets.
    public func contains(_ element: Element) -> Bool { position(of: element) != nil }

    /// The position of an element; nil if the set does not have it.
    private func position(of element: Element) -> Int? {
        guard let managed else { return unmanaged.position(of: element) }
        let place = codec(managed).find(element, in: managed.current("contains(_:)"), managed.core)
        return place.flatMap { $0.isFound ? $0.index : nil }
    }

    /// Adds an element, if the set does not have it. Amortised O(1); O(log count) for managed
    /// sets. Adds an unmanaged object to the realm.
    ///
    /// Traps if the element is an object of a subclass of `Element`.
    public func insert(_ object: Element) {
        guard let managed else {
            check(object)
            return unmanaged.insert(object)
        }
        let tree = managed.changeable("insert(_:)")
        check(object)
        let codec = codec(managed)
        let element = codec.resolved(object, managed.core)
        guard let place = codec.find(element, in: tree.stored, managed.core), !place.isFound
        else { return }
        codec.insert(element, at: place.index, in: tree, managed.core)
    }

    /// Removes an element, if the set has it. O(1); O(log count) for managed sets.
    public func remove(_ object: Element) {
        guard let managed else { return unmanaged.remove(object) }
        let tree = managed.changeable("remove(_:)")
        if let place = codec(managed).find(object, in: tree.stored, managed.core), place.isFound {
            tree.remove(place.index..<(place.index + 1))
        }
    }

    /// Removes all elements. O(count).
    public func removeAll() {
        guard let managed else { return own = UnmanagedContents(UniqueElements()) }
        managed.changeable("removeAll()").removeAll()
    }

    /// The current elements. O(count).
    var members: [Element] {
        guard let managed else { return unmanaged.elements }
        return managed.all(codec(managed), "reading")
    }

    /// Iterates over the elements that the set has at this moment. The loop may change the set.
    public func makeIterator() -> RLMIterator<Element> {
        guard let managed else { return RLMIterator(elements: unmanaged.elements) }
        return RLMIterator(managed, codec(managed))
    }

    /// Traps if an element is not an object of exactly the class that the set declares.
    @inline(__always)
    private func check(_ element: Element) {
        if let target = Element._rlmObjectType, let object = element as? ObjectBase {
            kind.check(object, isOf: target)
        }
    }
}
