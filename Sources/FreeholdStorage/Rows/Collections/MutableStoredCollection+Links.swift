/// Elements that link to rows. Each change reports the added and removed links to the
/// backlinks.
extension MutableStoredCollection {
    /// Inserts a link before the element at `index`; nil for null. O(log n).
    package func insert(link target: RowKey?, at index: Int) {
        precondition(kind.type == .link, "the elements are no links")
        setLink(insertRow(at: index), target)
    }

    /// Sets a link; nil for null. O(log n).
    package func set(link target: RowKey?, at index: Int) {
        precondition(kind.type == .link, "the elements are no links")
        noteLinks(in: index..<(index + 1), areRemoved: true)
        setLink(changeableRow(at: index), target)
    }

    private func setLink(_ place: MutableRow, _ target: RowKey?) {
        guard let target else {
            return place.cluster.setNull(CollectionLeaf.valuesPosition, place.row)
        }
        place.cluster.setInteger(CollectionLeaf.valuesPosition, place.row, target.rawValue)
        guard let table = targetTable else { return }
        self.table.noteLink(
            column, from: row, to: LinkTarget(table: table, key: target.rawValue), 1)
    }

    private var targetTable: TableID? { table.storedColumn(column)?.target }

    /// Inserts a mixed value before the element at `index`; nil for none. O(log n + bytes).
    package func insert(mixed value: UnsafeRawBufferPointer?, at index: Int) {
        precondition(kind.type == .mixed, "the elements are no mixed values")
        setMixed(insertRow(at: index), value)
    }

    /// Sets a mixed value; nil for none. O(log n + bytes).
    package func set(mixed value: UnsafeRawBufferPointer?, at index: Int) {
        precondition(kind.type == .mixed, "the elements are no mixed values")
        noteLinks(in: index..<(index + 1), areRemoved: true)
        setMixed(changeableRow(at: index), value)
    }

    private func setMixed(_ place: MutableRow, _ value: UnsafeRawBufferPointer?) {
        guard let value else {
            return place.cluster.setNull(CollectionLeaf.valuesPosition, place.row)
        }
        place.setBytes(Self.values, value)
        MixedValue.forEachLink(in: value) { table.noteLink(column, from: row, to: $0, 1) }
    }

    /// Reports the links in a range to the backlinks, as added or removed.
    func noteLinks(in range: Range<Int>, areRemoved: Bool) {
        let range = range.clamped(to: 0..<count)
        let change = areRemoved ? -1 : 1
        let target = targetTable
        var index = range.lowerBound
        while index < range.upperBound {
            let leaf = stored.leaf(at: index)
            for element in index..<min(leaf.end, range.upperBound)
            where !leaf.values.isNull(at: element - leaf.start) {
                if kind.type == .link, let target {
                    table.noteLink(
                        column, from: row,
                        to: LinkTarget(
                            table: target, key: leaf.values.integer(at: element - leaf.start)),
                        change)
                } else {
                    MixedValue.forEachLink(in: leaf.values.heapBytes(at: element - leaf.start)) {
                        table.noteLink(column, from: row, to: $0, change)
                    }
                }
            }
            index = leaf.end
        }
    }

    /// Removes the links to rows that are about to be deleted: lists and sets lose the
    /// elements; links in maps and inside mixed values become null.
    func removeLinks(to table: TableID, keys: [Int64]) {
        var found: [Int] = []
        stored.forEachLeaf { leaf in
            for element in 0..<leaf.count
            where !leaf.values.isNull(at: element) && links(leaf, element, to: table, keys) {
                found.append(leaf.start + element)
            }
            return true
        }
        for index in found.reversed() {
            if kind.type == .mixed, kind.shape != .set {
                let leaf = stored.leaf(at: index)
                let rest = MixedValue.removingLinks(
                    to: table, keys: keys, in: leaf.values.heapBytes(at: index - leaf.start))
                if let rest {
                    rest.withUnsafeBytes { set(mixed: $0, at: index) }
                } else {
                    set(mixed: nil, at: index)
                }
            } else if kind.shape == .map {
                set(link: nil, at: index)
            } else {
                remove(index..<(index + 1))
            }
        }
    }

    private func links(_ leaf: CollectionLeaf, _ element: Int, to table: TableID, _ keys: [Int64])
        -> Bool
    {
        if kind.type == .link { return keys.containsSorted(leaf.values.integer(at: element)) }
        var isFound = false
        MixedValue.forEachLink(in: leaf.values.heapBytes(at: element)) { target in
            if target.table == table, keys.containsSorted(target.key) { isFound = true }
        }
        return isFound
    }
}
