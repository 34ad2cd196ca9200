public import Foundation

extension List {
    /// Adds elements at the end, in their order. O(elements); O(elements × log count) for managed
    /// lists.
    ///
    /// Traps if one is an object of a subclass of `Element`.
    public func append<Objects: Sequence>(objectsIn objects: Objects)
    where Objects.Element == Element { replaceSubrange(count..<count, with: Array(objects)) }

    /// Adds elements at the end, in their order. O(elements); O(elements × log count) for managed
    /// lists.
    ///
    /// Traps if one is an object of a subclass of `Element`.
    public func append<Objects: Sequence>(contentsOf objects: Objects)
    where Objects.Element == Element { append(objectsIn: objects) }

    /// Adds elements in front of the one at a position, or at the end. O(count + elements);
    /// O(elements × log count) for managed lists.
    ///
    /// Traps if the position is outside of `0 ... count`.
    public func insert<Elements: Collection>(contentsOf newElements: Elements, at index: Int)
    where Elements.Element == Element {
        check(index..<index)
        replaceSubrange(index..<index, with: newElements)
    }

    /// Replaces the element at a position. O(1); O(log count) for managed lists. Traps if the
    /// position is outside of `0 ..< count`.
    public func replace(index: Int, object: Element) { self[index] = object }

    // MARK: Removing

    /// Removes the first elements, one by default. O(count); O(number + log count) for managed
    /// lists.
    ///
    /// Traps if the list has fewer, and if the number is negative.
    public func removeFirst(_ number: Int = 1) {
        if !checkRemoval(of: number) { return }
        removeSubrange(0..<number)
    }

    /// Removes the last elements, one by default. O(number); O(number + log count) for managed
    /// lists.
    ///
    /// Traps if the list has fewer, and if the number is negative.
    public func removeLast(_ number: Int = 1) {
        if !checkRemoval(of: number) { return }
        removeSubrange(count - number..<count)
    }

    /// Removes a range of elements. O(count); O(elements + log count) for managed lists. Traps if
    /// the range is not within the positions of the list.
    public func removeSubrange<Bounds: RangeExpression>(_ bounds: Bounds)
    where Bounds.Bound == Int { replaceSubrange(bounds, with: EmptyCollection()) }

    /// Removes the elements at several positions. O(positions × count); O(positions × log count)
    /// for managed lists. Traps if one is outside of `0 ..< count`.
    public func remove(atOffsets offsets: IndexSet) {
        if let last = offsets.last, !mayHaveHad(last) { kind.check(last, below: count) }
        for range in offsets.rangeView.reversed() { removeSubrange(range) }
    }

    /// - Returns: False if damage took the elements, so that there is nothing to remove.
    private func checkRemoval(of number: Int) -> Bool {
        kind.checkNotNegative(number)
        guard number > count else { return true }
        if mayHaveLostElements { return false }
        misuse(
            """
            It is not possible to remove more objects (\(number)) from a list than \
            it already contains (\(count)).
            """, remedy: "Compare the number with count, or use removeAll().")
    }

    /// Whether damage may have taken the element at a position beyond the end.
    private func mayHaveHad(_ position: Int) -> Bool { position >= count && mayHaveLostElements }

    // MARK: Moving

    /// Moves the elements at several positions, in their order, to in front of the element at
    /// `destination`. Positions and destination are those before the move. O(positions × count);
    /// O(positions × log count) for managed lists.
    ///
    /// Traps if a position is outside of `0 ..< count`, and if the destination is outside of
    /// `0 ... count`.
    public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
        if let last = offsets.last, !mayHaveHad(last) { kind.check(last, below: count) }
        if !mayHaveHad(destination) { kind.check(destination, below: count + 1) }
        var target = destination
        var movedUp = 0
        for offset in offsets {
            if offset < destination {
                // Each element moved back let the elements behind it move up by one.
                move(from: offset - movedUp, to: destination - 1)
                movedUp += 1
            } else {
                move(from: offset, to: target)
                target += 1
            }
        }
    }
}
