public import Foundation
import FreeholdStorage

extension LinkingObjects: RealmCollection {
    /// The number of links to the object.
    ///
    /// O(1) while the data do not change, else one look-up. In a write transaction that changed
    /// the linking class, the links are counted.
    public var count: Int { withCheckedState("count") { $0.count } ?? 0 }

    /// Whether no object links to this one. Costs as much as ``count``.
    public var isEmpty: Bool { count == 0 }

    /// The position of the first object, 0.
    @inlinable public var startIndex: Int { 0 }
    /// The position after the last object: ``count``.
    public var endIndex: Int { count }

    /// The object at a position. O(1) plus one look-up of a key, once the keys were read.
    /// - Note: Traps outside of `0 ..< count`.
    public subscript(position: Int) -> Element {
        guard let state = checkedState("subscript") else {
            if let recorded: Element = KeyPathRecording.element() { return recorded }
            refusePosition(position)
        }
        return Element._element(state.object(at: position))
    }

    /// The first object, nil if there is none.
    public var first: Element? {
        guard let state = checkedState("first") else { return KeyPathRecording.element() }
        return state.first.map(Element._element)
    }

    /// The last object, nil if there is none.
    public var last: Element? {
        guard let state = checkedState("last") else { return KeyPathRecording.element() }
        return state.last.map(Element._element)
    }

    /// The objects at the given positions, in ascending order of position. Traps if one of them
    /// is outside of `0 ..< count`.
    public func objects(at indexes: IndexSet) -> [Element] {
        guard let state = checkedState("objects(at:)") else {
            if indexes.isEmpty { return [] }
            misuse(
                "Indexes for collection are out of bounds.",
                remedy: "LinkingObjects of an unmanaged object are empty.")
        }
        return state.objects(at: indexes).map(Element._element)
    }

    /// Iterates over the objects that link at this moment. The loop may change links and delete
    /// objects.
    public func makeIterator() -> RLMIterator<Element> {
        guard let state = checkedState("iteration") else { return RLMIterator(elements: []) }
        return RLMIterator(cursor: RowCursor(state))
    }

    @inline(never)
    private func refusePosition(_ position: Int) -> Never {
        misuse(
            position < 0
                ? "Cannot pass a negative value for 'index'."
                : "Index \(position) is out of bounds (must be less than 0).",
            remedy:
                "LinkingObjects of an unmanaged object are empty: add the object to a realm first.")
    }

    // MARK: Positions

    /// Returns the position of an object, the first one if it links several times. Returns nil if
    /// it does not link, or if another realm or none manages it.
    public func index(of object: Element) -> Int? { checkedState("index(of:)")?.index(of: object) }

    /// Returns the position of the first object that satisfies a query:
    /// `dog.owners.index(matching: { $0.name == "Ada" })`.
    public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
        guard let state = checkedState("index(matching:)") else { return nil }
        return state.index(matching: isIncluded(Query()).lowered(for: state.binding))
    }

    // MARK: Derived collections

    /// Returns the objects that satisfy a query, in the same order. O(1); evaluated when it is
    /// used, on the objects that link then.
    ///
    ///     let adults = dog.owners.where { $0.age >= 18 }
    /// - Note: Traps in an unmanaged object.
    public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
        let (core, state) = managedState("where")
        return Results(core: core, state: state.filtered(by: isIncluded(Query())))
    }

    /// Returns the same objects, sorted by the given properties; the first property takes
    /// precedence. O(1); sorted when it is used.
    ///
    /// - Note: Traps in an unmanaged object, and if a key path does not lead to a property that
    ///   can be sorted by.
    public func sorted<Descriptors: Sequence>(by sortDescriptors: Descriptors) -> Results<Element>
    where Descriptors.Element == SortDescriptor {
        let (core, state) = managedState("sorted(by:)")
        return Results(core: core, state: state.sorted(by: sortDescriptors))
    }

    /// Checks confinement and validity; for operations that need a realm.
    func managedState(_ operation: String) -> (RealmCore, ResultsState) {
        guard case .managed(let core, let collection) = content else { refuseUnmanaged(operation) }
        collection.state.check(operation)
        return (core, collection.state)
    }

    @inline(never)
    func refuseUnmanaged(_ operation: String) -> Never {
        misuse(
            """
            This method may only be called on RLMLinkingObjects instances \
            retrieved from an RLMRealm
            """,
            remedy: """
                \(operation) of LinkingObjects of an object that no realm manages: add \
                the object to a realm first.
                """)
    }

    // MARK: Properties by name

    /// Returns the values of one property of all objects, as an array (`[Any?]`); `"self"` gives
    /// the objects themselves.
    ///
    /// Traps if the class has no such property.
    public func value(forKey key: String) -> Any? {
        guard let state = checkedState("value(forKey:)") else { return [Any?]() }
        return state.values(forKey: key)
    }

    /// Sets one property of all objects that link at this moment.
    ///
    /// O(objects). Traps outside of a write transaction, if the class has no such property, and
    /// if the value does not fit it.
    public func setValue(_ value: Any?, forKey key: String) {
        checkedState("setValue(_:forKey:)")?.setValue(value, forKey: key)
    }

    /// The class, and up to 100 objects with their properties, in the format of
    /// ``Results/description``.
    public var description: String {
        if let state = checkedState("description") { return state.describe() }
        // The collections of all unmanaged objects are alike: empty.
        let address = String(UInt(bitPattern: ObjectIdentifier(Element.self)), radix: 16)
        return "LinkingObjects<\(Element.className())> <0x\(address)> (\n\n)"
    }
}

// MARK: - Aggregates

extension LinkingObjects {
    /// Returns the smallest value of a property, by its name; nil if no object has a value.
    /// O(objects), without making them.
    ///
    /// Traps if there is no such property, if it is neither a number nor a date, and if the
    /// value does not fit `T`.
    public func min<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType {
        checkedState("min(ofProperty:)").flatMap {
            $0.aggregate(.minimum, of: property, as: T.self)
        }
    }

    /// Returns the greatest value of a property, by its name; nil if no object has a value.
    /// O(objects), without making them.
    ///
    /// Traps if there is no such property, if it is neither a number nor a date, and if the
    /// value does not fit `T`.
    public func max<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType {
        checkedState("max(ofProperty:)").flatMap {
            $0.aggregate(.maximum, of: property, as: T.self)
        }
    }

    /// Returns the sum of a property, by its name; 0 if no object has a value. An object that
    /// links several times counts as often.
    ///
    /// O(objects), without making them. Traps if there is no such property, if it is not a
    /// number, and if the sum does not fit `T`.
    public func sum<T: _HasPersistedType>(ofProperty property: String) -> T
    where T.PersistedType: AddableType {
        checkedState("sum(ofProperty:)")?.sum(of: property, as: T.self)
            ?? convertSum(.null, to: T.self, in: nil)
    }

    /// Returns the mean of a property, by its name; nil if no object has a value. O(objects),
    /// without making them.
    ///
    /// As an integer, the mean is truncated. Traps if there is no such property, or if it is
    /// not a number.
    public func average<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType {
        checkedState("average(ofProperty:)").flatMap {
            $0.aggregate(.average, of: property, as: T.self)
        }
    }
}
