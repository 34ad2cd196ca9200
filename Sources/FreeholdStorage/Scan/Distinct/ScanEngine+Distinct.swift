extension ScanEngine {
    /// Returns the first row of each combination of values, in the order of the keys.
    ///
    /// Null and NaN are ordinary values. Numbers in mixed values are the same if they are
    /// equal, and so are both zeros and the decimals of one cohort. A row is left out if a path
    /// ends early at a null link. A path that does not lead to a column is ignored; a key
    /// without a row counts as null.
    ///
    /// O(rows) for each path, O(rows log rows) for mixed values. For one numeric column of the
    /// table, memory is needed only for its distinct values.
    ///
    /// - Parameter keys: The rows, or nil for all rows of the table.
    package func distinct(
        _ keys: ContiguousArray<Int64>?, in table: TableView, by paths: [ScanPath]
    ) throws(StorageError) -> ContiguousArray<Int64> {
        let rows = SortRows(table: table, keys: keys)
        let readers = paths.compactMap { ValueReader($0, in: table, source: source) }.filter {
            !$0.hasElements
        }
        if readers.isEmpty || rows.count == 0 { return rows.allKeys() }
        if readers.count == 1, readers[0].isDirect, readers[0].hasRanks {
            return DistinctRows.firsts(rows, by: readers[0])
        }
        var groups = ContiguousArray<UInt32>(repeating: 0, count: rows.count)
        var isLeftOut: ContiguousArray<Bool> = []
        for reader in readers {
            let column = SortColumn(reader, rows)
            DistinctRows.refine(&groups, by: column)
            if column.cuts.isEmpty { continue }
            if isLeftOut.isEmpty {
                isLeftOut = column.cuts
            } else {
                for index in column.cuts.indices where column.cuts[index] {
                    isLeftOut[index] = true
                }
            }
        }
        let all = rows.allKeys()
        var firsts: ContiguousArray<Int64> = []
        // Groups are numbered in the order of their first rows. Either all rows of a group are
        // left out, or none.
        var groupCount = 0
        for position in groups.indices where Int(groups[position]) == groupCount {
            groupCount += 1
            if isLeftOut.isEmpty || !isLeftOut[position] { firsts.append(all[position]) }
        }
        return firsts
    }
}

/// Assigns each row the number of its group, from 0 on, in the order of the groups' first rows.
private enum DistinctRows {
    /// The first row of each value of one numeric column of the table itself.
    static func firsts(_ rows: SortRows, by reader: ValueReader) -> ContiguousArray<Int64> {
        let layout = reader.type.layout
        var firsts: ContiguousArray<Int64> = []
        let known = GroupTable()
        var hasNull = false
        func addNull(_ key: Int64) {
            if !hasNull { firsts.append(key) }
            hasNull = true
        }
        rows.forEachRun { cluster, range, _ in
            let view = cluster.columnView(reader.column)
            let hasNulls = view.nulls != nil || (view.encoding == .absent && view.isNullable)
            SortColumn.withRank(layout, view) { rank in
                for row in range {
                    if hasNulls && view.isNull(at: row) {
                        addNull(cluster.key(at: row).rawValue)
                    } else if known.insert(rank(row)) {
                        firsts.append(cluster.key(at: row).rawValue)
                    }
                }
            }
        } missing: { position in
            if let keys = rows.keys { addNull(keys[position]) }
        }
        return firsts
    }

    /// Splits the groups by the values of a column.
    static func refine(_ groups: inout ContiguousArray<UInt32>, by column: SortColumn) {
        split(&groups) { position in
            column.nulls.isEmpty || !column.nulls[position]
                ? 0 : column.cuts.isEmpty || !column.cuts[position] ? 1 : 2
        }
        if !column.mixed.isEmpty {
            let numbers = numbers(of: column.mixed)
            split(&groups) { UInt32(numbers[$0]) }
        } else if !column.texts.isEmpty {
            var texts = TextGroups(column.texts)
            split(&groups) { texts.group(of: $0) }
        } else {
            for ranks in [column.ranks, column.lowRanks] where !ranks.isEmpty {
                let values = GroupTable()
                // The values of null rows are unspecified.
                split(&groups) {
                    column.nulls.isEmpty || !column.nulls[$0] ? values.group(of: ranks[$0]) : 0
                }
            }
        }
    }

    private static func split(_ groups: inout ContiguousArray<UInt32>, _ part: (Int) -> UInt32) {
        let pairs = GroupTable()
        for position in groups.indices {
            groups[position] = pairs.group(
                of: UInt64(groups[position]) &<< 32 | UInt64(part(position)))
        }
    }

    /// Returns numbers that are equal exactly if the values are equal.
    private static func numbers(of values: ContiguousArray<MixedValue?>) -> ContiguousArray<Int> {
        let order = values.indices.sorted { MixedValue.compare(values[$0], values[$1]) < 0 }
        var numbers = ContiguousArray(repeating: 0, count: values.count)
        for (place, position) in order.enumerated().dropFirst() {
            let previous = order[place - 1]
            numbers[position] =
                numbers[previous]
                + (MixedValue.compare(values[previous], values[position]) == 0 ? 0 : 1)
        }
        return numbers
    }
}

extension ValueReader {
    /// Whether the values can be converted to ranks of 64 bits.
    fileprivate var hasRanks: Bool { !type.isVariableLength && !type.isWide }
}

/// Numbers distinct integers, from 0 on. Open addressing, at most half full. Confined to one
/// evaluation.
private final class GroupTable {
    private struct Slot {
        var value: UInt64
        /// The number plus one; 0 for a free slot.
        var group: UInt32
    }

    @exclusivity(unchecked) private var slots: UnsafeMutablePointer<Slot>
    @exclusivity(unchecked) private var capacity: Int
    @exclusivity(unchecked) private var shift: UInt64
    /// The number of distinct integers.
    @exclusivity(unchecked) private(set) var count: Int = 0

    init() {
        capacity = 256
        shift = 64 - 8
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: Slot(value: 0, group: 0), count: capacity)
    }

    deinit { slots.deallocate() }

    /// The slot of a value, or the free slot for it.
    @inline(__always)
    private func place(of value: UInt64) -> Int {
        var place = Int(
            truncatingIfNeeded: ((value ^ value &>> 32) &* 0x9E37_79B9_7F4A_7C15) &>> shift)
        while slots[place].group != 0, slots[place].value != value {
            place = (place &+ 1) & (capacity &- 1)
        }
        return place
    }

    /// The number of a value, assigned if it is new. O(1).
    @inline(__always)
    func group(of value: UInt64) -> UInt32 {
        let place = place(of: value)
        let group = slots[place].group
        return group != 0 ? group &- 1 : add(value, at: place)
    }

    /// Inserts a value; returns whether it was new.
    @inline(__always)
    func insert(_ value: UInt64) -> Bool {
        let place = place(of: value)
        if slots[place].group != 0 { return false }
        _ = add(value, at: place)
        return true
    }

    @inline(never)
    private func add(_ value: UInt64, at place: Int) -> UInt32 {
        count += 1
        slots[place] = Slot(value: value, group: UInt32(count))
        if count * 2 > capacity { grow() }
        return UInt32(count - 1)
    }

    private func grow() {
        let (old, oldCapacity) = (slots, capacity)
        capacity *= 4
        shift -= 2
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: Slot(value: 0, group: 0), count: capacity)
        for index in 0..<oldCapacity where old[index].group != 0 {
            slots[place(of: old[index].value)] = old[index]
        }
        old.deallocate()
    }
}

/// Numbers distinct texts.
private struct TextGroups {
    private let texts: ContiguousArray<TextReference>
    /// By hash; a text whose hash belongs to another text tries the next number.
    private let groups = GroupTable()
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
            if ByteComparison.areEqual(texts[representatives[Int(group)]].buffer, text) {
                return group
            }
            hash &+= 1
        }
    }
}
