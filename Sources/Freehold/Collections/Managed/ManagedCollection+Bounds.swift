import FreeholdStorage

// A program compares positions with a count that it asked for before. Damage that is found in
// between takes all elements of the collection, which must not end the process: from then on it
// reads the last of what there is, or zero and null, beyond its end, and changes nothing there.
// Nothing is committed of a damaged file.

extension ManagedCollection {
    /// The position to read at. Traps if the given one is not in `0 ..< count`, unless damage
    /// may have taken elements.
    @inline(__always)
    func readable(_ position: Int, below count: Int) -> Int {
        if position >= 0, position < count { return position }
        return refuse(position, count)
    }

    @inline(never)
    private func refuse(_ position: Int, _ count: Int) -> Int {
        if position < 0 || !mayHaveLostElements { shape.check(position, below: count) }
        return max(count - 1, 0)
    }

    /// Traps if a position is not in `0 ..< limit`, unless damage took the elements.
    ///
    /// - Parameter tree: The elements, which are to be changed.
    @inline(__always)
    func check(
        _ position: Int, below limit: Int, in tree: MutableStoredCollection, _ parameter: String = "index"
    ) {
        if position < 0 || position >= limit && !mayChangeNothing(tree) {
            shape.check(position, below: limit, parameter)
        }
    }

    /// Whether damage may have taken elements of a tree, which then changes no more.
    @inline(never)
    private func mayChangeNothing(_ tree: MutableStoredCollection) -> Bool {
        if !tree.isAbandoned, mayHaveLostElements { tree.abandonLostElements() }
        return tree.isAbandoned
    }

    /// Traps if a range does not lie in `0 ... count`, unless damage took the elements.
    ///
    /// - Parameter tree: The elements, if they are to be changed.
    func check(_ range: Range<Int>, count: Int, in tree: MutableStoredCollection?) {
        if range.lowerBound >= 0, range.upperBound > count,
            tree.map(mayChangeNothing) ?? mayHaveLostElements
        {
            return
        }
        shape.check(range, count: count)
    }

    /// Whether a position beyond the end may have been right when the program asked for the count.
    var mayHaveLostElements: Bool { core.store.isDamaged }
}
