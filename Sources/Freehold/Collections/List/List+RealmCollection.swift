public import Foundation

extension List: MutableCollection, RealmCollection {
    /// A range of the list, which shares the list's elements.
    public typealias SubSequence = Slice<List>

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

    /// The elements in a range of positions. Assigning replaces them, by any number of elements.
    ///
    /// Traps if the range is not within the positions of the list.
    public subscript(bounds: Range<Int>) -> Slice<List> {
        get {
            check(bounds)
            return Slice(base: self, bounds: bounds)
        }
        set { replaceSubrange(bounds, with: newValue) }
    }

    /// The elements at the given positions, in ascending order of position. Traps if one of
    /// them is outside of `0 ..< count`.
    public func objects(at indexes: IndexSet) -> [Element] {
        if !mayHaveLostElements { kind.check(indexes, count: count) }
        return indexes.map { self[$0] }
    }

    /// Returns the position of the first element that satisfies a query; nil if none does.
    ///
    /// O(count). In an unmanaged list, and in a list of values, the elements are read one by one.
    public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
        guard let managed, managed.descriptor.reference != nil else {
            return isIncluded(Query()).firstIndex(in: contents)
        }
        let state = managed.objects("index(matching:)")
        return state.index(matching: isIncluded(Query()).lowered(for: state.binding))
    }

    /// Returns the elements that satisfy a query, as a live collection. Traps if no realm manages
    /// the list.
    public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
        guard let managed else { kind.refuseUnstored("where", nested, isQuery: true) }
        return Results(
            core: managed.core, state: managed.objects("where").filtered(by: isIncluded(Query())))
    }

    /// Returns the elements in the order of the given properties, as a live collection. Traps if
    /// no realm manages the list.
    public func sorted<Descriptors: Sequence>(by sortDescriptors: Descriptors) -> Results<Element>
    where Descriptors.Element == SortDescriptor {
        guard let managed else { kind.refuseUnstored("sorted(by:)", nested) }
        return Results(core: managed.core, state: managed.sorted(by: sortDescriptors))
    }

    // MARK: Place

    /// The realm that manages the list; nil for the list of an unmanaged object. Any thread may
    /// read it.
    public var realm: Realm? { core.map { Realm(core: $0) } }

    /// Whether the object that had the list was deleted, or its realm invalidated.
    public var isInvalidated: Bool { managed?.isInvalidated ?? nested?.isInvalidated ?? false }

    /// Whether the list belongs to a frozen object and never changes. Any thread may read it.
    public var isFrozen: Bool { core?.isFrozen ?? false }

    /// Returns the list as it is at this moment, usable on all threads. In a write transaction,
    /// it shows the state before the transaction. Traps if no realm manages the list.
    @_disfavoredOverload  // Calls prefer the one that knows their line.
    public func freeze() -> List {
        guard let core else { kind.refuseUnmanaged("freeze()") }
        if core.isFrozen { return self }
        return managed.map { List($0.frozen()) } ?? nested.map { List(nested: $0.frozen()) } ?? self
    }

    /// Returns the live list that a frozen one was made from; nil if its object was deleted.
    /// Traps if no realm manages the list.
    public func thaw() -> List? {
        guard let core else { kind.refuseUnmanaged("thaw()") }
        if core.isFrozen {
            return managed?.thawed().map { List($0) } ?? nested?.thawed().map { List(nested: $0) }
        }
        managed?.checkConfinement("thaw()")
        nested?.checkConfinement("thaw()")
        return self
    }

    // MARK: Aggregates

    /// Returns the smallest value of a property of the elements, or with `"self"` the smallest
    /// element; nil without such values. O(count).
    ///
    /// Traps if there is no such property, if it is neither a number nor a date, and if the
    /// value does not fit `T`.
    public func min<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType {
        UnmanagedAggregate(.minimum, of: self, property, in: managed).value(as: T.self)
    }

    /// Returns the greatest value of a property of the elements, or with `"self"` the greatest
    /// element; nil without such values. O(count).
    ///
    /// Traps if there is no such property, if it is neither a number nor a date, and if the
    /// value does not fit `T`.
    public func max<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType {
        UnmanagedAggregate(.maximum, of: self, property, in: managed).value(as: T.self)
    }

    /// Returns the sum of a property of the elements, or with `"self"` of the elements; 0 without
    /// values. O(count).
    ///
    /// Traps if there is no such property, if it is not a number, and if the sum does not fit `T`.
    public func sum<T: _HasPersistedType>(ofProperty property: String) -> T
    where T.PersistedType: AddableType {
        UnmanagedAggregate(.sum, of: self, property, in: managed).sum(as: T.self)
    }

    /// Returns the mean of a property of the elements, or with `"self"` of the elements; nil
    /// without values. O(count).
    ///
    /// As an integer, the mean is truncated. Traps if there is no such property, or if it is
    /// not a number.
    public func average<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType {
        UnmanagedAggregate(.average, of: self, property, in: managed).value(as: T.self)
    }

    // MARK: Properties by name

    /// Returns the values of a property of all elements, as an array (`[Any?]`); with `"self"`
    /// the elements themselves.
    ///
    /// Traps if the elements are not objects, or have no such property.
    public func value(forKey key: String) -> Any? { kind.values(forKey: key, of: self) }

    /// Returns the values of a property of all elements as objects, with `NSNull` for null; with
    /// `"self"` the elements. Traps as the other form.
    @_disfavoredOverload
    public func value(forKey key: String) -> [AnyObject] {
        anyObjects(of: value(forKey: key) as Any?)
    }

    /// Returns what a path of names leads to, as ``value(forKeyPath:)``, as objects. A single
    /// value becomes an array of one object.
    @_disfavoredOverload
    public func value(forKeyPath keyPath: String) -> [AnyObject] {
        anyObjects(of: value(forKeyPath: keyPath) as Any?)
    }

    /// Sets a property of all elements; with `"self"`, replaces each element by the value.
    ///
    /// O(count). Traps if the elements have no such property, and if the value does not fit.
    public func setValue(_ value: Any?, forKey key: String) {
        if key == "self" {
            let element: Element = kind.convertedElement(value)
            replaceSubrange(0..<count, with: repeatElement(element, count: count))
        } else if Element._convertsObjects {
            setObjects(value, forKey: key)
        } else {
            kind.setValue(value, forKey: key, of: self)
        }
    }

    /// Sets a property of elements that are stored as embedded objects. A managed list changes
    /// the stored objects; an unmanaged one converts its elements to objects and back.
    private func setObjects(_ value: Any?, forKey key: String) {
        if let managed {
            _ = managed.changeable("setValue(_:forKey:)")
            return managed.objects("setValue(_:forKey:)").setValue(value, forKey: key)
        }
        let codec = Element.elementCodec
        for index in indices {
            guard let object = codec.persisted(self[index]) as? ObjectBase else { continue }
            object.setValue(value, forKey: key)
            self[index] = kind.convertedElement(object)
        }
    }

    /// The type of the elements and up to 100 of them; objects come with their properties:
    ///
    ///     List<int> <0x00007f0a1c00> (
    ///         [0] 3,
    ///         [1] 5
    ///     )
    public var description: String { describe(depth: ObjectBase.descriptionDepth) }
}

// MARK: - Equality

extension List: Hashable {
    /// Whether both are the same list of a realm's object. Lists that no realm manages, and lists
    /// in an ``AnyRealmValue``, are equal if their elements are, in order. O(1); O(count) for
    /// unmanaged lists.
    public static func == (a: List, b: List) -> Bool {
        if a === b { return true }
        if a.managed != nil || b.managed != nil {
            return ManagedCollection.areSame(a.managed, b.managed)
        }
        if let first = a.nested, let second = b.nested, first.isSame(as: second) { return true }
        return a.hasEqualContents(as: b)
    }

    /// Hashes the place of a managed list, or the elements of another list. The hash changes with
    /// the elements: do not change or add an unmanaged list while it is in a set or a key of a
    /// dictionary. O(1); O(count) for unmanaged lists.
    public func hash(into hasher: inout Hasher) {
        if let managed { managed.hashPlace(into: &hasher) } else { hasher.combine(contents) }
    }

    /// Whether a value of any type equals this list, as `==` says. Exists for source
    /// compatibility with Realm.
    public func isEqual(_ object: Any?) -> Bool { (object as? List).map { self == $0 } ?? false }
}
