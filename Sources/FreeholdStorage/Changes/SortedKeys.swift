/// Ascending row keys, each once.
extension ContiguousArray<Int64> {
    /// Makes the keys ascend, each once. O(n) where they do, else O(n log n).
    mutating func sortUniquely() {
        guard count > 1 else { return }
        var isSorted = true
        for index in 1..<count where self[index - 1] >= self[index] {
            isSorted = false
            break
        }
        if isSorted { return }
        sort()
        var kept = 1
        for index in 1..<count where self[index] != self[kept - 1] {
            self[kept] = self[index]
            kept += 1
        }
        removeLast(count - kept)
    }

    /// Whether a key is one of the ascending ones. O(log n).
    func containsSorted(_ key: Int64) -> Bool {
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) &>> 1
            if self[middle] < key { low = middle &+ 1 } else { high = middle }
        }
        return low < count && self[low] == key
    }
}
