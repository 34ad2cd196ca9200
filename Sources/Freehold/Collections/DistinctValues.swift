/// A collection that can drop repeated values.
protocol DistinctValues<Item> {
    associatedtype Item: RealmCollectionValue
    /// Returns each value once, at its first occurrence, as a live collection.
    func distinctValues() -> Results<Item>
}

extension RealmCollection where Element.PersistedType: SortableType {
    /// Returns each element once, at its first occurrence, as a live collection. Traps for
    /// collections that no realm manages.
    ///
    ///     let grades = pupil.marks.distinct().sorted()
    ///
    /// O(1); evaluated when it is used. Elements are equal if sorting does not order them: NaN
    /// and NaN, 0.0 and -0.0, and, among ``AnyRealmValue``s, 1 and 1.0.
    public func distinct() -> Results<Element> {
        guard let source = self as? any DistinctValues<Element> else {
            preconditionFailure("Only collections of objects do without.")
        }
        return source.distinctValues()
    }
}

extension RealmKeyedCollection where Value.PersistedType: SortableType {
    /// Returns each value once, in the order of the keys, as a live collection. Traps for maps
    /// that no realm manages.
    public func distinct() -> Results<Value> {
        guard let source = self as? any DistinctValues<Value> else {
            preconditionFailure("Map is the only keyed collection.")
        }
        return source.distinctValues()
    }
}

extension List: DistinctValues {
    func distinctValues() -> Results<Element> {
        guard let managed else { kind.refuseUnstored("distinct()", nested) }
        return Results(core: managed.core, state: managed.values("distinct()").distinct)
    }
}

extension MutableSet: DistinctValues {
    func distinctValues() -> Results<Element> {
        guard let managed else { kind.refuseUnmanaged("distinct()") }
        return Results(core: managed.core, state: managed.values("distinct()").distinct)
    }
}

extension Map: DistinctValues {
    func distinctValues() -> Results<Value> {
        guard let managed else { kind.refuseUnstored("distinct()", nested) }
        return Results(core: managed.core, state: managed.values("distinct()").distinct)
    }
}

extension Results: DistinctValues {
    func distinctValues() -> Results<Element> {
        state.check("distinct()")
        return Results(core: core, state: state.distinct)
    }
}

extension AnyRealmCollection: DistinctValues {
    func distinctValues() -> Results<Element> {
        guard let source = collection as? any DistinctValues<Element> else {
            preconditionFailure("Only collections of objects do without.")
        }
        return source.distinctValues()
    }
}
