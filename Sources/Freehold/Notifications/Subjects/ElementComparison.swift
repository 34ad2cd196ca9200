import FreeholdStorage

/// Compares the elements of a collection in two versions.
///
/// Leaves at the same place of the file are equal, because the pages of a version that is being
/// read are never rewritten. So only the differing leaves of a large collection are read, and
/// those between them. Elements are numbered, equal ones alike, and the numbers compared.
struct ElementComparison {
    let old: StoredCollection
    let new: StoredCollection

    func changes() -> CollectionChanges {
        let (start, end) = commonEnds()
        var numbers = ElementNumbers()
        let before = numbers.numbers(of: old, start..<(old.count - end))
        let after = numbers.numbers(of: new, start..<(new.count - end))
        return Self.changes(before, after, offset: start)
    }

    /// Compares two orders of the elements.
    static func changes(
        _ old: StoredCollection, _ oldOrder: ContiguousArray<Int64>, _ new: StoredCollection,
        _ newOrder: ContiguousArray<Int64>
    ) -> CollectionChanges {
        var numbers = ElementNumbers()
        let before = numbers.numbers(of: old, 0..<old.count)
        let after = numbers.numbers(of: new, 0..<new.count)
        return changes(
            ContiguousArray(oldOrder.lazy.map { before[Int($0)] }),
            ContiguousArray(newOrder.lazy.map { after[Int($0)] }), offset: 0)
    }

    /// Compares numbered elements.
    static func changes(
        _ before: ContiguousArray<Int64>, _ after: ContiguousArray<Int64>, offset: Int
    ) -> CollectionChanges {
        var difference = SequenceDifference(from: before, to: after)
        var changes = CollectionChanges()
        changes.modifications = difference.pairReplacements()
        changes.deletions = difference.deletions
        changes.insertions = difference.insertions
        if offset > 0 {
            for index in changes.deletions.indices { changes.deletions[index] += offset }
            for index in changes.insertions.indices { changes.insertions[index] += offset }
            for index in changes.modifications.indices { changes.modifications[index] += offset }
        }
        return changes
    }

    /// The number of elements, at the beginning and at the end, in leaves that both versions
    /// share.
    private func commonEnds() -> (start: Int, end: Int) {
        var start = 0
        while start < old.count, start < new.count {
            let (a, b) = (old.leaf(at: start), new.leaf(at: start))
            guard a.isSame(as: b) else { break }
            start = a.end
        }
        var end = 0
        let most = min(old.count, new.count) - start
        while end < most {
            let (a, b) = (old.leaf(at: old.count - 1 - end), new.leaf(at: new.count - 1 - end))
            guard a.isSame(as: b), end + a.count <= most else { break }
            end += a.count
        }
        return (start, end)
    }
}

/// Numbers elements: equal ones get equal numbers.
struct ElementNumbers {
    private var known: [ElementContent: Int64] = [:]

    private enum ElementContent: Hashable {
        case null
        case words(UInt64, UInt64)
        case bytes(ContiguousArray<UInt8>)
    }

    /// The numbers of some elements, in order. O(count), plus the length of texts.
    mutating func numbers(of elements: StoredCollection, _ range: Range<Int>) -> ContiguousArray<
        Int64
    > {
        var numbers = ContiguousArray<Int64>()
        numbers.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let leaf = elements.leaf(at: index)
            while index < min(leaf.end, range.upperBound) {
                numbers.append(number(of: leaf.values, index - leaf.start, elements.kind.type))
                index += 1
            }
        }
        return numbers
    }

    /// The number of one element.
    mutating func number(of values: ColumnView, _ row: Int, _ type: ColumnType) -> Int64 {
        number(of: Self.content(values, row, type))
    }

    /// The number of a value.
    mutating func number(of value: MixedValue?) -> Int64 {
        number(of: value.map { ElementContent.bytes($0.encoded) } ?? .null)
    }

    private mutating func number(of content: ElementContent) -> Int64 {
        if let number = known[content] { return number }
        let number = Int64(known.count)
        known[content] = number
        return number
    }

    private static func content(_ values: ColumnView, _ row: Int, _ type: ColumnType)
        -> ElementContent
    {
        if values.isNull(at: row) { return .null }
        switch type.layout {
        case .integers: return .words(UInt64(bitPattern: values.integer(at: row)), 0)
        case .bits: return .words(values.boolean(at: row) ? 1 : 0, 0)
        case .doubles: return .words(values.double(at: row).bitPattern, 0)
        case .floats: return .words(UInt64(values.float(at: row).bitPattern), 0)
        case .fixed16:
            let (a, b) = values.fixed16(at: row)
            return .words(a, b)
        case .fixed12:
            let (a, b) = values.fixed12(at: row)
            return .words(a, UInt64(b))
        case .heap: return .bytes(ContiguousArray(values.heapBytes(at: row)))
        }
    }
}

extension CollectionLeaf {
    /// Whether both are the same bytes of the file.
    fileprivate func isSame(as other: CollectionLeaf) -> Bool {
        count == other.count && values.encoding == other.values.encoding
            && values.data == other.values.data && values.base == other.values.base
            && values.encoding != .constant && values.encoding != .absent
            && values.nulls == other.values.nulls
    }
}
