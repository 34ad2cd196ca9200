/// A set of integers for many membership tests: a bitmap if the values are dense, else a sorted
/// array.
struct IntegerSet {
    /// Ascending, each once.
    let values: ContiguousArray<Int64>
    private let smallest: Int64
    /// One bit for each integer from `smallest` on; empty if the values are too sparse.
    private let words: ContiguousArray<UInt64>

    /// - Parameter values: In any order.
    init(_ values: some Sequence<Int64>) {
        var sorted = ContiguousArray(values)
        sorted.sortAndRemoveDuplicates()
        self.values = sorted
        guard let first = sorted.first, let last = sorted.last else {
            smallest = 0
            words = []
            return
        }
        smallest = first
        let span = UInt64(bitPattern: last &- first)
        // At most as much memory as the values, or 8 KB.
        if span / 64 < UInt64(max(sorted.count, 1024)) {
            var words = ContiguousArray<UInt64>(repeating: 0, count: Int(span / 64) + 1)
            for value in sorted {
                let bit = UInt64(bitPattern: value &- first)
                words[Int(bit >> 6)] |= 1 << (bit & 63)
            }
            self.words = words
        } else {
            words = []
        }
    }

    var isEmpty: Bool { values.isEmpty }
    var count: Int { values.count }

    /// Whether the set contains a value. O(1) if the values are dense, else O(log count).
    @inline(__always)
    func contains(_ value: Int64) -> Bool {
        if !words.isEmpty {
            let bit = UInt64(bitPattern: value &- smallest)
            let word = bit &>> 6
            return word < UInt64(truncatingIfNeeded: words.count)
                && words[Int(truncatingIfNeeded: word)] &>> (bit & 63) & 1 != 0
        }
        return values.withUnsafeBufferPointer { values in
            var low = 0
            var high = values.count
            while low < high {
                let middle = (low &+ high) &>> 1
                if values[middle] < value { low = middle &+ 1 } else { high = middle }
            }
            return low < values.count && values[low] == value
        }
    }

    /// Marks the rows of a column whose values are in the set; null rows get unspecified marks.
    func fill(_ mask: MaskBytes, _ view: ColumnView, _ count: Int, _ run: ScanRun) {
        if view.encoding == .delta8 && count > 64 {
            // At most 256 deltas: test each once, then look up the rows.
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { table in
                for delta in 0..<256 { table[delta] = contains(view.base &+ Int64(delta)) ? 1 : 0 }
                for row in 0..<count {
                    mask[row] = table[Int(view.data.load(fromByteOffset: row, as: UInt8.self))]
                }
            }
            return
        }
        let (integers, _) = run.integerRoom(for: count)
        view.decodeIntegers(count: count, into: integers)
        if words.isEmpty {
            for row in 0..<count { mask[row] = Mask.byte(contains(integers[row])) }
            return
        }
        words.withUnsafeBufferPointer { words in
            let limit = UInt64(truncatingIfNeeded: words.count) &<< 6
            for row in 0..<count {
                let bit = UInt64(bitPattern: integers[row] &- smallest)
                mask[row] =
                    bit < limit
                    ? UInt8(
                        truncatingIfNeeded: words[Int(truncatingIfNeeded: bit &>> 6)] &>> (bit & 63)
                            & 1) : 0
            }
        }
    }
}
