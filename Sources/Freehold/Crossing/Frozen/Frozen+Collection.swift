extension Frozen: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
where Value: RealmCollection, Value.Element: ThreadConfined {
    /// A frozen object or projection.
    public typealias Element = Frozen<Value.Element>

    /// Iterates over a frozen collection. Belongs to the loop that made it: not `Sendable`.
    public struct Iterator: IteratorProtocol {
        private var base: RLMIterator<Value.Element>

        fileprivate init(_ base: RLMIterator<Value.Element>) {
            self.base = base
            // The objects may go to other threads, which may read them while the loop continues.
            self.base.cursor?.reusesAccessors = false
        }

        /// The next object, nil after the last one. O(1), amortised.
        public mutating func next() -> Frozen<Value.Element>? {
            base.next().map { Frozen<Value.Element>(frozen: $0) }
        }
    }

    /// Iterates over the objects in the collection's order.
    public func makeIterator() -> Iterator { Iterator(value.makeIterator()) }

    /// How many objects there are. One evaluation of the query the first time, then O(1).
    public var count: Int { value.count }

    /// Whether there is no object.
    public var isEmpty: Bool { value.isEmpty }

    /// The position of the first object, 0.
    public var startIndex: Int { 0 }

    /// The position after the last object: ``count``.
    public var endIndex: Int { value.count }

    /// The object at a position. O(log objects) once the query was evaluated. Traps outside of
    /// `0 ..< count`.
    public subscript(position: Int) -> Frozen<Value.Element> {
        Frozen<Value.Element>(frozen: value[position])
    }

    /// The first object, nil if there is none.
    public var first: Frozen<Value.Element>? {
        value.first.map { Frozen<Value.Element>(frozen: $0) }
    }

    /// The last object, nil if there is none.
    public var last: Frozen<Value.Element>? { value.last.map { Frozen<Value.Element>(frozen: $0) } }

    /// Returns the position of an object of the same version; nil if the collection does not
    /// contain it.
    public func index(of object: Frozen<Value.Element>) -> Int? { value.index(of: object.value) }

    /// The position of the first object that satisfies a query, nil if none does.
    public func index(matching isIncluded: (Query<Value.Element>) -> Query<Bool>) -> Int? {
        value.index(matching: isIncluded)
    }
}

@available(*, unavailable, message: "An iterator belongs to the loop that made it.")
extension Frozen.Iterator: Sendable {}

// MARK: - Queries

extension Frozen where Value: RealmCollection, Value.Element: ObjectBase & ThreadConfined {
    /// Returns the objects that satisfy a query, in the same version and order. O(1); evaluated
    /// once, on first use.
    ///
    ///     let adults = Frozen(people).where { $0.age >= 18 }
    public func `where`(_ isIncluded: (Query<Value.Element>) -> Query<Bool>) -> Frozen<
        Results<Value.Element>
    > { Frozen<Results<Value.Element>>(frozen: value.where(isIncluded)) }

    /// Returns the same objects, sorted by the given properties; the first property takes
    /// precedence. O(1); sorted once, on first use.
    public func sorted<Descriptors: Sequence>(by sortDescriptors: Descriptors) -> Frozen<
        Results<Value.Element>
    > where Descriptors.Element == SortDescriptor {
        Frozen<Results<Value.Element>>(frozen: value.sorted(by: sortDescriptors))
    }

    /// Returns the same objects in the order of one property, given by its name or by a path over
    /// to-one links: `"owner.name"`.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Frozen<
        Results<Value.Element>
    > {
        Frozen<Results<Value.Element>>(
            frozen: value.sorted(byKeyPath: keyPath, ascending: ascending))
    }

    /// Returns the same objects in the order of one property: `sorted(by: \.age)`. O(1): sorted
    /// when it is used.
    ///
    /// - Parameters:
    ///   - keyPath: The property, also over to-one links.
    ///   - ascending: Whether the smallest value comes first.
    public func sorted<T: _HasPersistedType>(
        by keyPath: KeyPath<Value.Element, T>, ascending: Bool = true
    ) -> Frozen<Results<Value.Element>> where T.PersistedType: SortableType {
        Frozen<Results<Value.Element>>(frozen: value.sorted(by: keyPath, ascending: ascending))
    }
}

extension Frozen where Value: RealmCollection {
    /// Returns how the elements are found: see ``RealmCollection/explain(running:)``. Any thread
    /// may ask.
    public func explain(running: Bool = true) -> QueryPlan { value.explain(running: running) }
}

// MARK: - Aggregates

extension Frozen where Value: RealmCollection, Value.Element: ObjectBase & ThreadConfined {
    /// The smallest value of a property; nil without objects that have one. O(objects).
    public func min<T: _HasPersistedType>(of keyPath: KeyPath<Value.Element, T>) -> T?
    where T.PersistedType: MinMaxType { value.min(of: keyPath) }

    /// The greatest value of a property; nil without objects that have one. O(objects).
    public func max<T: _HasPersistedType>(of keyPath: KeyPath<Value.Element, T>) -> T?
    where T.PersistedType: MinMaxType { value.max(of: keyPath) }

    /// Returns the sum of a property; 0 without objects. Nil is left out. O(objects).
    public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Value.Element, T>) -> T
    where T.PersistedType: AddableType { value.sum(of: keyPath) }

    /// The mean of a property over the objects that have a value; nil without such objects.
    /// O(objects).
    public func average<T: _HasPersistedType>(of keyPath: KeyPath<Value.Element, T>) -> T?
    where T.PersistedType: AddableType { value.average(of: keyPath) }

    /// The smallest value of a property, by its name; see `Results`.
    public func min<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType { value.min(ofProperty: property) }

    /// The greatest value of a property, by its name; see `Results`.
    public func max<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: MinMaxType { value.max(ofProperty: property) }

    /// The sum of a property, by its name; see `Results`.
    public func sum<T: _HasPersistedType>(ofProperty property: String) -> T
    where T.PersistedType: AddableType { value.sum(ofProperty: property) }

    /// The mean of a property, by its name; see `Results`.
    public func average<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType { value.average(ofProperty: property) }
}
