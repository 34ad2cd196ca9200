import Freehold
package import FreeholdStorage

/// The rows of a large class that satisfy a condition, by position, in the memory of a number for
/// each cluster. A list of their keys would take 8 bytes for each, so it is kept of few rows only.
///
/// Valid for one version.
package struct LongResults {
    private let predicate: ScanPredicate
    private let table: TableView
    private let source: TableSource
    /// The matching rows before each cluster, and at the end all of them.
    private let starts: ContiguousArray<Int>
    private let keys: ContiguousArray<Int64>?

    /// The rows of a class for which this is worth it.
    package static let leastCount = 500_000
    private static let mostKeys = 100_000

    /// Counts the rows of a query once. Nil if it sorts or limits its rows, if an index finds
    /// them, and if the class is small.
    package init?(_ query: StoredQuery, _ source: TableSource) throws {
        guard let predicate = query.results.scanPredicate, predicate != .all,
            source.table(query.table).count >= Self.leastCount
        else { return nil }
        // A view of its own, which is gone when this is.
        let source = (source as? Snapshot)?.renewed() ?? source
        let table = source.table(query.table)
        guard
            let (counts, keys) = try ScanEngine(source: source).matches(
                predicate, in: table, keepingKeys: Self.mostKeys)
        else { return nil }
        self.keys = keys
        self.predicate = predicate
        self.table = table
        self.source = source
        var (starts, sum) = (ContiguousArray<Int>(), 0)
        starts.reserveCapacity(counts.count + 1)
        for count in counts {
            starts.append(sum)
            sum += Int(count)
        }
        starts.append(sum)
        self.starts = starts
    }

    package var count: Int { starts.last ?? 0 }

    /// The keys of the rows at some positions. O(rows of the clusters that have them).
    package func keys(at positions: Range<Int>) throws -> [Int64] {
        let positions = positions.clamped(to: 0..<count)
        if let keys { return Array(keys[positions]) }
        if positions.isEmpty { return [] }
        let first = cluster(of: positions.lowerBound)
        let end = cluster(of: positions.upperBound - 1) + 1
        let found = try keys(ofClusters: first..<end)
        let offset = positions.lowerBound - starts[first]
        return Array(found.dropFirst(offset).prefix(positions.count))
    }

    /// The position of the row with a key; nil if it does not match. O(rows of a cluster).
    package func position(ofRow key: Int64) throws -> Int? {
        guard table.contains(RowKey(rawValue: key)) else { return nil }
        let place = table.position(ofRow: key)
        guard let (index, _) = table.directory.locate(position: place) else { return nil }
        let keys = try keys(ofClusters: index..<(index + 1))
        return keys.firstIndex(of: key).map { starts[index] + $0 }
    }

    /// The last cluster that begins at or before a position.
    private func cluster(of position: Int) -> Int {
        var (low, high) = (0, starts.count - 1)
        while low + 1 < high {
            let middle = (low + high) / 2
            if starts[middle] <= position { low = middle } else { high = middle }
        }
        return low
    }

    private func keys(ofClusters clusters: Range<Int>) throws -> ContiguousArray<Int64> {
        // The clusters that this reads are not kept.
        let source = (self.source as? Snapshot)?.renewed() ?? self.source
        return try ScanEngine(source: source).keys(
            predicate, in: source.table(table.id), ofClusters: clusters)
    }
}

extension TableView {
    /// The number of rows before a key. O(log rows).
    package func position(ofRow key: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            guard let place = locate(position: middle) else { return low }
            if place.cluster.key(at: place.row).rawValue < key {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
