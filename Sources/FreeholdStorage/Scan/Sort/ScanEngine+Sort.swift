extension ScanEngine {
    /// Sorts rows.
    ///
    /// Stable: rows that are equal by every criterion keep the order of `keys`, or ascending
    /// row keys. A criterion whose path does not lead to a column is ignored; a key without a
    /// row counts as null. O(rows) for each criterion on numbers; O(bytes that distinguish
    /// them) for text; O(rows log rows) for mixed values. Takes two buffers of 16 bytes per
    /// row, and the extracted values.
    ///
    /// - Parameter keys: The rows, or nil for all rows of the table.
    package func sort(
        _ keys: ContiguousArray<Int64>?, in table: TableView, by criteria: [ScanSort]
    ) throws(StorageError) -> ContiguousArray<Int64> {
        let rows = SortRows(table: table, keys: keys)
        let readers = criteria.compactMap { sort in
            ValueReader(sort.path, in: table, source: source).map { (reader: $0, sort: sort) }
        }.filter { !$0.reader.hasElements }
        if readers.isEmpty || rows.count < 2 { return rows.allKeys() }
        let buffers = SortBuffers(capacity: rows.count)
        if readers.count == 1, readers[0].reader.isDirect, !readers[0].reader.type.isVariableLength,
            !readers[0].reader.type.isWide
        {
            return buffers.sort(rows, by: readers[0].reader, ascending: readers[0].sort.ascending)
        }
        var order: ContiguousArray<Int64> = .init((0..<rows.count).lazy.map { Int64($0) })
        // The last criterion first: each sort is stable, so equal rows keep their previous
        // order.
        for (reader, sort) in readers.reversed() {
            buffers.sort(
                &order, by: SortColumn(reader, rows), ascending: sort.ascending, sort.nullLinks)
        }
        let all = rows.allKeys()
        for index in order.indices { order[index] = all[Int(order[index])] }
        return order
    }
}

/// The two buffers for sorting records.
private final class SortBuffers {
    let records: UnsafeMutableBufferPointer<SortRecord>
    let scratch: UnsafeMutableBufferPointer<SortRecord>

    init(capacity: Int) {
        records = .allocate(capacity: capacity)
        scratch = .allocate(capacity: capacity)
    }

    deinit {
        records.deallocate()
        scratch.deallocate()
    }

    /// Sorts by one numeric column of the table itself: the records carry the row keys, so no
    /// look-up follows.
    func sort(_ rows: SortRows, by reader: ValueReader, ascending: Bool) -> ContiguousArray<Int64> {
        let flip: UInt64 = ascending ? 0 : .max
        let layout = reader.type.layout
        var nulls: ContiguousArray<Int64> = []
        var count = 0
        rows.forEachRun { cluster, range, _ in
            let view = cluster.columnView(reader.column)
            let keys = cluster.columns[0]
            let hasNulls = view.nulls != nil || (view.encoding == .absent && view.isNullable)
            SortColumn.withRank(layout, view) { rank in
                for row in range {
                    let key = keys.integer(at: row)
                    if hasNulls && view.isNull(at: row) {
                        nulls.append(key)
                    } else {
                        records[count] = SortRecord(rank: rank(row) ^ flip, payload: key)
                        count &+= 1
                    }
                }
            }
        } missing: { position in
            if let keys = rows.keys { nulls.append(keys[position]) }
        }
        RadixSort.sort(UnsafeMutableBufferPointer(rebasing: records[..<count]), scratch: scratch)
        let (firstRecord, firstNull) = ascending ? (nulls.count, 0) : (0, count)
        // Appending would ask for each key whether the array is shared.
        return ContiguousArray(unsafeUninitializedCapacity: count + nulls.count) { keys, size in
            for index in 0..<count { keys[firstRecord &+ index] = records[index].payload }
            for index in nulls.indices { keys[firstNull &+ index] = nulls[index] }
            size = count + nulls.count
        }
    }

    /// Sorts positions by a column.
    func sort(
        _ order: inout ContiguousArray<Int64>, by column: SortColumn, ascending: Bool,
        _ nullLinks: ScanSort.NullLinks
    ) {
        let flip: UInt64 = ascending ? 0 : .max
        var nulls: ContiguousArray<Int64> = []
        var cuts: ContiguousArray<Int64> = []
        let hasCuts = nullLinks == .areLast && !column.cuts.isEmpty
        var count = 0
        for position in order {
            if !column.nulls.isEmpty && column.nulls[Int(position)] {
                if hasCuts && column.cuts[Int(position)] {
                    cuts.append(position)
                } else {
                    nulls.append(position)
                }
            } else {
                records[count] = SortRecord(rank: 0, payload: position)
                count += 1
            }
        }
        let active = UnsafeMutableBufferPointer(rebasing: records[..<count])
        if !column.mixed.isEmpty {
            let places = ContiguousArray(active)
            let sorted = places.indices.sorted { a, b in
                let order = MixedValue.compare(
                    column.mixed[Int(places[a].payload)], column.mixed[Int(places[b].payload)])
                return order == 0 ? a < b : (order < 0) == ascending
            }
            for (index, place) in sorted.enumerated() { active[index] = places[place] }
        } else if !column.texts.isEmpty {
            column.texts.withUnsafeBufferPointer { texts in
                guard let texts = texts.baseAddress else { return }
                TextSort(texts: texts, scratch: scratch, ascending: ascending).sort(active)
            }
        } else {
            for ranks in [column.lowRanks, column.ranks] where !ranks.isEmpty {
                for index in active.indices {
                    active[index].rank = ranks[Int(active[index].payload)] ^ flip
                }
                RadixSort.sort(active, scratch: scratch)
            }
        }
        let (before, after) = ascending ? (nulls, cuts) : (cuts, nulls)
        for index in before.indices { order[index] = before[index] }
        for index in active.indices { order[before.count + index] = active[index].payload }
        for index in after.indices { order[before.count + count + index] = after[index] }
    }
}
