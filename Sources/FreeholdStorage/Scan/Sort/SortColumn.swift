/// The values by which a list of rows is sorted, by position in the list.
///
/// Numbers of any type become unsigned ranks in their order, so that one radix sort serves all
/// of them. Decimals and values of 12 and 16 bytes become two ranks; the lower one is sorted
/// first.
final class SortColumn {
    /// Empty for text.
    private(set) var ranks: ContiguousArray<UInt64> = []
    /// The lower halves of values with more than 64 bits; else empty.
    private(set) var lowRanks: ContiguousArray<UInt64> = []
    /// The values of a text or bytes column; else empty.
    private(set) var texts: ContiguousArray<TextReference> = []
    /// The values of a mixed column, nil for null; else empty.
    private(set) var mixed: ContiguousArray<MixedValue?> = []
    /// Whether each position is null; empty if none is.
    private(set) var nulls: ContiguousArray<Bool> = []
    /// Whether each position is null because a link on the path is null or dangles; empty if
    /// none is.
    private(set) var cuts: ContiguousArray<Bool> = []
    private var copies: ContiguousArray<UnsafeMutableRawPointer> = []

    private let count: Int
    private let reader: ValueReader

    /// Reads the values at the end of a path. O(rows), or O(rows × log clusters) through links.
    init(_ reader: ValueReader, _ rows: SortRows) {
        self.reader = reader
        count = rows.count
        if reader.type == .mixed {
            mixed = .init(repeating: nil, count: count)
        } else if reader.type.isVariableLength {
            texts = .init(repeating: TextReference(start: nil, count: 0), count: count)
        } else {
            ranks = .init(repeating: 0, count: count)
            if reader.type.isWide { lowRanks = .init(repeating: 0, count: count) }
        }
        rows.forEachRun { cluster, rows, position in
            if reader.isDirect {
                read(cluster, cluster.columnView(reader.column), rows, at: position)
            } else {
                for (offset, row) in rows.enumerated() {
                    if let (cluster, row) = reader.follow(row, cluster) {
                        read(
                            cluster, cluster.columnView(reader.column), row..<row + 1,
                            at: position + offset)
                    } else {
                        setCut(position + offset)
                    }
                }
            }
        } missing: { position in
            setNull(position)
        }
    }

    deinit { for copy in copies { copy.deallocate() } }

    private func setNull(_ position: Int) {
        if nulls.isEmpty { nulls = .init(repeating: false, count: count) }
        nulls[position] = true
    }

    private func setCut(_ position: Int) {
        setNull(position)
        if cuts.isEmpty { cuts = .init(repeating: false, count: count) }
        cuts[position] = true
    }

    private func read(_ cluster: ClusterView, _ view: ColumnView, _ rows: Range<Int>, at start: Int)
    {
        if view.nulls != nil || (view.encoding == .absent && view.isNullable) {
            for row in rows where view.isNull(at: row) { setNull(start + row - rows.lowerBound) }
        }
        if reader.type == .mixed {
            for row in rows {
                reader.table.withMixed(reader.column, row, cluster) {
                    mixed[start + row - rows.lowerBound] = MixedValue(decoding: $0)
                }
            }
            return
        }
        if reader.type.isVariableLength { return readText(cluster, view, rows, at: start) }
        let type = reader.type
        if type.isWide {
            for row in rows {
                let key = type.wideKey(at: row, in: view)
                ranks[start + row - rows.lowerBound] = UInt64(truncatingIfNeeded: key >> 64)
                lowRanks[start + row - rows.lowerBound] = UInt64(truncatingIfNeeded: key)
            }
            return
        }
        ranks.withUnsafeMutableBufferPointer { ranks in
            SortColumn.withRank(type.layout, view) { rank in
                for row in rows { ranks[start &+ row &- rows.lowerBound] = rank(row) }
            }
        }
    }

    /// The rank of a row's value, for types with a single rank.
    ///
    /// - Parameter layout: That of the column's type, which a loop over rows asks for once.
    @inline(__always)
    static func rank(_ layout: ColumnLayout, _ view: ColumnView, _ row: Int) -> UInt64 {
        switch layout {
        case .doubles: FloatingKernels.rank(view.double(at: row))
        case .floats: FloatingKernels.rank(Double(view.float(at: row)))
        case .bits: view.boolean(at: row) ? 1 : 0
        default: UInt64(bitPattern: view.integer(at: row)) ^ 1 &<< 63
        }
    }

    /// Calls `body` with the function that ranks the rows of a view, for types with a single
    /// rank. A loop in the body is compiled for each layout, and does not ask for it again.
    @inline(__always)
    static func withRank(
        _ layout: ColumnLayout, _ view: ColumnView, _ body: ((_ row: Int) -> UInt64) -> Void
    ) {
        switch layout {
        case .doubles: body { rank(.doubles, view, $0) }
        case .floats: body { rank(.floats, view, $0) }
        case .bits: body { rank(.bits, view, $0) }
        default: body { rank(.integers, view, $0) }
        }
    }

    private func readText(
        _ cluster: ClusterView, _ view: ColumnView, _ rows: Range<Int>, at start: Int
    ) {
        for row in rows {
            let bytes: UnsafeRawBufferPointer
            if view.isBlob(at: row) && !view.isNull(at: row) {
                bytes = reader.table.withBlob(column: reader.column, key: cluster.key(at: row)) {
                    blob in
                    let copy = UnsafeMutableRawBufferPointer.allocate(
                        byteCount: max(blob.count, 1), alignment: 1)
                    copy.copyMemory(from: blob)
                    if let address = copy.baseAddress { copies.append(address) }
                    return UnsafeRawBufferPointer(rebasing: copy[..<blob.count])
                }
            } else {
                bytes = view.heapBytes(at: row)
            }
            texts[start + row - rows.lowerBound] = TextReference(
                start: bytes.baseAddress, count: bytes.count)
        }
    }
}

/// The rows to sort: those of a list, in its order, or all rows of the table.
struct SortRows {
    let table: TableView
    /// Nil for all rows.
    let keys: ContiguousArray<Int64>?

    var count: Int { keys?.count ?? table.count }

    /// Calls `body` with runs of rows of one cluster and the position of the first one, and
    /// `missing` with each position without a row. O(rows) for ascending keys.
    @inline(__always)
    func forEachRun(_ body: (ClusterView, Range<Int>, Int) -> Void, missing: (Int) -> Void) {
        guard let keys else {
            var position = 0
            for cluster in table.allClusters {
                body(cluster, 0..<cluster.count, position)
                position += cluster.count
            }
            return
        }
        var current: ClusterView?
        var first: Int64 = 0
        var last: Int64 = 0
        var position = 0
        while position < keys.count {
            let key = keys[position]
            if current == nil || key < first || key > last {
                guard let cluster = table.cluster(covering: key), cluster.count > 0 else {
                    missing(position)
                    position += 1
                    continue
                }
                current = cluster
                first = cluster.firstKey
                last = cluster.lastKey
            }
            guard let cluster = current, let row = cluster.row(of: key) else {
                missing(position)
                position += 1
                continue
            }
            var end = row + 1
            while position + end - row < keys.count && end < cluster.count
                && cluster.key(at: end).rawValue == keys[position + end - row]
            { end += 1 }
            body(cluster, row..<end, position)
            position += end - row
        }
    }

    /// The keys in the order of the rows.
    func allKeys() -> ContiguousArray<Int64> {
        if let keys { return keys }
        var all: ContiguousArray<Int64> = []
        all.reserveCapacity(table.count)
        for index in 0..<table.clusterCount {
            all.appendKeys(of: table.cluster(at: index), where: nil)
        }
        return all
    }
}
