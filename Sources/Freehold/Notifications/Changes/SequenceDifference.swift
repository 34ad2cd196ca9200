/// The deletions and insertions that turn one sequence of numbers into another. The other
/// elements keep their order.
///
/// There are as few as possible: of the elements in both sequences, a longest subsequence with
/// the same order in both stays. The rest is deleted from the old one and inserted into the new
/// one. (Longest increasing subsequence by patience sorting: Schensted 1961; Fredman, On
/// computing the length of longest increasing subsequences, 1975.) Elements that occur several
/// times are paired in order, which is correct, and nearly always shortest.
///
/// The common beginning and end are skipped, so a small change of a long sequence costs little
/// more than one comparison per element.
struct SequenceDifference: Equatable, Sendable {
    /// Positions in the old sequence, ascending.
    var deletions: ContiguousArray<Int> = []
    /// Positions in the new sequence, ascending.
    var insertions: ContiguousArray<Int> = []

    var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty }

    /// O(n + m), plus O(k log k) for the k elements between the common beginning and end.
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

    /// Compares two ascending sequences without duplicates. O(n + m).
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

    /// Between two elements that stay, keeps equal elements at equal distances behind the first
    /// of them. With elements that occur several times, pairing in order may have paired such an
    /// element with another occurrence.
    private static func keepEqualReplacements(
        _ old: UnsafeBufferPointer<Int64>, _ oldRange: Range<Int>,
        _ keptOld: inout ContiguousArray<Bool>, _ new: UnsafeBufferPointer<Int64>,
        _ newRange: Range<Int>, _ keptNew: inout ContiguousArray<Bool>
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

    /// The position in the new sequence of each old element's partner; -1 for none.
    private static func partners(
        _ old: UnsafeBufferPointer<Int64>, _ oldRange: Range<Int>,
        _ new: UnsafeBufferPointer<Int64>, _ newRange: Range<Int>
    ) -> ContiguousArray<Int> {
        // The first position of each number, and for each position the next one with the same
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

    /// The positions of a longest increasing subsequence of the non-negative numbers, which are
    /// distinct. O(n log n), O(n) if all ascend.
    private static func longestIncreasing(_ numbers: ContiguousArray<Int>) -> ContiguousArray<Int> {
        // For each length, the position where the subsequence with the lowest last number ends;
        // and for each position its predecessor.
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
    /// Turns replacements in place into modifications: between two elements that stay, pairs
    /// each deletion with an insertion while both remain.
    ///
    /// - Returns: The positions in the old sequence, ascending.
    mutating func pairReplacements() -> ContiguousArray<Int> {
        if deletions.isEmpty || insertions.isEmpty { return [] }
        var replaced = ContiguousArray<Int>()
        var (deleted, inserted) = (ContiguousArray<Int>(), ContiguousArray<Int>())
        var (d, i) = (0, 0)
        // The positions of the next element that stays, or of the end.
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
            // The number of elements that stay until the next change on either side.
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
