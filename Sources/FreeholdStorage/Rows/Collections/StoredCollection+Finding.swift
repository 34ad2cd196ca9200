extension StoredCollection {
    /// The index of a value in a set, or where it belongs. O(log n).
    package func find(_ value: ScanValue) -> (index: Int, isFound: Bool) {
        precondition(kind.shape == .set, "only sets are ordered by their values")
        return find { ElementOrder.compare($0.values, $1, kind.type, with: value) }
    }

    /// The index of a key in a map, or where it belongs. O(log n).
    package func find(key: UnsafeRawBufferPointer) -> (index: Int, isFound: Bool) {
        precondition(kind.shape == .map, "only maps have keys")
        return find { ElementOrder.compare($0.keys.heapBytes(at: $1), key) }
    }

    /// Binary search over leaves, then inside of one. `compare` returns a negative number for
    /// elements before the sought one.
    func find(_ compare: (CollectionLeaf, Int) -> Int) -> (index: Int, isFound: Bool) {
        var low = 0
        var high = count
        while low < high {
            let leaf = leaf(at: (low + high) / 2)
            let first = compare(leaf, 0)
            if first == 0 { return (leaf.start, true) }
            if first > 0 {
                high = leaf.start
                continue
            }
            let last = compare(leaf, leaf.count - 1)
            if last < 0 {
                low = leaf.end
                continue
            }
            let element = (1..<max(1, leaf.count - 1)).partitionPoint { compare(leaf, $0) < 0 }
            let isFound = element < leaf.count && compare(leaf, element) == 0
            return (leaf.start + element, isFound)
        }
        return (low, false)
    }
}

extension StoredCollection {
    /// The index of a mixed value in a set, or where it belongs. O(log n).
    package func find(mixed value: MixedValue?) -> (index: Int, isFound: Bool) {
        precondition(
            kind.shape == .set && kind.type == .mixed, "only sets are ordered by their values")
        return find { leaf, row in
            MixedValue.compare(
                leaf.values.isNull(at: row)
                    ? nil : MixedValue(decoding: leaf.values.heapBytes(at: row)), value)
        }
    }
}
