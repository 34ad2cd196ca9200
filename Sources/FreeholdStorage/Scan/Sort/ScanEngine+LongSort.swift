extension ScanEngine {
    /// Calls `body` with the keys of all rows of a table, sorted by one of its own columns of
    /// numbers. The order is that of ``sort(_:in:by:)``.
    ///
    /// Sorts part after part, so it takes 32 bytes for each row of a part, not of the table, and
    /// reads the column once for each part.
    ///
    /// - Parameter rowsPerPart: About how many rows a part may have.
    /// - Returns: False, without a call, for other columns.
    package func forEachSortedKey(
        in table: TableView, by sort: ScanSort, rowsPerPart: Int, _ body: (Int64) -> Void
    ) -> Bool {
        guard let reader = ValueReader(sort.path, in: table, source: source), reader.isDirect,
            !reader.hasElements, !reader.type.isVariableLength, !reader.type.isWide
        else { return false }
        LongSort(table: table, reader: reader, ascending: sort.ascending, rowsPerPart: rowsPerPart)
            .forEachKey(body)
        return true
    }
}

/// A sort of more rows than records of them should be kept: by ranges of the values, each of which
/// has about as many rows.
private struct LongSort {
    private let table: TableView
    private let reader: ValueReader
    private let ascending: Bool
    private let rowsPerPart: Int

    private static let sampleCount = 1 << 16

    init(table: TableView, reader: ValueReader, ascending: Bool, rowsPerPart: Int) {
        self.table = table
        self.reader = reader
        self.ascending = ascending
        self.rowsPerPart = max(1, rowsPerPart)
    }

    func forEachKey(_ body: (Int64) -> Void) {
        if ascending { forEachNull(body) }
        var parts = parts()
        let mostCount = countRows(of: &parts)
        let records = UnsafeMutableBufferPointer<SortRecord>.allocate(capacity: mostCount)
        let scratch = UnsafeMutableBufferPointer<SortRecord>.allocate(capacity: mostCount)
        defer {
            records.deallocate()
            scratch.deallocate()
        }
        for part in parts where part.count > 0 {
            var count = 0
            forEachValue { rank, key in
                guard part.ranks.contains(rank) else { return }
                if part.isOneValue { return body(key) }
                records[count] = SortRecord(rank: rank, payload: key)
                count &+= 1
            }
            if part.isOneValue { continue }
            RadixSort.sort(
                UnsafeMutableBufferPointer(rebasing: records[..<count]), scratch: scratch)
            for index in 0..<count { body(records[index].payload) }
        }
        if !ascending { forEachNull(body) }
    }

    /// A range of ranks.
    private struct Part {
        let ranks: ClosedRange<UInt64>
        var count = 0

        /// Whether its rows are in order as they are.
        var isOneValue: Bool { ranks.lowerBound == ranks.upperBound }
    }

    /// Parts of about as many rows, by a sample of them. A value that many rows have is a part of
    /// its own.
    private func parts() -> [Part] {
        let step = max(1, table.count / Self.sampleCount)
        var (sample, index) = (ContiguousArray<UInt64>(), 0)
        forEachValue { rank, _ in
            if index % step == 0 { sample.append(rank) }
            index &+= 1
        }
        sample.sort()
        // The first rank of each part but the first.
        var starts: [UInt64] = []
        let stride = max(1, rowsPerPart / step)
        var position = stride
        while position < sample.count {
            let rank = sample[position]
            if starts.last.map({ $0 < rank }) ?? (rank > 0) { starts.append(rank) }
            if position + stride < sample.count, sample[position + stride] == rank, rank < .max {
                if starts.last != rank + 1 { starts.append(rank + 1) }
                // The part of this value ends where the next value begins.
                while position < sample.count, sample[position] == rank { position += 1 }
            } else {
                position += stride
            }
        }
        var parts: [Part] = []
        var low: UInt64 = 0
        for start in starts {
            parts.append(Part(ranks: low...(start - 1)))
            low = start
        }
        return parts + [Part(ranks: low...(.max))]
    }

    /// Counts the rows of each part. Returns the most that have to be sorted together.
    private func countRows(of parts: inout [Part]) -> Int {
        let starts = parts.map(\.ranks.lowerBound)
        var counts = ContiguousArray(repeating: 0, count: parts.count)
        forEachValue { rank, _ in
            var (low, high) = (0, starts.count)
            while low + 1 < high {
                let middle = (low + high) / 2
                if starts[middle] <= rank { low = middle } else { high = middle }
            }
            counts[low] &+= 1
        }
        for index in parts.indices { parts[index].count = counts[index] }
        return parts.reduce(0) { $1.isOneValue ? $0 : max($0, $1.count) }
    }

    /// Calls `body` with the ranks and keys of all rows with a value, in the order of their keys.
    @inline(__always)
    private func forEachValue(_ body: (_ rank: UInt64, _ key: Int64) -> Void) {
        let flip: UInt64 = ascending ? 0 : .max
        let layout = reader.type.layout
        for cluster in table.allClusters {
            let view = cluster.columnView(reader.column)
            let keys = cluster.columns[0]
            let hasNulls = view.nulls != nil || (view.encoding == .absent && view.isNullable)
            SortColumn.withRank(layout, view) { rank in
                for row in 0..<cluster.count where !(hasNulls && view.isNull(at: row)) {
                    body(rank(row) ^ flip, keys.integer(at: row))
                }
            }
        }
    }

    private func forEachNull(_ body: (Int64) -> Void) {
        for cluster in table.allClusters {
            let view = cluster.columnView(reader.column)
            let hasNulls = view.nulls != nil || (view.encoding == .absent && view.isNullable)
            if !hasNulls { continue }
            for row in 0..<cluster.count where view.isNull(at: row) {
                body(cluster.key(at: row).rawValue)
            }
        }
    }
}
