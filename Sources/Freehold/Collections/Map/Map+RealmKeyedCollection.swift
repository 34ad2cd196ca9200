import Foundation

extension Map: RealmKeyedCollection {
    /// The realm that manages the map; nil for the map of an unmanaged object. Any thread may
    /// read it.
    public var realm: Realm? { core.map { Realm(core: $0) } }

    /// Whether the object that had the map was deleted, or its realm invalidated.
    public var isInvalidated: Bool { managed?.isInvalidated ?? nested?.isInvalidated ?? false }

    /// Whether the map belongs to a frozen object and never changes. Any thread may read it.
    public var isFrozen: Bool { core?.isFrozen ?? false }

    /// Returns the map as it is at this moment, usable on all threads. In a write transaction, it
    /// shows the state before the transaction. Traps if no realm manages the map.
    @_disfavoredOverload  // Calls prefer the one that knows their line.
    public func freeze() -> Map {
        guard let core else { kind.refuseUnmanaged("freeze()") }
        if core.isFrozen { return self }
        return managed.map { Map($0.frozen()) } ?? nested.map { Map(nested: $0.frozen()) } ?? self
    }

    /// Returns the live map that a frozen one was made from; nil if its object was deleted. Traps
    /// if no realm manages the map.
    public func thaw() -> Map? {
        guard let core else { kind.refuseUnmanaged("thaw()") }
        if core.isFrozen {
            return managed?.thawed().map { Map($0) } ?? nested?.thawed().map { Map(nested: $0) }
        }
        managed?.checkConfinement("thaw()")
        nested?.checkConfinement("thaw()")
        return self
    }

    /// Returns the values that satisfy a query, as a live collection. Traps if no realm manages
    /// the map.
    public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
        guard let managed else { kind.refuseUnstored("where", nested, isQuery: true) }
        return Results(
            core: managed.core, state: managed.objects("where").filtered(by: isIncluded(Query())))
    }

    /// Returns the values in the order of the given properties, as a live collection. Traps if no
    /// realm manages the map.
    public func sorted<Descriptors: Sequence>(by sortDescriptors: Descriptors) -> Results<Value>
    where Descriptors.Element == SortDescriptor {
        guard let managed else { kind.refuseUnstored("sorted(by:)", nested) }
        return Results(core: managed.core, state: managed.sorted(by: sortDescriptors))
    }

    // MARK: Aggregates

    /// The smallest value of a property of the values, or with `"self"` the smallest value; nil
    /// without such values. O(count).
    ///
    /// Traps if there is no such property, if it is neither a number nor a date, and if the
    /// value does not fit `T`.
    public func min<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType {
        UnmanagedAggregate(.minimum, of: values, property, kind: kind, in: managed).value(
            as: T.self)
    }

    /// The greatest value of a property of the values, or with `"self"` the greatest value; nil
    /// without such values. O(count).
    ///
    /// Traps if there is no such property, if it is neither a number nor a date, and if the
    /// value does not fit `T`.
    public func max<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType {
        UnmanagedAggregate(.maximum, of: values, property, kind: kind, in: managed).value(
            as: T.self)
    }

    /// Returns the sum of a property of the values, or with `"self"` of the values; 0 without
    /// values. O(count).
    ///
    /// Traps if there is no such property, if it is not a number, and if the sum does not fit `T`.
    public func sum<T: _HasPersistedType>(ofProperty property: String) -> T
    where T.PersistedType: AddableType {
        UnmanagedAggregate(.sum, of: values, property, kind: kind, in: managed).sum(as: T.self)
    }

    /// Returns the mean of a property of the values, or with `"self"` of the values; nil without
    /// values. O(count).
    ///
    /// As an integer, the mean is truncated. Traps if there is no such property, or if it is
    /// not a number.
    public func average<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType {
        UnmanagedAggregate(.average, of: values, property, kind: kind, in: managed).value(
            as: T.self)
    }

    // MARK: By name

    /// Returns the value of a key; nil if the map does not have the key.
    public func value(forKey key: String) -> Any? {
        self[Key(_rlmMapKey: key)].map { value in
            flattened((value as? AnyRealmValue).map { $0.held } ?? value) ?? NSNull()
        }
    }

    /// Returns the value of a key as an object; nil if the map does not have the key.
    @_disfavoredOverload
    public func value(forKey key: String) -> AnyObject? {
        (value(forKey: key) as Any?).map { $0 as AnyObject }
    }

    /// Returns what a path of names leads to, as ``value(forKeyPath:)``, as an object.
    @_disfavoredOverload
    public func value(forKeyPath keyPath: String) -> AnyObject? {
        flattened(value(forKeyPath: keyPath) as Any?).map { $0 as AnyObject }
    }

    /// Sets the value of a key, converted as a literal is; nil removes the entry.
    ///
    /// Traps if the value does not fit, and if the key begins with "$" or contains a ".".
    public func setValue(_ value: Any?, forKey key: String) {
        let key = Key(_rlmMapKey: key)
        guard let value else { return removeObject(for: key) }
        let standIn = flattened(value) == nil ? Value.elementCodec.standInForNull : nil
        updateValue(standIn ?? kind.convertedElement(value), forKey: key)
    }

    /// The types of keys and values, and up to 100 entries:
    ///
    ///     Map<string, int> <0x00007f0a1c00> (
    ///     [a]: 3,
    ///     [b]: 5
    ///     )
    public var description: String { describe(depth: ObjectBase.descriptionDepth) }
}

extension Map: DescribedWithDepth {
    func describe(depth: Int) -> String {
        let codec = Value.elementCodec
        return CollectionDescription.text(
            "Map<string, \(managed?.descriptor.typeText ?? codec.typeText)>", self, count: count,
            depth: depth,
            lines: sortedEntries.lazy.map {
                ("[\($0.key._rlmMapKey)]: ", codec.persisted($0.value))
            })
    }
}
