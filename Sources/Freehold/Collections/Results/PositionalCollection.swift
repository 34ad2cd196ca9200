import FreeholdStorage

/// A collection whose indices are positions from 0 on. Not for conformances of your own.
///
/// Swift's own functions compare an index with `endIndex`. Damage that is found may lower that
/// after a program computed indices from it, and damage must not end the process. So these
/// functions compute, and access finds out whether a position is one of the collection's.
public protocol _PositionalCollection: RandomAccessCollection, ThreadConfined where Index == Int {}

extension _PositionalCollection {
    /// The position behind another one. O(1); access finds out whether it is one of the
    /// collection's.
    @inlinable
    public func index(after i: Int) -> Int { i + 1 }

    /// The position in front of another one. As ``index(after:)``.
    @inlinable
    public func index(before i: Int) -> Int { i - 1 }

    /// The position at a distance from another one. As ``index(after:)``.
    @inlinable
    public func index(_ i: Int, offsetBy distance: Int) -> Int { i + distance }

    /// How many positions there are from one to another. O(1), as ``index(after:)``.
    @inlinable
    public func distance(from start: Int, to end: Int) -> Int { end - start }

    /// Whether a position beyond the end may have been right when the program asked for the count.
    var mayHaveLostElements: Bool { realm?.core.store.isDamaged ?? false }
}

extension _PositionalCollection where SubSequence == Slice<Self> {
    /// The elements in a range of positions. O(1).
    /// - Note: Traps if the range is not one of positions of the collection.
    public subscript(bounds: Range<Int>) -> Slice<Self> {
        if bounds.lowerBound < 0 || bounds.upperBound > count && !mayHaveLostElements {
            CollectionKind.list.check(bounds, count: count)
        }
        return Slice(base: self, bounds: bounds)
    }
}
