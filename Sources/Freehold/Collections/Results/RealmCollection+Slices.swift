// Live collections of some of the elements. The order of the calls matters.
// `sorted(by: \.age).limit(10)` are the ten youngest in order of age;
// `limit(10).sorted(by: \.age)` are the first ten, sorted by age. A `where` after `limit` filters
// only those ten.

extension RealmCollection {
    /// Returns the first elements, as a live collection.
    ///
    ///     let youngest = realm.objects(Dog.self).sorted(by: \.age).limit(10)
    ///
    /// O(1). On use, the engine stops once it has enough elements. In the order of an indexed
    /// property it reads only as many entries of the index; in other orders it sorts everything
    /// first.
    ///
    /// `prefix` returns a slice by positions. `limit` returns `Results`: they can be queried
    /// further, frozen and referred to, and change with the data.
    ///
    /// - Parameter count: The greatest number of elements. Traps if it is negative.
    /// - Note: Traps for collections that no realm manages, and after 64 calls of `limit`,
    ///   `offset` and `distinct(by:)` on each other.
    public func limit(_ count: Int) -> Results<Element> {
        sliced(offset: 0, limit: count, "limit", count)
    }

    /// Returns all elements except the first ones, as a live collection.
    ///
    ///     let secondPage = dogs.sorted(by: \.name).offset(20).limit(20)
    ///
    /// O(1). On use, the engine finds the elements that are left out, too.
    ///
    /// - Parameter count: How many elements to leave out. Traps if it is negative.
    /// - Note: Traps for collections that no realm manages.
    public func offset(_ count: Int) -> Results<Element> {
        sliced(offset: count, limit: .max, "offset", count)
    }

    private func sliced(offset: Int, limit: Int, _ name: String, _ count: Int) -> Results<Element> {
        if count < 0 {
            misuse(
                "Cannot pass a negative value for '\(name)'.",
                remedy: "It was \(count): pass 0 or more.")
        }
        let all = inOwnOrder("\(name)(_:)")
        return Results(core: all.core, state: all.state.sliced(offset: offset, limit: limit))
    }

    /// Returns the elements that differ in some properties, as a live collection. Of elements
    /// with equal values in all of them, the first in the order of this collection is kept.
    ///
    ///     let oldestOfEachBreed = dogs.sorted(by: \.age, ascending: false).distinct(by: ["breed"])
    ///
    /// O(1). On use, O(elements) for each property, without making objects. Nil and NaN each
    /// count as one value. Objects whose key path ends at a nil link are left out. Without
    /// properties, the collection itself is returned.
    ///
    /// - Parameter keyPaths: Names of properties, or paths over to-one links: `"owner.name"`; for
    ///   values, `"self"`. Traps for others.
    /// - Note: Traps for collections that no realm manages.
    public func distinct<KeyPaths: Sequence>(by keyPaths: KeyPaths) -> Results<Element>
    where KeyPaths.Element == String {
        let all = inOwnOrder("distinct(by:)")
        return Results(core: all.core, state: all.state.distinct(by: keyPaths))
    }

    /// Returns the elements as results, in the order of this collection. Checks confinement and
    /// validity.
    func inOwnOrder(_ operation: @autoclosure () -> String) -> Results<Element> {
        guard let results = self as? Results<Element> else { return sorted(by: [SortDescriptor]()) }
        results.state.check(operation())
        return results
    }
}

extension RealmCollection where Element: ObjectBase {
    /// Returns the objects that differ in some properties, as a live collection. Of objects with
    /// equal values in all of them, the first in the order of this collection is kept.
    ///
    ///     let oneOfEachAge = dogs.distinct(by: [\.age])
    ///
    /// As `distinct(by:)` with names. Traps if a key path does not consist of persisted
    /// properties.
    public func distinct(by keyPaths: [PartialKeyPath<Element>]) -> Results<Element> {
        distinct(by: keyPaths.map { SortDescriptor(keyPath: $0).keyPath })
    }
}
