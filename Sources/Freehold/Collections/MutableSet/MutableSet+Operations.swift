extension MutableSet {
    /// Adds elements. O(elements). Traps if one is an object of a subclass of `Element`.
    public func insert<Objects: Sequence>(objectsIn objects: Objects) where Objects.Element == Element {
        // An array first: the elements may be those of this set.
        for element in Array(objects) { insert(element) }
    }

    /// Whether all elements are in another set. O(count).
    public func isSubset(of possibleSuperset: MutableSet<Element>) -> Bool {
        count <= possibleSuperset.count && members.allSatisfy(possibleSuperset.contains)
    }

    /// Whether both sets have an element in common. O(count of the smaller one).
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
    /// Whether both have the same elements. O(count).
    public static func == (a: MutableSet, b: MutableSet) -> Bool { a === b || (a.count == b.count && a.isSubset(of: b)) }

    /// The hash of the elements. It changes with them: do not change a set that is in a set or a key of a dictionary. O(count).
    public func hash(into hasher: inout Hasher) {
        // Equal sets may have their elements in different orders.
        hasher.combine(members.reduce(into: 0) { $0 ^= $1.hashValue })
    }
}
