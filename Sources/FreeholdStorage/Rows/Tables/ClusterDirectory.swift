/// The clusters of a table in order: first keys and row counts.
///
/// Two parallel arrays, so that a binary search reads only keys. A value type: a new version
/// shares it with the old one until a cluster is added, removed or changes its count. `check()`
/// compares it with the clusters.
package struct ClusterDirectory: Sendable {
    /// Ascending. A cluster covers the keys from its first key up to the next cluster's first key.
    package private(set) var firstKeys: ContiguousArray<Int64> = []
    package private(set) var counts: ContiguousArray<Int32> = []
    package private(set) var rowCount = 0
    /// `ends[i]` is the number of rows in clusters `0 ... i`; empty until a position is looked
    /// up, and after each change.
    private var ends: ContiguousArray<Int> = []
    /// The average number of clusters per key between the first and the last first key, in
    /// units of 2^-64. Look-ups start from it; any value is harmless.
    private(set) var clustersPerKey: UInt64 = 0

    package init() {}

    package init(firstKeys: ContiguousArray<Int64>, counts: ContiguousArray<Int32>) {
        self.firstKeys = firstKeys
        self.counts = counts
        rowCount = counts.reduce(0) { $0 + Int($1) }
        measureDistances()
        indexPositions()
    }

    package var clusterCount: Int { firstKeys.count }

    /// The index of the cluster for a key: the last one whose first key is not above it. Nil
    /// below the first cluster. O(log clusters).
    package func clusterIndex(covering key: Int64) -> Int? {
        let index = firstIndex(above: key)
        return index == 0 ? nil : index &- 1
    }

    /// The number of clusters whose first key is not above `key`.
    private func firstIndex(above key: Int64) -> Int {
        firstKeys.withUnsafeBufferPointer { keys in
            guard let start = keys.baseAddress else { return 0 }
            return Self.firstIndex(above: key, start, keys.count, clustersPerKey)
        }
    }

    /// The number of first keys, of `count` ascending ones, that are not above `key`.
    @inline(__always)
    static func firstIndex(
        above key: Int64, _ keys: UnsafePointer<Int64>, _ count: Int, _ clustersPerKey: UInt64
    ) -> Int {
        var low = 0
        var high = count
        guard high > 0, keys[0] <= key else { return 0 }
        if keys[high &- 1] <= key { return high }
        // Keys assigned in order are evenly spaced, and the first guess finds them: two
        // reads instead of ten.
        let place = UInt64(bitPattern: key &- keys[0]).multipliedFullWidth(by: clustersPerKey).high
        let guess = Int(truncatingIfNeeded: min(place, UInt64(truncatingIfNeeded: count &- 2)))
        if keys[guess] <= key {
            if keys[guess &+ 1] > key { return guess &+ 1 }
            low = guess &+ 2
        } else {
            high = guess
        }
        while low < high {
            let middle = (low &+ high) &>> 1
            if keys[middle] <= key { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    private mutating func measureDistances() {
        guard let first = firstKeys.first, let last = firstKeys.last, last > first else { return }
        let span = UInt64(bitPattern: last &- first)
        let clusters = UInt64(firstKeys.count - 1)
        // Rounded up, so that a cluster's first key maps to that cluster.
        clustersPerKey = clusters < span ? span.dividingFullWidth((clusters, 0)).quotient + 1 : .max
    }

    /// The cluster and its row at a position among all rows; nil outside `0 ..< rowCount`.
    /// O(log clusters), or O(clusters) in a write transaction that has added or removed rows.
    package func locate(position: Int) -> (cluster: Int, row: Int)? {
        guard position >= 0, position < rowCount else { return nil }
        if ends.isEmpty {
            var before = 0
            for (index, count) in counts.enumerated() {
                if position < before + Int(count) { return (index, position - before) }
                before += Int(count)
            }
            return nil
        }
        let index = ends.indices.partitionPoint { ends[$0] <= position }
        return (index, position - (index == 0 ? 0 : ends[index - 1]))
    }

    /// The number of rows before a cluster. O(1), or O(clusters) after rows were added or
    /// removed.
    package func position(ofClusterAt index: Int) -> Int {
        if index == 0 { return 0 }
        if !ends.isEmpty { return ends[index - 1] }
        return counts[..<index].reduce(0) { $0 + Int($1) }
    }

    /// Makes position look-ups O(log clusters) again after changes. O(clusters), or O(1)
    /// without changes.
    package mutating func indexPositions() {
        if ends.count == counts.count { return }
        var before = 0
        ends.removeAll(keepingCapacity: true)
        ends.reserveCapacity(counts.count)
        for count in counts {
            before += Int(count)
            ends.append(before)
        }
    }

    package mutating func insert(firstKey: Int64, count: Int, at index: Int) {
        firstKeys.insert(firstKey, at: index)
        counts.insert(Int32(count), at: index)
        rowCount += count
        measureDistances()
        forgetPositions()
    }

    package mutating func remove(at index: Int) {
        rowCount -= Int(counts[index])
        firstKeys.remove(at: index)
        counts.remove(at: index)
        measureDistances()
        forgetPositions()
    }

    package mutating func setCount(_ count: Int, at index: Int) {
        rowCount += count - Int(counts[index])
        counts[index] = Int32(count)
        forgetPositions()
    }

    private mutating func forgetPositions() {
        if !ends.isEmpty { ends.removeAll(keepingCapacity: true) }
    }
}
