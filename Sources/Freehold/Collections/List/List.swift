import FreeholdStorage

/// An ordered collection of values or objects that a model class can have as a property.
///
/// ```swift
/// class Person: Object {
///     @Persisted var name = ""
///     @Persisted var dogs: List<Dog>
///     @Persisted var scores: List<Int>
/// }
///
/// let (person, other) = (Person(), Person())
/// person.dogs.append(Dog())
/// person.scores.append(objectsIn: [3, 1, 2])
/// person.scores = other.scores   // copies the elements
/// ```
///
/// - A list is an object: two variables can refer to the same one. Assigning a list to a
///   property copies the elements into the list that the property has.
/// - Elements have a type that properties can have, or an optional of one. Objects must be of
///   exactly the declared class. One object may be in a list several times.
/// - A `for` loop visits the elements that the list had when the loop began, whatever the loop
///   changes.
/// - Two lists are equal if their elements are, in order.
///
/// The list of a managed object is live: it shows what its realm reads, and is changed in write
/// transactions only. The realm takes over the list of an unmanaged object when the object is
/// added. The cost of a change hardly grows with the length of a managed list. An exception is a
/// list in an ``AnyRealmValue``, which each change stores again as a whole.
///
/// Thread rule: a managed list is confined like its object. A frozen list may be used on any
/// thread. An unmanaged list is an instance of a plain class: only one thread may use it at a
/// time. Lists are not `Sendable`.
public final class List<Element: RealmCollectionValue> {
    /// The elements, while no realm manages the list.
    private var unmanaged: [Element] {
        get { own.value }
        _modify { yield &own.value }
    }
    private var own = UnmanagedContents<[Element]>([])
    /// The place of the elements, while a realm manages the list.
    @exclusivity(unchecked) @usableFromInline private(set) final var managed: ManagedCollection?
    /// The place of the elements, if the list is inside of an ``AnyRealmValue`` of a realm.
    /// `Element` is ``AnyRealmValue`` then.
    private(set) var nested: NestedCollection?

    /// Makes an empty list that no realm manages.
    public init() {}

    /// Makes an unmanaged list of some elements. Traps if one is an object of a subclass of
    /// `Element`.
    init(unmanaged elements: [Element]) {
        own = UnmanagedContents(elements)
        if Element._rlmObjectType != nil { elements.forEach(check) }
    }

    init(_ managed: ManagedCollection) { self.managed = managed }

    init(nested: NestedCollection) { self.nested = nested }

    /// The realm that manages the list; nil if none does.
    var core: RealmCore? { managed?.core ?? nested?.core }

    func refuse(_ error: InvalidValueError, count: Int) { own.refuse(error, count: count) }

    /// Called before all elements are replaced.
    func forgetRefusal() { if own.refusedCount != nil { own = UnmanagedContents([]) } }

    /// Makes a realm, which has stored the elements already, manage the list.
    func attach(to managed: ManagedCollection) {
        unmanaged = []
        self.managed = managed
    }
}

@available(
    *, unavailable,
    message: "Lists belong to their object: pass an array of the elements, or freeze() the object."
)
extension List: Sendable {}

// MARK: - Elements

// The members that access the elements. Everything else is built on these.

extension List {
    /// The codec of a managed list's elements.
    @inline(__always)
    private func codec(_ managed: ManagedCollection) -> any ElementCodec<Element> {
        unsafeDowncast(managed.descriptor, to: ElementDescriptor<Element>.self).codec
    }

    /// How many elements there are. O(1).
    public var count: Int {
        managed?.current("count").count ?? nested?.values("count").count ?? own.refusedCount
            ?? unmanaged.count
    }

    /// The element at a position. O(1); O(log count) in large managed lists for positions far
    /// from the last one read.
    ///
    /// Assigning replaces it. Traps outside of `0 ..< count`, and if the new element is an
    /// object of a subclass of `Element`.
    public subscript(position: Int) -> Element {
        get {
            guard let managed else {
                if let nested {
                    let values = nested.values("subscript")
                    let position = nested.readable(position, below: values.count)
                    return nested.load(
                        position < values.count ? values[position] : nil, as: Element.self)
                }
                if position < 0 || position >= unmanaged.count,
                    let recorded: Element = KeyPathRecording.element()
                {
                    return recorded
                }
                kind.check(position, below: unmanaged.count)
                return unmanaged[position]
            }
            let position = managed.readable(position, below: managed.current("subscript").count)
            let leaf = managed.leaf(at: position, "subscript")
            return codec(managed).load(leaf, position - leaf.start, managed)
        }
        set {
            guard let managed else {
                if let nested { return setNested(nested, position, newValue) }
                kind.check(position, below: unmanaged.count)
                check(newValue)
                unmanaged[position] = newValue
                return
            }
            let tree = managed.changeable("subscript")
            managed.check(position, below: tree.count, in: tree)
            check(newValue)
            codec(managed).set(newValue, at: position, in: tree, managed.core)
        }
    }

    /// Adds an element at the end. Amortised O(1); O(log count) for managed lists. Adds an
    /// unmanaged object to the realm.
    ///
    /// Traps if the element is an object of a subclass of `Element`.
    @inlinable
    public func append(_ object: Element) {
        if let word = Self._word(object), let managed, managed.insertQuickly(word: word, at: nil) {
            return
        }
        _append(object)
    }

    @usableFromInline
    func _append(_ object: Element) {
        guard let managed else {
            if let nested {
                let new = nested.stored(object, for: "append(_:)")
                return nested.changeValues("append(_:)") { $0.append(new) }
            }
            check(object)
            return unmanaged.append(object)
        }
        let tree = managed.changeable("append(_:)")
        check(object)
        codec(managed).insert(object, at: tree.count, in: tree, managed.core)
    }

    /// Inserts an element in front of the one at a position, or at the end. O(count); O(log
    /// count) for managed lists.
    ///
    /// Traps if the position is outside of `0 ... count`, and if the element is an object of a
    /// subclass of `Element`.
    @inlinable
    public func insert(_ object: Element, at index: Int) {
        if let word = Self._word(object), let managed, managed.insertQuickly(word: word, at: index)
        {
            return
        }
        _insert(object, at: index)
    }

    @usableFromInline
    func _insert(_ object: Element, at index: Int) {
        guard let managed else {
            if let nested {
                nested.checkChangeable("insert(_:at:)")
                check(index, below: count + 1)
                let new = nested.stored(object, for: "insert(_:at:)")
                return nested.changeValues("insert(_:at:)") { $0.insert(new, at: index) }
            }
            kind.check(index, below: unmanaged.count + 1)
            check(object)
            return unmanaged.insert(object, at: index)
        }
        let tree = managed.changeable("insert(_:at:)")
        managed.check(index, below: tree.count + 1, in: tree)
        check(object)
        codec(managed).insert(object, at: index, in: tree, managed.core)
    }

    /// Removes the element at a position. O(count); O(log count) for managed lists. Traps if the
    /// position is outside of `0 ..< count`.
    public func remove(at index: Int) {
        guard let managed else {
            if let nested {
                nested.checkChangeable("remove(at:)")
                check(index, below: count)
                return nested.changeValues("remove(at:)") { $0.remove(at: index) }
            }
            kind.check(index, below: unmanaged.count)
            unmanaged.remove(at: index)
            return
        }
        let tree = managed.changeable("remove(at:)")
        managed.check(index, below: tree.count, in: tree)
        managed.remove(index..<(index + 1), from: tree)
    }

    /// Returns an element in its stored form, if that is the same 8 bytes as in memory. The
    /// compiler resolves this where it knows the type of the elements.
    @inlinable @inline(__always)
    static func _word(_ element: Element) -> UInt64? {
        if Element.self == Int.self || Element.self == Int64.self || Element.self == Double.self {
            return unsafeBitCast(element, to: UInt64.self)
        }
        return nil
    }

    /// Replaces a range of elements by any number of others. O(count + elements);
    /// O(elements × log count) for managed lists, where the elements removed count, too.
    ///
    /// Traps if the range is not within the positions of the list, and if an element is an object
    /// of a subclass of `Element`.
    public func replaceSubrange<Elements: Collection, Bounds: RangeExpression>(
        _ subrange: Bounds, with newElements: Elements
    ) where Elements.Element == Element, Bounds.Bound == Int {
        let tree = managed?.changeable("replaceSubrange(_:with:)")
        nested?.checkChangeable("replaceSubrange(_:with:)")
        let subrange = positions(subrange, in: tree)
        // Copied to an array first: the new elements may come from this list.
        var new = Array(newElements)
        if Element._rlmObjectType != nil { new.forEach(check) }
        if let nested {
            let stored = new.map { nested.stored($0, for: "replaceSubrange(_:with:)") }
            return nested.changeValues("replaceSubrange(_:with:)") {
                $0.replaceSubrange(subrange, with: stored)
            }
        }
        guard let managed, let tree else { return unmanaged.replaceSubrange(subrange, with: new) }
        if tree.isAbandoned { return }
        let codec = codec(managed)
        if codec.columnType == .mixed { new = new.map(detached) }
        let replaced = managed.ownedKeys(in: subrange, of: tree)
        tree.remove(subrange)
        for offset in new.indices {
            codec.insert(new[offset], at: subrange.lowerBound + offset, in: tree, managed.core)
        }
        managed.release(replaced)
    }

    /// See ``PersistedCollection/update(from:)``.
    func update(from other: List) {
        guard let managed else { return }
        let tree = managed.changeable("replaceSubrange(_:with:)")
        let new = other.contents
        let kept = Swift.min(tree.count, new.count)
        for index in 0..<kept {
            codec(managed).update(new[index], at: index, in: tree, managed.core)
        }
        replaceSubrange(kept..<tree.count, with: new[kept...])
    }

    /// Removes all elements. O(count).
    public func removeAll() {
        if let nested { return nested.changeValues("removeAll()") { $0 = [] } }
        guard let managed else { return own = UnmanagedContents([]) }
        let tree = managed.changeable("removeAll()")
        managed.remove(0..<tree.count, from: tree)
    }

    /// Moves one element from position `from` to position `to`. O(distance); O(log count) for
    /// managed lists.
    ///
    /// Traps if a position is outside of `0 ..< count`.
    public func move(from: Int, to: Int) {
        let tree = managed?.changeable("move(from:to:)")
        nested?.checkChangeable("move(from:to:)")
        check(from, in: tree)
        check(to, in: tree)
        if let nested {
            return nested.changeValues("move(from:to:)") { $0.insert($0.remove(at: from), at: to) }
        }
        if let tree {
            tree.move(from: from, to: to)
        } else {
            unmanaged.insert(unmanaged.remove(at: from), at: to)
        }
    }

    /// Exchanges the elements at two positions. O(1); O(log count) for managed lists. Traps if a
    /// position is outside of `0 ..< count`.
    public func swapAt(_ index1: Int, _ index2: Int) {
        let tree = managed?.changeable("swapAt(_:_:)")
        nested?.checkChangeable("swapAt(_:_:)")
        check(index1, in: tree, "index1")
        check(index2, in: tree, "index2")
        if let nested { return nested.changeValues("swapAt(_:_:)") { $0.swapAt(index1, index2) } }
        if let tree { tree.swapElements(index1, index2) } else { unmanaged.swapAt(index1, index2) }
    }

    /// The position of the first element that equals the given one; nil if there is none. O(count).
    public func index(of object: Element) -> Int? {
        guard let managed else {
            return nested.map { $0.index(of: object) } ?? unmanaged.firstIndex(of: object)
        }
        let codec = codec(managed)
        var found: Int?
        managed.current("index(of:)").forEachLeaf { leaf in
            found = codec.firstIndex(of: object, in: leaf, managed).map { leaf.start + $0 }
            return found == nil
        }
        return found
    }

    /// Iterates over the elements that the list has at this moment. The loop may change the list.
    public func makeIterator() -> RLMIterator<Element> {
        guard let managed else { return RLMIterator(elements: contents) }
        return RLMIterator(managed, codec(managed))
    }

    private func setNested(_ nested: NestedCollection, _ position: Int, _ new: Element) {
        nested.checkChangeable("subscript")
        let values = nested.values("subscript")
        check(position, below: values.count)
        guard position < values.count else { return }
        if nested.isStored(new, as: values[position]) { return }
        let new = nested.stored(new, for: "subscript")
        nested.changeValues("subscript") { $0[position] = new }
    }

    /// The current elements. O(count).
    var contents: [Element] {
        guard let managed else {
            return nested.map { nested in
                nested.values("reading").map { nested.load($0, as: Element.self) }
            } ?? unmanaged
        }
        return managed.all(codec(managed), "reading")
    }

    /// Returns the positions that a range expression means, which may include the one after the
    /// last. Traps if they are not within the list.
    ///
    /// - Parameter tree: The elements of a managed list that is to be changed.
    func positions<Bounds: RangeExpression>(
        _ bounds: Bounds, in tree: MutableStoredCollection? = nil
    ) -> Range<Int> where Bounds.Bound == Int {
        // Not relative to the list itself: a bound past its end would trap without Realm's text.
        var range = bounds.relative(to: 0..<Int.max)
        if range.upperBound == Int.max {
            range = range.lowerBound..<Swift.max(count, range.lowerBound)
        }
        check(range, in: tree)
        return range
    }

    /// Traps if a range is not within the positions of the list.
    func check(_ range: Range<Int>, in tree: MutableStoredCollection? = nil) {
        if let managed { return managed.check(range, count: count, in: tree) }
        if range.upperBound > count, range.lowerBound >= 0, mayHaveLostElements { return }
        kind.check(range, count: count)
    }

    /// Traps if a position is not one of the list's.
    private func check(
        _ position: Int, in tree: MutableStoredCollection?, _ parameter: String = "index"
    ) {
        if let managed, let tree {
            managed.check(position, below: count, in: tree, parameter)
        } else {
            check(position, below: count, parameter)
        }
    }

    /// Traps if a position is not in `0 ..< limit`, unless damage took the elements. Not for
    /// changes of managed lists.
    private func check(_ position: Int, below limit: Int, _ parameter: String = "index") {
        if position < 0 || position >= limit && !mayHaveLostElements {
            kind.check(position, below: limit, parameter)
        }
    }

    /// Whether a position beyond the end may have been valid when the program asked for the
    /// count.
    var mayHaveLostElements: Bool {
        managed?.mayHaveLostElements ?? nested?.mayHaveLostElements ?? false
    }

    /// Traps if an element is not an object of exactly the class that the list declares.
    @inline(__always)
    func check(_ element: Element) {
        if let target = Element._rlmObjectType, let object = element as? ObjectBase {
            kind.check(object, isOf: target)
        }
    }
}
