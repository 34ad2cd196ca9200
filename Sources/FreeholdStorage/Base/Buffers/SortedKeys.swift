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
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) &>> 1
            if self[startIndex &+ middle] < key { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    /// Whether the collection contains a key. The keys must ascend. O(log n).
    package func containsSorted(_ key: Int64) -> Bool {
        let position = lowerBound(of: key)
        return position < count && self[startIndex &+ position] == key
    }
}
