extension ScanEngine {
    /// The first row of each combination of values, in the order of the keys.
    ///
    /// Null is a value like any other, so is NaN; numbers of mixed values are the same if they are equal, and so are both zeros and the decimals of one cohort.
    /// A path that does not lead to a column says nothing; a key without a row counts as null.
    /// O(rows) for each path, O(rows log rows) for mixed values. One numeric column of the table takes memory for its different values only.
    ///
    /// - Parameter keys: The rows, or nil for all rows of the table.
    package func distinct(_ keys: ContiguousArray<Int64>?, in table: TableView, by paths: [ScanPath]) throws(StorageError) -> ContiguousArray<Int64> {
        let rows = SortRows(table: table, keys: keys)
        let readers = paths.compactMap { ValueReader($0, in: table, source: source) }.filter { !$0.hasElements }
        if readers.isEmpty || rows.count < 2 { return rows.allKeys() }
        if readers.count == 1, readers[0].isDirect, readers[0].hasRanks { return DistinctRows.firsts(rows, by: readers[0]) }
        var groups = ContiguousArray<UInt32>(repeating: 0, count: rows.count)
        for reader in readers { DistinctRows.refine(&groups, by: SortColumn(reader, rows)) }
        let all = rows.allKeys()
        var firsts: ContiguousArray<Int64> = []
        // Groups are numbered as they first appear.
        for position in groups.indices where Int(groups[position]) == firsts.count { firsts.append(all[position]) }
        return firsts
    }
}

/// How rows are told apart: each gets the number of its group, from 0 on in the order in which the groups appear.
private enum DistinctRows {
    /// The first row of each value of one numeric column of the table itself.
    static func firsts(_ rows: SortRows, by reader: ValueReader) -> ContiguousArray<Int64> {
        let type = reader.type
        var firsts: ContiguousArray<Int64> = []
        var known = GroupTable()
        var hasNull = false
        func addNull(_ key: Int64) {
            if !hasNull { firsts.append(key) }
            hasNull = true
        }
        rows.forEachRun { cluster, range, _ in
            let view = cluster.columnView(reader.column)
            let hasNulls = view.nulls != nil || (view.encoding == .absent && view.isNullable)
            for row in range {
                if hasNulls && view.isNull(at: row) {
                    addNull(cluster.key(at: row).rawValue)
                } else if known.insert(SortColumn.rank(type, view, row)) {
                    firsts.append(cluster.key(at: row).rawValue)
                }
            }
        } missing: { position in
            if let keys = rows.keys { addNull(keys[position]) }
        }
        return firsts
    }

    /// Splits the groups by the values of a column.
    static func refine(_ groups: inout ContiguousArray<UInt32>, by column: SortColumn) {
        split(&groups) { position in column.nulls.isEmpty || !column.nulls[position] ? 0 : 1 }
        if !column.mixed.isEmpty {
            let numbers = numbers(of: column.mixed)
            split(&groups) { UInt32(numbers[$0]) }
        } else if !column.texts.isEmpty {
            var texts = TextGroups(column.texts)
            split(&groups) { texts.group(of: $0) }
        } else {
            for ranks in [column.ranks, column.lowRanks] where !ranks.isEmpty {
                var values = GroupTable()
                // What null rows hold is anything.
                split(&groups) { column.nulls.isEmpty || !column.nulls[$0] ? values.group(of: ranks[$0]) : 0 }
            }
        }
    }

    private static func split(_ groups: inout ContiguousArray<UInt32>, _ part: (Int) -> UInt32) {
        var pairs = GroupTable()
        for position in groups.indices { groups[position] = pairs.group(of: UInt64(groups[position]) &<< 32 | UInt64(part(position))) }
    }

    /// Numbers that are equal where the values are.
    private static func numbers(of values: ContiguousArray<MixedValue?>) -> ContiguousArray<Int> {
        let order = values.indices.sorted { MixedValue.compare(values[$0], values[$1]) < 0 }
        var numbers = ContiguousArray(repeating: 0, count: values.count)
        for (place, position) in order.enumerated().dropFirst() {
            let previous = order[place - 1]
            numbers[position] = numbers[previous] + (MixedValue.compare(values[previous], values[position]) == 0 ? 0 : 1)
        }
        return numbers
    }
}

extension ValueReader {
    /// Whether the values become ranks of 64 bits.
    fileprivate var hasRanks: Bool { !type.isVariableLength && WideKind(type) == nil }
}

/// Numbers the different integers that it is asked for, from 0 on. Open addressing, at most half full.
private struct GroupTable {
    /// A group's number plus one; 0 where there is none.
    private var slots: ContiguousArray<UInt32>
    private var values: ContiguousArray<UInt64> = []
    private var shift: UInt64

    init() {
        slots = .init(repeating: 0, count: 256)
        shift = 64 - 8
    }

    @inline(__always)
    private func slot(of value: UInt64) -> Int { Int(truncatingIfNeeded: ((value ^ value &>> 32) &* 0x9E37_79B9_7F4A_7C15) &>> shift) }

    @inline(__always)
    mutating func group(of value: UInt64) -> UInt32 {
        var slot = slot(of: value)
        while slots[slot] != 0 {
            let group = slots[slot] &- 1
            if values[Int(group)] == value { return group }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        values.append(value)
        slots[slot] = UInt32(truncatingIfNeeded: values.count)
        if values.count &* 2 > slots.count { grow() }
        return UInt32(truncatingIfNeeded: values.count &- 1)
    }

    /// Whether the value was not there before.
    @inline(__always)
    mutating func insert(_ value: UInt64) -> Bool {
        let count = values.count
        return Int(group(of: value)) == count
    }

    private mutating func grow() {
        slots = .init(repeating: 0, count: slots.count * 4)
        shift -= 2
        for (group, value) in values.enumerated() {
            var slot = slot(of: value)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(group + 1)
        }
    }
}

/// Numbers different texts.
private struct TextGroups {
    private let texts: ContiguousArray<TextReference>
    /// By hash; a text whose hash belongs to another one goes on with the next number.
    private var groups = GroupTable()
    private var representatives: ContiguousArray<Int> = []

    init(_ texts: ContiguousArray<TextReference>) { self.texts = texts }

    mutating func group(of position: Int) -> UInt32 {
        let text = texts[position].buffer
        var hash = Checksum.xxh64(text)
        while true {
            let group = groups.group(of: hash)
            if Int(group) == representatives.count {
                representatives.append(position)
                return group
            }
            if ByteComparison.areEqual(texts[representatives[Int(group)]].buffer, text) { return group }
            hash &+= 1
        }
    }
}
