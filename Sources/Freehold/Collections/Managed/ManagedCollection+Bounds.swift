import FreeholdStorage

// A program compares positions with a count that it asked for earlier. If damage is found in
// between, the collection loses all its elements, which must not end the process. From then on,
// reads beyond the end give the last element there is, or zero and null, and changes there do
// nothing. Nothing of a damaged file is committed.

extension ManagedCollection {
    /// Returns the position to read at. Traps if the given one is not in `0 ..< count`, unless
    /// damage may have taken elements.
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
    /// - Parameter tree: The elements that are about to change.
    @inline(__always)
    func check(
        _ position: Int, below limit: Int, in tree: MutableStoredCollection,
        _ parameter: String = "index"
    ) {
        if position < 0 || position >= limit && !mayChangeNothing(tree) {
            shape.check(position, below: limit, parameter)
        }
    }

    /// Whether damage may have taken elements of a tree; the tree refuses all changes then.
    @inline(never)
    private func mayChangeNothing(_ tree: MutableStoredCollection) -> Bool {
        if !tree.isAbandoned, mayHaveLostElements { tree.abandonLostElements() }
        return tree.isAbandoned
    }

    /// Traps if a range does not lie in `0 ... count`, unless damage took the elements.
    ///
    /// - Parameter tree: The elements, if they are about to change.
    func check(_ range: Range<Int>, count: Int, in tree: MutableStoredCollection?) {
        if range.lowerBound >= 0, range.upperBound > count,
            tree.map(mayChangeNothing) ?? mayHaveLostElements
        {
            return
        }
        shape.check(range, count: count)
    }

    /// Whether a position beyond the end may have been valid when the program asked for the
    /// count.
    var mayHaveLostElements: Bool { core.store.isDamaged }
}
