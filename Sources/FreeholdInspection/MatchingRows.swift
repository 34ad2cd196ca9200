import FreeholdStorage

/// The rows of a class that satisfy a condition, in the order of their keys, in the memory of a
/// number for each cluster. A list of their keys would take 8 bytes for each, so it is kept of few
/// rows only.
struct MatchingRows {
    private let predicate: ScanPredicate
    private let table: TableView
    private let source: TableSource
    /// The matching rows before each cluster, and at the end all of them.
    private let starts: ContiguousArray<Int>
    private let keys: ContiguousArray<Int64>?

    private static let mostKeys = 100_000
    /// A version keeps every cluster that was read through it. So it is with the version of the
    /// realm, which queries then find again, but not with millions of rows.
    private static let mostRowsOfVersion = 3_000_000

    /// Counts the rows. Nil if an index finds them.
    init?(_ predicate: ScanPredicate, of table: TableID, in source: TableSource) throws {
        let isKept = source.table(table).count <= Self.mostRowsOfVersion
        // A view of its own, which is gone when this is.
        let source = isKept ? source : (source as? Snapshot)?.renewed() ?? source
        let table = source.table(table)
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

    var count: Int { starts.last ?? 0 }
    var byteCount: Int { 8 * (starts.count + (keys?.count ?? 0)) }

    /// The keys of the rows at some positions. O(rows of the clusters that have them).
    func keys(at positions: Range<Int>) throws -> [Int64] {
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
    func position(ofRow key: Int64) throws -> Int? {
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
        let source =
            table.count <= Self.mostRowsOfVersion
            ? self.source : (self.source as? Snapshot)?.renewed() ?? self.source
        return try ScanEngine(source: source).keys(
            predicate, in: source.table(table.id), ofClusters: clusters)
    }
}
