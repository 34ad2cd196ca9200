/// Ascending row keys, each once.
extension ContiguousArray<Int64> {
    /// Sorts the keys and removes duplicates. O(count) if they ascend already, else O(count log
    /// count).
    mutating func sortAndRemoveDuplicates() {
        var isAscending = true
        withUnsafeBufferPointer { values in
            var index = 1
            while index < values.count {
                if values[index - 1] >= values[index] {
                    isAscending = false
                    return
                }
                index &+= 1
            }
        }
        if isAscending { return }
        sort()
        var kept = 1
        for index in 1..<count where self[index] != self[kept - 1] {
            self[kept] = self[index]
            kept += 1
        }
        removeLast(count - kept)
    }
}

extension RandomAccessCollection where Element == Int64, Index == Int {
    /// Returns the offset of the first key not below `key`, or `count` if there is none. The
    /// keys must ascend. O(log n).
    package func lowerBound(of key: Int64) -> Int {
        (0..<count).partitionPoint { self[startIndex &+ $0] < key }
    }

    /// Whether the collection contains a key. The keys must ascend. O(log n).
    package func containsSorted(_ key: Int64) -> Bool {
        let position = lowerBound(of: key)
        return position < count && self[startIndex &+ position] == key
    }
}

extension Range<Int> {
    /// Returns the first position of which a condition does not hold, or the upper bound. The
    /// condition must hold up to there and not after it. O(log n).
    @inlinable @inline(__always)
    package func partitionPoint(where isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            let middle = (low &+ high) &>> 1
            if isBefore(middle) { low = middle &+ 1 } else { high = middle }
        }
        return low
    }
}
