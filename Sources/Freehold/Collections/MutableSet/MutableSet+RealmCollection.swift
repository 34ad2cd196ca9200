public import Foundation

extension MutableSet: RealmCollection {
    /// The position of the first element, 0.
    public var startIndex: Int { 0 }
    /// The position after the last element: ``count``.
    public var endIndex: Int { count }

    /// The first element, nil if there is none. O(1).
    public var first: Element? { isEmpty ? KeyPathRecording.element() : self[0] }

    /// The last element, nil if there is none. O(1).
    public var last: Element? {
        let count = count
        return count == 0 ? KeyPathRecording.element() : self[count - 1]
    }

    /// The elements at the given positions, in ascending order of position. Traps if one of
    /// them is outside of `0 ..< count`.
    public func objects(at indexes: IndexSet) -> [Element] {
        if !(managed?.mayHaveLostElements ?? false) { kind.check(indexes, count: count) }
        return indexes.map { self[$0] }
    }

    /// Always traps: the elements of a set have no lasting positions. Use ``contains(_:)``.
    public func index(of object: Element) -> Int? { refusePositions("index(of:)") }

    /// Always traps: the elements of a set have no lasting positions. Use ``where(_:)``.
    public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
        refusePositions("index(matching:)")
    }

    func refusePositions(_ function: String) -> Never {
        misuse(
            "\(function) is not available on MutableSet",
            remedy: "Ask contains(_:), filter with where, or turn the set into an array.")
    }

    /// Returns the elements that satisfy a query, as a live collection. Traps if no realm manages
    /// the set.
    public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
        guard let managed else { kind.refuseUnmanaged("where") }
        return Results(
            core: managed.core, state: managed.objects("where").filtered(by: isIncluded(Query())))
    }

    /// Returns the elements in the order of the given properties, as a live collection. Traps if
    /// no realm manages the set.
    public func sorted<Descriptors: Sequence>(by sortDescriptors: Descriptors) -> Results<Element>
    where Descriptors.Element == SortDescriptor {
        guard let managed else { kind.refuseUnmanaged("sorted(by:)") }
        return Results(core: managed.core, state: managed.sorted(by: sortDescriptors))
    }

    // MARK: Place

    /// The realm that manages the set; nil for the set of an unmanaged object. Any thread may
    /// read it.
    public var realm: Realm? { managed.map { Realm(core: $0.core) } }

    /// Whether the object that had the set was deleted, or its realm invalidated.
    public var isInvalidated: Bool { managed?.isInvalidated ?? false }

    /// Whether the set belongs to a frozen object and never changes. Any thread may read it.
    public var isFrozen: Bool { managed?.core.isFrozen ?? false }

    /// Returns the set as it is at this moment, usable on all threads. In a write transaction, it
    /// shows the state before the transaction. Traps if no realm manages the set.
    @_disfavoredOverload  // Calls prefer the one that knows their line.
    public func freeze() -> MutableSet {
        guard let managed else { kind.refuseUnmanaged("freeze()") }
        return managed.core.isFrozen ? self : MutableSet(managed.frozen())
    }

    /// Returns the live set that a frozen one was made from; nil if its object was deleted. Traps
    /// if no realm manages the set.
    public func thaw() -> MutableSet? {
        guard let managed else { kind.refuseUnmanaged("thaw()") }
        if managed.core.isFrozen { return managed.thawed().map { MutableSet($0) } }
        managed.checkConfinement("thaw()")
        return self
    }

    // MARK: Aggregates

    /// The smallest value of a property of the elements, or with `"self"` the smallest element;
    /// nil without such values. O(count).
    ///
    /// Traps if there is no such property, if it is neither a number nor a date, and if the
    /// value does not fit `T`.
    public func min<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType {
        UnmanagedAggregate(.minimum, of: self, property, kind: kind, in: managed).value(as: T.self)
    }

    /// The greatest value of a property of the elements, or with `"self"` the greatest element;
    /// nil without such values. O(count).
    ///
    /// Traps if there is no such property, if it is neither a number nor a date, and if the
    /// value does not fit `T`.
    public func max<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType {
        UnmanagedAggregate(.maximum, of: self, property, kind: kind, in: managed).value(as: T.self)
    }

    /// The sum of a property of the elements, or with `"self"` of the elements; 0 without
    /// values. O(count).
    ///
    /// Traps if there is no such property, if it is not a number, and if the sum does not fit `T`.
    public func sum<T: _HasPersistedType>(ofProperty property: String) -> T
    where T.PersistedType: AddableType {
        UnmanagedAggregate(.sum, of: self, property, kind: kind, in: managed).sum(as: T.self)
    }

    /// The mean of a property of the elements, or with `"self"` of the elements; nil without
    /// values. O(count).
    ///
    /// As an integer, the mean is truncated. Traps if there is no such property, or if it is
    /// not a number.
    public func average<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType {
        UnmanagedAggregate(.average, of: self, property, kind: kind, in: managed).value(as: T.self)
    }

    // MARK: Properties by name

    /// Returns the values of a property of all elements, as a `Set<AnyHashable>`; with `"self"`
    /// the elements.
    ///
    /// Traps if the elements are not objects, or have no such property.
    public func value(forKey key: String) -> Any? { kind.values(forKey: key, of: self) }

    /// Returns the values of a property of all elements as objects, with `NSNull` for null; with
    /// `"self"` the elements. Traps as the other form.
    @_disfavoredOverload
    public func value(forKey key: String) -> [AnyObject] {
        anyObjects(of: value(forKey: key) as Any?)
    }

    /// Sets a property of all elements; with `"self"` the value replaces all elements.
    ///
    /// O(count). Traps if the elements have no such property, and if the value does not fit.
    public func setValue(_ value: Any?, forKey key: String) {
        if key == "self" {
            let element: Element = kind.convertedElement(value)
            removeAll()
            insert(element)
        } else {
            kind.setValue(value, forKey: key, of: self)
        }
    }

    /// The type of the elements and up to 100 of them; objects come with their properties:
    ///
    ///     MutableSet<int> <0x00007f0a1c00> (
    ///         [0] 3,
    ///         [1] 5
    ///     )
    public var description: String { describe(depth: ObjectBase.descriptionDepth) }
}
