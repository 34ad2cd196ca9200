extension MutableSet {
    /// Adds elements. O(elements). Traps if one is an object of a subclass of `Element`.
    public func insert<Objects: Sequence>(objectsIn objects: Objects)
    where Objects.Element == Element {
        // Copied to an array first: the elements may come from this set.
        for element in Array(objects) { insert(element) }
    }

    /// Whether all elements are in another set. O(count).
    public func isSubset(of possibleSuperset: MutableSet<Element>) -> Bool {
        count <= possibleSuperset.count && members.allSatisfy(possibleSuperset.contains)
    }

    /// Whether the sets have an element in common. O(count of the smaller one).
    public func intersects(_ otherSet: MutableSet<Element>) -> Bool {
        let (small, large) = count <= otherSet.count ? (self, otherSet) : (otherSet, self)
        return small.members.contains(where: large.contains)
    }

    /// Adds the elements of another set. O(elements).
    public func formUnion(_ other: MutableSet<Element>) { insert(objectsIn: other.members) }

    /// Removes the elements that another set does not have. O(count).
    public func formIntersection(_ other: MutableSet<Element>) {
        for element in members where !other.contains(element) { remove(element) }
    }

    /// Removes the elements of another set. O(elements).
    public func subtract(_ other: MutableSet<Element>) {
        for element in other.members { remove(element) }
    }
}

// MARK: - Equality

extension MutableSet: Hashable {
    /// Whether both are the same set of a realm's object. Sets that no realm manages are equal if
    /// they have the same elements. O(1); O(count) for unmanaged sets.
    public static func == (a: MutableSet, b: MutableSet) -> Bool {
        if a === b { return true }
        if a.managed != nil || b.managed != nil {
            return ManagedCollection.areSame(a.managed, b.managed)
        }
        return a.hasEqualContents(as: b)
    }

    /// Whether a value of any type equals this set, as `==` says. Exists for source compatibility
    /// with Realm.
    public func isEqual(_ object: Any?) -> Bool {
        (object as? MutableSet).map { self == $0 } ?? false
    }

    /// Hashes the place of a managed set, or the elements of another set. The hash changes with
    /// the elements: do not change or add an unmanaged set while it is in a set or a key of a
    /// dictionary. O(1); O(count) for unmanaged sets.
    public func hash(into hasher: inout Hasher) {
        if let managed { return managed.hashPlace(into: &hasher) }
        // Equal sets may have their elements in different orders.
        hasher.combine(members.reduce(into: 0) { $0 ^= $1.hashValue })
    }
}
