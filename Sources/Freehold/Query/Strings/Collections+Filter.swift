// Filtering each type of collection by a predicate.

extension Results {
    /// Returns the objects that satisfy a predicate, in the same order. O(1); evaluated when it
    /// is used. Traps if the predicate does not fit the class.
    public func filter(_ predicate: RealmPredicate) -> Results<Element> {
        state.check("filter")
        state.checkHasObjects("filter")
        return Results(core: core, state: state.filtered(by: predicate))
    }

    /// Returns the objects that satisfy a condition in a string, in the same order: see
    /// ``RealmCollection/filter(_:_:)-(String,_)``.
    ///
    /// O(1) for a string that was used recently for the class, with any arguments; O(length) for
    /// others.
    public func filter(_ predicateFormat: String, _ args: Any?...) -> Results<Element> {
        state.check("filter")
        state.checkHasObjects("filter")
        return Results(core: core, state: state.filtered(by: predicateFormat, args))
    }

    /// Returns the position of the first object that satisfies a predicate, nil if none does.
    /// Traps if the predicate does not fit the class, or has clauses.
    public func index(matching predicate: RealmPredicate) -> Int? {
        state.check("index(matching:)")
        state.checkHasObjects("index(matching:)")
        return state.index(matching: predicate)
    }
}

extension List {
    /// Returns the elements that satisfy a predicate, as a live collection. Traps if no realm
    /// manages the list, and if the predicate does not fit the class.
    public func filter(_ predicate: RealmPredicate) -> Results<Element> {
        guard let managed else { kind.refuseUnstored("filter", nested, isQuery: true) }
        return Results(core: managed.core, state: managed.objects("filter").filtered(by: predicate))
    }

    /// Returns the position of the first element that satisfies a predicate; nil if none does.
    /// Traps if the predicate does not fit the elements, or has clauses.
    ///
    /// O(count). In an unmanaged list, and in a list of values, the elements are read one by one.
    public func index(matching predicate: RealmPredicate) -> Int? {
        guard let managed, managed.descriptor.reference != nil else {
            return predicate.firstIndex(in: contents.lazy.map { $0 as Any? })
        }
        return managed.objects("index(matching:)").index(matching: predicate)
    }
}

extension MutableSet {
    /// Returns the elements that satisfy a predicate, as a live collection. Traps if no realm
    /// manages the set, and if the predicate does not fit the class.
    public func filter(_ predicate: RealmPredicate) -> Results<Element> {
        guard let managed else { kind.refuseUnmanaged("filter") }
        return Results(core: managed.core, state: managed.objects("filter").filtered(by: predicate))
    }

    /// Always traps: the elements of a set have no lasting positions. Use
    /// ``filter(_:)-(RealmPredicate)``.
    public func index(matching predicate: RealmPredicate) -> Int? {
        refusePositions("index(matching:)")
    }
}

extension Map {
    /// Returns the values that satisfy a predicate, as a live collection. Traps if no realm
    /// manages the map, and if the predicate does not fit the class.
    public func filter(_ predicate: RealmPredicate) -> Results<Value> {
        guard let managed else { kind.refuseUnstored("filter", nested, isQuery: true) }
        return Results(core: managed.core, state: managed.objects("filter").filtered(by: predicate))
    }
}

extension LinkingObjects {
    /// Returns the objects that satisfy a predicate, in the same order. O(1); evaluated when it
    /// is used, on the objects that link then.
    ///
    /// Traps in an unmanaged object, and if the predicate does not fit the class.
    public func filter(_ predicate: RealmPredicate) -> Results<Element> {
        let (core, state) = managedState("filter")
        return Results(core: core, state: state.filtered(by: predicate))
    }

    /// Returns the position of the first object that satisfies a predicate, nil if none does.
    /// Traps if the predicate does not fit the class, or has clauses.
    public func index(matching predicate: RealmPredicate) -> Int? {
        checkedState("index(matching:)")?.index(matching: predicate)
    }
}

extension AnyRealmCollection {
    /// Returns the elements that satisfy a predicate, as a live collection. Traps as the wrapped
    /// collection does.
    public func filter(_ predicate: RealmPredicate) -> Results<Element> {
        collection.filter(predicate)
    }

    /// Returns the position of the first element that satisfies a predicate, nil if none does.
    /// Traps as the wrapped collection does.
    public func index(matching predicate: RealmPredicate) -> Int? {
        collection.index(matching: predicate)
    }
}

extension Frozen where Value: RealmCollection, Value.Element: ObjectBase & ThreadConfined {
    /// Returns the objects that satisfy a predicate, in the same version and order. O(1);
    /// evaluated once, on first use. Traps if it does not fit the class.
    public func filter(_ predicate: RealmPredicate) -> Frozen<Results<Value.Element>> {
        Frozen<Results<Value.Element>>(frozen: value.filter(predicate))
    }

    /// Returns the objects that satisfy a condition, in the same version and order:
    /// `Frozen(people).filter("age >= %@", 18)`. Traps if the string is wrong or does not fit the
    /// class.
    public func filter(_ predicateFormat: String, _ args: Any?...) -> Frozen<Results<Value.Element>>
    { filter(unwrapPredicate(try RealmPredicate(parsing: predicateFormat, arguments: args))) }

    /// Returns the position of the first object that satisfies a predicate, nil if none does.
    /// Traps if the predicate does not fit the class, or has clauses.
    public func index(matching predicate: RealmPredicate) -> Int? {
        value.index(matching: predicate)
    }
}
