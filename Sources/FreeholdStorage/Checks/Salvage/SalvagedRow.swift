/// Copies the values of one row of a damaged file into a row of the new file.
struct SalvagedRow {
    let source: SalvageSource
    /// The rows that the new file will have.
    let keys: [TableID: [Int64]]
    let key: Int64
    let place: MutableRow
    private(set) var lostLinkCount = 0

    /// Copies a non-null value. Returns whether all of it could be read.
    mutating func copy(_ view: ColumnView, _ row: Int, _ column: ColumnDefinition, _ table: TableID)
        -> Bool
    {
        switch column.type {
        case .link:
            guard isSaved(column.target, view.integer(at: row)) else {
                lostLinkCount += 1
                return false
            }
            place.setInteger(column.id, view.integer(at: row))
        case .text, .bytes, .mixed:
            if view.isBlob(at: row) {
                guard let value = blob(view.heapBytes(at: row), table, column) else { return false }
                return value.withUnsafeBytes { setBytes(column.id, $0, column.type) }
            }
            return setBytes(column.id, view.heapBytes(at: row), column.type)
        default: place.copy(column.id, view, row, column.type.layout)
        }
        return true
    }

    private func isSaved(_ table: TableID?, _ key: Int64) -> Bool {
        table.flatMap { keys[$0] }?.containsSorted(key) ?? false
    }

    private mutating func setBytes(
        _ column: ColumnID, _ bytes: UnsafeRawBufferPointer, _ type: ColumnType
    ) -> Bool {
        guard type == .mixed else {
            if type == .text, !ColumnView.isUTF8(bytes) { return false }
            place.setBytes(column, bytes)
            return true
        }
        let (value, isWhole) = mixed(bytes)
        if let value { value.withUnsafeBytes { place.setMixed(column, $0) } }
        return isWhole
    }

    /// A mixed value without links to lost rows; nil if nothing remains.
    private mutating func mixed(_ bytes: UnsafeRawBufferPointer) -> (
        value: ContiguousArray<UInt8>?, isWhole: Bool
    ) {
        guard MixedValue(decoding: bytes) != nil else { return (nil, false) }
        var lost: [TableID: Set<Int64>] = [:]
        MixedValue.forEachLink(in: bytes) {
            if !isSaved($0.table, $0.key) { lost[$0.table, default: []].insert($0.key) }
        }
        var value: ContiguousArray<UInt8>? = ContiguousArray(bytes)
        for (table, keys) in lost {
            lostLinkCount += keys.count
            value = value.flatMap {
                $0.withUnsafeBytes {
                    MixedValue.removingLinks(to: table, keys: keys.sorted(), in: $0)
                }
            }
        }
        return (value, lost.isEmpty)
    }

    /// A long value; nil unless all of it can be read.
    private func blob(_ heap: UnsafeRawBufferPointer, _ table: TableID, _ column: ColumnDefinition)
        -> ContiguousArray<UInt8>?
    {
        guard heap.count == 8 else { return nil }
        let length = UInt64(littleEndian: heap.loadUnaligned(as: UInt64.self))
        var value = ContiguousArray<UInt8>()
        var chunk: UInt32 = 0
        while UInt64(value.count) < length {
            let place = StorageKey.blob(table, column.id, rowKey: key, chunk: chunk).salvageKey
            guard let stored = source.value(place, .blobs), stored.count > StoredBlob.headerSize
            else { return nil }
            let isSound = stored.withUnsafeBytes {
                StoredBlob.hasRightChecksum($0, table, column.id, rowKey: key, chunk: chunk)
            }
            guard isSound else { return nil }
            value += stored[StoredBlob.headerSize...]
            chunk += 1
        }
        return UInt64(value.count) == length ? value : nil
    }

    // MARK: Collections

    /// Copies the readable elements, in order. Returns whether these are all.
    mutating func copyElements(
        _ cell: UnsafeRawBufferPointer, _ column: ColumnDefinition, _ table: MutableTable
    ) -> Bool {
        guard let kind = column.collection, let decoded = try? CollectionCell(decoding: cell) else {
            return false
        }
        switch decoded {
        case .empty: return true
        case .leaf(let bytes):
            guard let tree = table.mutableCollection(of: column.id, key: RowKey(rawValue: key))
            else { return false }
            return copyLeaf(bytes, CollectionLeaf.cellNode, kind, column, tree)
        case .tree(let root):
            guard let tree = table.mutableCollection(of: column.id, key: RowKey(rawValue: key))
            else { return false }
            let lost = lostLinkCount
            let isWhole = copyNode(root.node, root.height, kind, column, tree)
            return isWhole && tree.count + (lostLinkCount - lost) == root.count
        }
    }

    private mutating func copyNode(
        _ node: UInt32, _ height: Int, _ kind: StoredCollectionKind, _ column: ColumnDefinition,
        _ tree: MutableStoredCollection
    ) -> Bool {
        guard
            let bytes = source.value(
                StorageKey.node(tree.tableID, column.id, rowKey: key, node).salvageKey, .elements)
        else { return false }
        return bytes.withUnsafeBytes { bytes in
            if height == 0 { return copyLeaf(bytes, node, kind, column, tree) }
            guard let branch = try? CollectionBranch(decoding: bytes, height: height),
                branch.hasRightChecksum(
                    seed: CollectionLeaf.seed(tree.tableID, column.id, rowKey: key, node))
            else { return false }
            var isWhole = true
            for child in 0..<branch.count
            where !copyNode(branch.node(child), height - 1, kind, column, tree) { isWhole = false }
            return isWhole
        }
    }

    private mutating func copyLeaf(
        _ bytes: UnsafeRawBufferPointer, _ node: UInt32, _ kind: StoredCollectionKind,
        _ column: ColumnDefinition, _ tree: MutableStoredCollection
    ) -> Bool {
        guard let leaf = try? CollectionLeaf(decoding: bytes, start: 0, kind: kind),
            CollectionLeaf.hasRightChecksum(
                bytes, kind, seed: CollectionLeaf.seed(tree.tableID, column.id, rowKey: key, node)),
            !kind.type.isVariableLength
                || leaf.values.heapDefect(leaf.count, isText: kind.type == .text) == nil,
            kind.shape != .map || leaf.keys.heapDefect(leaf.count, isText: true) == nil
        else { return false }
        var isWhole = true
        for element in 0..<leaf.count {
            let index = tree.count
            let isNull = leaf.values.isNull(at: element)
            switch kind.type {
            case .link:
                let target =
                    isNull || !isSaved(column.target, leaf.values.integer(at: element))
                    ? nil : RowKey(rawValue: leaf.values.integer(at: element))
                if !isNull, target == nil {
                    lostLinkCount += 1
                    isWhole = false
                    if kind.shape != .map { continue }
                }
                tree.insert(link: target, at: index)
            case .mixed:
                let (value, wasWhole) =
                    isNull ? (nil, true) : mixed(leaf.values.heapBytes(at: element))
                isWhole = isWhole && wasWhole
                if let value {
                    value.withUnsafeBytes { tree.insert(mixed: $0, at: index) }
                } else if wasWhole || kind.shape != .set {
                    tree.insert(mixed: nil, at: index)
                } else {
                    continue
                }
            case .text, .bytes:
                let place = tree.insert(at: index)
                if isNull {
                    place.setNull(MutableStoredCollection.values)
                } else {
                    place.setBytes(
                        MutableStoredCollection.values, leaf.values.heapBytes(at: element))
                }
            default:
                let place = tree.insert(at: index)
                if isNull {
                    place.setNull(MutableStoredCollection.values)
                } else {
                    place.copy(
                        MutableStoredCollection.values, leaf.values, element, kind.type.layout)
                }
            }
            if kind.shape == .map { tree.setKey(leaf.keys.heapBytes(at: element), at: index) }
        }
        return isWhole
    }
}
