import FreeholdStorage

// Positions are compared with the count right before they are used. Damage that is found in between takes all elements of a
// collection, of which the program may have counted some: that must not end the process. Such a collection is empty, reads
// as zero and null at every position, and changes nothing.

extension ManagedElements {
    /// Traps if a position is not in `0 ..< limit`, unless damage took the elements.
    ///
    /// - Parameter tree: The elements, where they are to be changed.
    @inline(__always)
    func check(_ position: Int, below limit: Int, in tree: ElementTree? = nil, _ parameter: String = "index") {
        if position < 0 || position >= limit { refuse(position, limit, tree, parameter) }
    }

    @inline(never)
    private func refuse(_ position: Int, _ limit: Int, _ tree: ElementTree?, _ parameter: String) {
        if position >= 0, hasLostElements(tree) { return }
        shape.check(position, below: limit, parameter)
    }

    /// Traps if a range does not lie in `0 ... count`, as ``check(_:below:in:_:)``.
    func check(_ range: Range<Int>, count: Int, in tree: ElementTree? = nil) {
        if range.lowerBound >= 0, range.upperBound <= count || hasLostElements(tree) { return }
        shape.check(range, count: count)
    }

    /// Whether damage may have taken the elements.
    func hasLostElements(_ tree: ElementTree? = nil) -> Bool {
        if let tree { return tree.isAbandoned }
        return core.store.isDamaged && current("count").count == 0
    }
}
