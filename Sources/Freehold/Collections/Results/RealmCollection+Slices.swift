// Live collections of some of the elements. Each means the collection that it is called on:
// `sorted(by: \.age).limit(10)` are the ten youngest in order of age,
// `limit(10).sorted(by: \.age)` the first ten sorted by age; `where` after `limit` looks at
// those ten only.

extension RealmCollection {
    /// The first elements, as a live collection.
    ///
    ///     let youngest = realm.objects(Dog.self).sorted(by: \.age).limit(10)
    ///
    /// O(1). When it is used, the engine stops as soon as it has enough: without an order at
    /// the objects that complete them, in the order of an indexed property after as many
    /// entries of the index. In other orders everything is sorted first. Unlike `prefix`, which
    /// is a slice by positions, it is `Results`: it can be queried further, frozen and referred
    /// to, and changes with the data.
    ///
    /// - Parameter count: How many elements at most. Traps if it is negative.
    /// - Note: Traps for collections that no realm manages, and behind 64 of `limit`, `offset`
    ///   and `distinct(by:)`.
    public func limit(_ count: Int) -> Results<Element> {
        sliced(offset: 0, limit: count, "limit", count)
    }

    /// All elements but the first ones, as a live collection.
    ///
    ///     let secondPage = dogs.sorted(by: \.name).offset(20).limit(20)
    ///
    /// O(1). When it is used, the elements that are left out are found first.
    ///
    /// - Parameter count: How many elements to leave out. Traps if it is negative.
    /// - Note: Traps for collections that no realm manages.
    public func offset(_ count: Int) -> Results<Element> {
        sliced(offset: count, limit: .max, "offset", count)
    }

    private func sliced(offset: Int, limit: Int, _ name: String, _ count: Int) -> Results<Element> {
        if count < 0 {
            violation(
                .misuse(
                    text: "Cannot pass a negative value for '\(name)'.",
                    remedy: "It was \(count): pass 0 or more."))
        }
        let all = inOwnOrder("\(name)(_:)")
        return Results(core: all.core, state: all.state.sliced(offset: offset, limit: limit))
    }

    /// The elements that differ in some properties, as a live collection: of those that have
    /// equal values in all of them, the first one in the order of this collection.
    ///
    ///     let oldestOfEachBreed = dogs.sorted(by: \.age, ascending: false).distinct(by: ["breed"])
    ///
    /// O(1). When it is used, O(elements) for each property, without making objects. Nil is a
    /// value like any other, and so is NaN. Objects whose key path ends at a nil link are left
    /// out. Without properties, the collection itself.
    ///
    /// - Parameter keyPaths: Names of properties, or paths over to-one links: `"owner.name"`;
    ///   of values, `"self"`. Traps for others.
    /// - Note: Traps for collections that no realm manages.
    public func distinct<KeyPaths: Sequence>(by keyPaths: KeyPaths) -> Results<Element>
    where KeyPaths.Element == String {
        let all = inOwnOrder("distinct(by:)")
        return Results(core: all.core, state: all.state.distinct(by: keyPaths))
    }

    /// The elements as results, in the order of this collection. Passes the gate.
    func inOwnOrder(_ operation: @autoclosure () -> String) -> Results<Element> {
        guard let results = self as? Results<Element> else { return sorted(by: [SortDescriptor]()) }
        results.state.check(operation())
        return results
    }
}

extension RealmCollection where Element: ObjectBase {
    /// The objects that differ in some properties, as a live collection: of those that have
    /// equal values in all of them, the first one in the order of this collection.
    ///
    ///     let oneOfEachAge = dogs.distinct(by: [\.age])
    ///
    /// As `distinct(by:)` with names. Traps if a key path is not one of persisted properties.
    public func distinct(by keyPaths: [PartialKeyPath<Element>]) -> Results<Element> {
        distinct(by: keyPaths.map { SortDescriptor(keyPath: $0).keyPath })
    }
}
