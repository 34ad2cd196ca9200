/// A step that reorders or selects the elements of a collection, by their positions.
package enum ElementStep: Hashable, Sendable {
    /// Sorts by value: null, NaN, then the order of the type; descending is the exact opposite.
    /// The sort is stable.
    case sorted(ascending: Bool)
    /// Keeps the first of equal elements.
    case distinct
    /// Skips the first `offset` elements, and keeps at most `limit` of the others.
    case slice(offset: Int, limit: Int)

    /// Whether the step keeps the number of elements.
    package var keepsAll: Bool { if case .sorted = self { true } else { false } }
}

extension StoredCollection {
    /// The positions of the elements after some steps, applied in order. Not for links.
    ///
    /// O(count) for each step, after one sort: O(count) for numbers; O(bytes that distinguish
    /// them) for text and bytes; O(count log count) for mixed values.
    package func positions(after steps: [ElementStep]) -> ContiguousArray<Int64> {
        if steps.isEmpty { return ContiguousArray((0..<count).lazy.map { Int64($0) }) }
        let groups = ElementGroups(self)
        if steps == [.sorted(ascending: true)] { return groups.ascending }
        var positions: ContiguousArray<Int64> = .init((0..<count).lazy.map { Int64($0) })
        for step in steps {
            switch step {
            case .sorted(let ascending): positions = groups.sorted(positions, ascending: ascending)
            case .slice(let offset, let limit):
                positions = ContiguousArray(positions.dropFirst(offset).prefix(limit))
            case .distinct:
                var seen = ContiguousArray(repeating: false, count: groups.groupCount)
                positions.removeAll { position in
                    let group = Int(groups.group[Int(position)])
                    defer { seen[group] = true }
                    return seen[group]
                }
            }
        }
        return positions
    }
}

/// The elements of a collection, sorted once and numbered. Equal elements have the same number,
/// and greater ones a greater number, from which every further order is computed.
private struct ElementGroups {
    /// The positions in ascending order of their elements; equal ones in order of position.
    private(set) var ascending: ContiguousArray<Int64>
    /// For each position, the number of its element.
    private(set) var group: ContiguousArray<UInt32>
    private(set) var groupCount = 0

    init(_ elements: StoredCollection) {
        let count = elements.count
        ascending = []
        ascending.reserveCapacity(count)
        group = .init(repeating: 0, count: count)
        let type = elements.kind.type
        if type == .mixed {
            sortMixed(elements)
        } else if type.isVariableLength {
            sortTexts(elements)
        } else {
            sortNumbers(elements, type)
        }
    }

    /// Sorts positions by their elements. Stable, O(count).
    func sorted(_ positions: ContiguousArray<Int64>, ascending: Bool) -> ContiguousArray<Int64> {
        var starts = ContiguousArray(repeating: 0, count: groupCount + 1)
        func bucket(_ position: Int64) -> Int {
            ascending ? Int(group[Int(position)]) : groupCount - 1 - Int(group[Int(position)])
        }
        for position in positions { starts[bucket(position) + 1] += 1 }
        for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
        var sorted = ContiguousArray(repeating: Int64(0), count: positions.count)
        for position in positions {
            let bucket = bucket(position)
            sorted[starts[bucket]] = position
            starts[bucket] += 1
        }
        return sorted
    }

    /// Appends the next element in ascending order.
    private mutating func append(_ position: Int64, isEqualToLast: Bool) {
        if !isEqualToLast { groupCount += 1 }
        ascending.append(position)
        group[Int(position)] = UInt32(truncatingIfNeeded: groupCount - 1)
    }

    private mutating func append(nulls: ContiguousArray<Int64>) {
        for position in nulls { append(position, isEqualToLast: position != nulls[0]) }
    }

    /// Elements in ascending order.
    @inline(__always)
    private mutating func append(
        _ records: ContiguousArray<SortRecord>, areEqual: (Int, Int) -> Bool
    ) {
        var last: Int?
        for record in records {
            let position = Int(record.payload)
            append(record.payload, isEqualToLast: last.map { areEqual($0, position) } ?? false)
            last = position
        }
    }

    // MARK: By type

    /// Calls `body` with each non-null element, and returns the positions of the others.
    private func forEachValue(
        _ elements: StoredCollection,
        _ body: (_ position: Int, _ view: ColumnView, _ row: Int) -> Void
    ) -> ContiguousArray<Int64> {
        var nulls: ContiguousArray<Int64> = []
        elements.forEachLeaf { leaf in
            for row in 0..<leaf.count {
                if leaf.values.isNull(at: row) {
                    nulls.append(Int64(leaf.start + row))
                } else {
                    body(leaf.start + row, leaf.values, row)
                }
            }
            return true
        }
        return nulls
    }

    /// Sorts types with one or two ranks: see ``SortColumn``.
    private mutating func sortNumbers(_ elements: StoredCollection, _ type: ColumnType) {
        let isWide = type.isWide
        let layout = type.layout
        var ranks = ContiguousArray(repeating: UInt64(0), count: elements.count)
        var lowRanks: ContiguousArray<UInt64> = isWide ? ranks : []
        var records: ContiguousArray<SortRecord> = []
        records.reserveCapacity(elements.count)
        let nulls = forEachValue(elements) { position, view, row in
            if isWide {
                let key = type.wideKey(at: row, in: view)
                ranks[position] = UInt64(truncatingIfNeeded: key >> 64)
                lowRanks[position] = UInt64(truncatingIfNeeded: key)
            } else {
                ranks[position] = SortColumn.rank(layout, view, row)
            }
            records.append(SortRecord(rank: 0, payload: Int64(position)))
        }
        append(nulls: nulls)
        // The lower half first, because each sort is stable.
        for half in [lowRanks, ranks] where !half.isEmpty {
            for index in records.indices { records[index].rank = half[Int(records[index].payload)] }
            sort(&records) { RadixSort.sort($0, scratch: $1) }
        }
        append(records) {
            ranks[$0] == ranks[$1] && (lowRanks.isEmpty || lowRanks[$0] == lowRanks[$1])
        }
    }

    private mutating func sortTexts(_ elements: StoredCollection) {
        var texts = ContiguousArray(
            repeating: TextReference(start: nil, count: 0), count: elements.count)
        var records: ContiguousArray<SortRecord> = []
        let nulls = forEachValue(elements) { position, view, row in
            let bytes = view.heapBytes(at: row)
            texts[position] = TextReference(start: bytes.baseAddress, count: bytes.count)
            records.append(SortRecord(rank: 0, payload: Int64(position)))
        }
        append(nulls: nulls)
        texts.withUnsafeBufferPointer { texts in
            guard let start = texts.baseAddress else { return }
            sort(&records) { TextSort(texts: start, scratch: $1, ascending: true).sort($0) }
        }
        append(records) { ElementOrder.compare(texts[$0].buffer, texts[$1].buffer) == 0 }
    }

    private mutating func sortMixed(_ elements: StoredCollection) {
        var values: ContiguousArray<(position: Int64, value: MixedValue?)> = []
        let nulls = forEachValue(elements) { position, view, row in
            values.append((Int64(position), MixedValue(decoding: view.heapBytes(at: row))))
        }
        append(nulls: nulls)
        values.sort { a, b in
            let order = MixedValue.compare(a.value, b.value)
            return order == 0 ? a.position < b.position : order < 0
        }
        for (index, element) in values.enumerated() {
            append(
                element.position,
                isEqualToLast: index > 0
                    && MixedValue.compare(values[index - 1].value, element.value) == 0)
        }
    }

    private func sort(
        _ records: inout ContiguousArray<SortRecord>,
        _ body: (
            _ records: UnsafeMutableBufferPointer<SortRecord>,
            _ scratch: UnsafeMutableBufferPointer<SortRecord>
        ) -> Void
    ) {
        var scratch = records
        records.withUnsafeMutableBufferPointer { records in
            scratch.withUnsafeMutableBufferPointer { body(records, $0) }
        }
    }
}
