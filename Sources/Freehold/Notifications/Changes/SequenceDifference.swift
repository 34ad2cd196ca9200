/// What turns one sequence of numbers into another: elements taken out of the old one, and put
/// into the new one. The others keep their order.
///
/// As few as can be: of the elements that both have, a longest subsequence stays that has the
/// same order in both, and the rest is deleted in the one place and inserted in the other.
/// (Longest increasing subsequence by patience sorting: Schensted 1961; Fredman, On computing
/// the length of longest increasing subsequences, 1975.) Elements that occur several times are
/// paired in order, which is right, and nearly always shortest.
///
/// What both begin and end with is not looked at again, so a small change of a long sequence
/// costs one comparison an element, and little more.
struct SequenceDifference: Equatable, Sendable {
    /// Positions in the old sequence, ascending.
    var deletions: ContiguousArray<Int> = []
    /// Positions in the new sequence, ascending.
    var insertions: ContiguousArray<Int> = []

    var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty }

    /// O(n + m), plus O(k log k) for the k elements between the common beginning and the common
    /// end.
    init(from old: ContiguousArray<Int64>, to new: ContiguousArray<Int64>) {
        (deletions, insertions) = old.withUnsafeBufferPointer { old in
            new.withUnsafeBufferPointer { new in
                let shorter = min(old.count, new.count)
                var start = 0
                while start < shorter, old[start] == new[start] { start &+= 1 }
                var end = 0
                while end < shorter &- start,
                    old[old.count &- 1 &- end] == new[new.count &- 1 &- end]
                { end &+= 1 }
                return Self.compare(old, start..<(old.count - end), new, start..<(new.count - end))
            }
        }
    }

    /// Of two sequences that ascend and have each number once. O(n + m).
    init(fromAscending old: ContiguousArray<Int64>, to new: ContiguousArray<Int64>) {
        var (i, j) = (0, 0)
        while i < old.count || j < new.count {
            if j == new.count || (i < old.count && old[i] < new[j]) {
                deletions.append(i)
                i += 1
            } else if i == old.count || new[j] < old[i] {
                insertions.append(j)
                j += 1
            } else {
                i += 1
                j += 1
            }
        }
    }

    private static func compare(
        _ old: UnsafeBufferPointer<Int64>, _ oldRange: Range<Int>,
        _ new: UnsafeBufferPointer<Int64>, _ newRange: Range<Int>
    ) -> (ContiguousArray<Int>, ContiguousArray<Int>) {
        if oldRange.isEmpty || newRange.isEmpty {
            return (ContiguousArray(oldRange), ContiguousArray(newRange))
        }
        let partners = partners(old, oldRange, new, newRange)
        var keptOld = ContiguousArray(repeating: false, count: oldRange.count)
        var keptNew = ContiguousArray(repeating: false, count: newRange.count)
        for index in longestIncreasing(partners) {
            keptOld[index] = true
            keptNew[partners[index] - newRange.lowerBound] = true
        }
        keepEqualReplacements(old, oldRange, &keptOld, new, newRange, &keptNew)
        return (
            ContiguousArray(oldRange.lazy.filter { !keptOld[$0 - oldRange.lowerBound] }),
            ContiguousArray(newRange.lazy.filter { !keptNew[$0 - newRange.lowerBound] })
        )
    }

    /// Keeps, between two elements that stay, what lies equally far behind the first of them
    /// and is the same: of elements that occur several times the pairs can be such that one
    /// stands where it stood and was paired with another.
    private static func keepEqualReplacements(
        _ old: UnsafeBufferPointer<Int64>, _ oldRange: Range<Int>,
        _ keptOld: inout ContiguousArray<Bool>,
        _ new: UnsafeBufferPointer<Int64>, _ newRange: Range<Int>,
        _ keptNew: inout ContiguousArray<Bool>
    ) {
        var (i, j) = (0, 0)
        while i < oldRange.count, j < newRange.count {
            if keptOld[i], keptNew[j] {
                i += 1
                j += 1
            } else if keptOld[i] {
                j += 1
            } else if keptNew[j] {
                i += 1
            } else {
                if old[oldRange.lowerBound + i] == new[newRange.lowerBound + j] {
                    (keptOld[i], keptNew[j]) = (true, true)
                }
                i += 1
                j += 1
            }
        }
    }

    /// For each old element the position of the new one that it is; -1 for none.
    private static func partners(
        _ old: UnsafeBufferPointer<Int64>, _ oldRange: Range<Int>,
        _ new: UnsafeBufferPointer<Int64>, _ newRange: Range<Int>
    ) -> ContiguousArray<Int> {
        // The first position of each number, and of each position the next one with the same
        // number.
        var first = [Int64: Int](minimumCapacity: newRange.count)
        var next = ContiguousArray(repeating: -1, count: newRange.count)
        for position in newRange.reversed() {
            if let later = first.updateValue(position, forKey: new[position]) {
                next[position - newRange.lowerBound] = later
            }
        }
        var partners = ContiguousArray<Int>()
        partners.reserveCapacity(oldRange.count)
        for position in oldRange {
            guard let index = first.index(forKey: old[position]) else {
                partners.append(-1)
                continue
            }
            let partner = first.values[index]
            partners.append(partner)
            if partner >= 0 { first.values[index] = next[partner - newRange.lowerBound] }
        }
        return partners
    }

    /// The positions of a longest subsequence that ascends, of the numbers that are not
    /// negative; no number twice. O(n log n), O(n) where all ascend.
    private static func longestIncreasing(_ numbers: ContiguousArray<Int>) -> ContiguousArray<Int> {
        // Of the subsequences of each length, the position where the one ends that ends lowest;
        // and for each position the one before it.
        var ends = ContiguousArray<Int>()
        var before = ContiguousArray(repeating: -1, count: numbers.count)
        for (position, number) in numbers.enumerated() where number >= 0 {
            var length = ends.count
            if let last = ends.last, numbers[last] > number {
                var low = 0
                while low < length {
                    let middle = (low + length) / 2
                    if numbers[ends[middle]] < number { low = middle + 1 } else { length = middle }
                }
            }
            if length > 0 { before[position] = ends[length - 1] }
            if length == ends.count { ends.append(position) } else { ends[length] = position }
        }
        var kept = ContiguousArray(repeating: 0, count: ends.count)
        var position = ends.last ?? -1
        for index in kept.indices.reversed() {
            kept[index] = position
            position = before[position]
        }
        return kept
    }
}

extension SequenceDifference {
    /// Takes what was replaced in its place for modified: between two elements that stay, each
    /// deletion pairs with an insertion, as far as there are both.
    ///
    /// - Returns: The positions in the old sequence, ascending.
    mutating func pairReplacements() -> ContiguousArray<Int> {
        if deletions.isEmpty || insertions.isEmpty { return [] }
        var replaced = ContiguousArray<Int>()
        var (deleted, inserted) = (ContiguousArray<Int>(), ContiguousArray<Int>())
        var (d, i) = (0, 0)
        // Where the next element is that stays, or the end.
        var (old, new) = (0, 0)
        while d < deletions.count || i < insertions.count {
            let (firstDeletion, firstInsertion) = (d, i)
            while d < deletions.count, deletions[d] == old {
                d += 1
                old += 1
            }
            while i < insertions.count, insertions[i] == new {
                i += 1
                new += 1
            }
            let pairs = min(d - firstDeletion, i - firstInsertion)
            replaced.append(contentsOf: deletions[firstDeletion..<(firstDeletion + pairs)])
            deleted.append(contentsOf: deletions[(firstDeletion + pairs)..<d])
            inserted.append(contentsOf: insertions[(firstInsertion + pairs)..<i])
            // As many elements stay as there are up to the next change on either side.
            let stay = min(
                d < deletions.count ? deletions[d] - old : .max,
                i < insertions.count ? insertions[i] - new : .max)
            if stay == .max { break }
            old += stay
            new += stay
        }
        (deletions, insertions) = (deleted, inserted)
        return replaced
    }
}
