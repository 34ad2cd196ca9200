import FreeholdStorage

/// A collection whose indices are positions from 0 on. Do not conform your own types.
///
/// Swift's own index functions compare an index with `endIndex`. If damage is found, that may
/// become less than indices the program has computed from it, and damage must not end the
/// process. So these functions only compute. An access checks whether a position is valid.
public protocol _PositionalCollection: RandomAccessCollection, ThreadConfined where Index == Int {}

extension _PositionalCollection {
    /// Returns the position after another one. O(1). Not checked: an access checks whether the
    /// position is valid.
    @inlinable
    public func index(after i: Int) -> Int { i + 1 }

    /// Returns the position before another one, unchecked as ``index(after:)``.
    @inlinable
    public func index(before i: Int) -> Int { i - 1 }

    /// Returns the position at a distance from another one, unchecked as ``index(after:)``.
    @inlinable
    public func index(_ i: Int, offsetBy distance: Int) -> Int { i + distance }

    /// Returns the number of positions from one to another. O(1); unchecked as ``index(after:)``.
    @inlinable
    public func distance(from start: Int, to end: Int) -> Int { end - start }

    /// Whether a position beyond the end may have been valid when the program asked for the
    /// count.
    var mayHaveLostElements: Bool { realm?.core.store.isDamaged ?? false }
}

extension _PositionalCollection where SubSequence == Slice<Self> {
    /// The elements in a range of positions. O(1).
    /// - Note: Traps if the range is not within the positions of the collection.
    public subscript(bounds: Range<Int>) -> Slice<Self> {
        if bounds.lowerBound < 0 || bounds.upperBound > count && !mayHaveLostElements {
            CollectionKind.list.check(bounds, count: count)
        }
        return Slice(base: self, bounds: bounds)
    }
}
