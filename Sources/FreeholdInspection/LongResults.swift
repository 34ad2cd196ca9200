import Freehold
package import FreeholdStorage

/// The rows of a large class that satisfy a condition, by position.
///
/// In the order of their keys they take the memory of a number for each cluster, because a cluster
/// is searched again when it is shown. In another order they take 4 bytes for each row.
///
/// Valid for one version.
package struct LongResults {
    private enum Rows {
        case unordered(MatchingRows)
        case ordered(PackedKeys)
    }

    private let rows: Rows

    /// The rows of a class for which this is worth it.
    package static let leastCount = 500_000

    /// Runs a query once. Nil if the class is small, and if the rows are those of the class or an
    /// index finds them: these need no memory of their own.
    ///
    /// - Parameter leastCount: The rows of a class that is not small.
    package init?(
        _ query: StoredQuery, _ source: TableSource, leastCount: Int = Self.leastCount
    ) throws {
        guard source.table(query.table).count >= leastCount else { return nil }
        guard let predicate = query.results.scanPredicate else {
            rows = .ordered(
                Self.sorted(query, source) ?? PackedKeys(query.results.rowKeys))
            return
        }
        guard predicate != .all,
            let matching = try MatchingRows(predicate, of: query.table, in: source)
        else { return nil }
        rows = .unordered(matching)
    }

    /// From here on, a sort of all rows takes more time, and 16 MB instead of 32 bytes a row.
    private static let leastCountOfParts = 3_000_000
    private static let rowsPerPart = 500_000

    /// All rows of a very large class by one of its numbers; nil for other queries.
    private static func sorted(_ query: StoredQuery, _ source: TableSource) -> PackedKeys? {
        guard let sort = query.results.scanSort else { return nil }
        // A view of its own, which is gone when this is.
        let source = (source as? Snapshot)?.renewed() ?? source
        let table = source.table(query.table)
        guard table.count >= leastCountOfParts, let first = table.locate(position: 0),
            let last = table.locate(position: table.count - 1)
        else { return nil }
        var isSorted = false
        let keys = PackedKeys(
            least: first.cluster.key(at: first.row).rawValue,
            greatest: last.cluster.key(at: last.row).rawValue, count: table.count
        ) { append in
            isSorted = ScanEngine(source: source).forEachSortedKey(
                in: table, by: sort, rowsPerPart: rowsPerPart, append)
        }
        return isSorted ? keys : nil
    }

    package var count: Int {
        switch rows {
        case .unordered(let rows): rows.count
        case .ordered(let keys): keys.count
        }
    }

    /// The bytes that the keys of the rows take.
    package var byteCount: Int {
        switch rows {
        case .unordered(let rows): rows.byteCount
        case .ordered(let keys): keys.byteCount
        }
    }

    /// Whether the order is not that of the keys.
    package var isOrdered: Bool {
        if case .ordered = rows { true } else { false }
    }

    /// The keys of the rows at some positions.
    package func keys(at positions: Range<Int>) throws -> [Int64] {
        switch rows {
        case .unordered(let rows): try rows.keys(at: positions)
        case .ordered(let keys): keys[positions.clamped(to: 0..<keys.count)]
        }
    }

    /// The position of the row with a key; nil if it does not match.
    package func position(ofRow key: Int64) throws -> Int? {
        switch rows {
        case .unordered(let rows): try rows.position(ofRow: key)
        case .ordered(let keys): keys.firstIndex(of: key)
        }
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
