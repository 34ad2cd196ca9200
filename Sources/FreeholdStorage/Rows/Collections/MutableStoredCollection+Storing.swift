/// Committing. First every changed collection is settled, which produces its row's cell; then
/// its nodes are written.
extension MutableStoredCollection {
    /// Whether anything must be stored.
    var isChanged: Bool { changeCount > 0 }

    /// The root's elements, if they are few enough for the row's cell.
    private var cellLeaf: CollectionLeafEncoder? {
        guard let root, let leaf = root.leaf else { return nil }
        let encoder = CollectionLeafEncoder(leaf, kind, hidesLengths: layout.hidesLengths)
        return encoder.byteCount < layout.longestInlineValue ? encoder : nil
    }

    /// The row's new cell, if the collection is small and never had nodes; nil otherwise.
    var smallCell: ContiguousArray<UInt8>? {
        guard nextNumber == 1, !isAbandoned else { return nil }
        if root == nil { return [] }
        return cellLeaf.map(cell)
    }

    private func cell(_ encoder: CollectionLeafEncoder) -> ContiguousArray<UInt8> {
        ContiguousArray(unsafeUninitializedCapacity: encoder.byteCount + 1) { bytes, count in
            let bytes = UnsafeMutableRawBufferPointer(bytes)
            bytes[0] = 1
            encoder.write(
                to: UnsafeMutableRawBufferPointer(rebasing: bytes[1..<(encoder.byteCount + 1)]),
                seed: seed(CollectionLeaf.cellNode))
            count = encoder.byteCount + 1
        }
    }

    /// Numbers the new nodes, and returns the row's new cell. Afterwards the collection must
    /// not change.
    func settle() -> ContiguousArray<UInt8> {
        finger = nil
        guard let root else { return [] }
        if let encoder = cellLeaf {
            // A leaf that moves into the cell was the only node, if it was a node.
            if root.number != 0 { isDetached = true }
            root.isChanged = false
            return cell(encoder)
        }
        number(root)
        return CollectionRoot(
            height: root.height, node: root.number, nextNode: nextNumber, count: root.count
        ).encoded
    }

    private func number(_ node: CollectionNode) {
        guard node.isChanged || node.leaf == nil else { return }
        for child in node.children { number(child) }
        if node.number == 0 {
            node.number = nextNumber
            nextNumber += 1
        }
    }

    /// Writes the changed nodes and deletes the removed ones. After ``settle()``.
    func write(to transaction: WriteTransaction) throws(StorageError) {
        if isDetached {
            try Self.deleteNodes(of: column, row: row, in: tableID, transaction)
        } else {
            for number in removedNumbers {
                try StorageKey.node(tableID, column, rowKey: row, number).withBytes {
                    key throws(StorageError) in _ = try transaction.delete(.elements, key: key)
                }
            }
        }
        if let root { try put(root, transaction) }
    }

    private func put(_ node: CollectionNode, _ transaction: WriteTransaction) throws(StorageError) {
        if node.isStub { return }
        for child in node.children { try put(child, transaction) }
        guard node.isChanged else { return }
        let seed = seed(node.number)
        try StorageKey.node(tableID, column, rowKey: row, node.number).withBytes {
            key throws(StorageError) in
            if let leaf = node.leaf {
                let encoder = CollectionLeafEncoder(leaf, kind, hidesLengths: layout.hidesLengths)
                encoder.write(
                    to: try transaction.reserve(.elements, key: key, count: encoder.byteCount),
                    seed: seed)
            } else {
                let bytes = try transaction.reserve(
                    .elements, key: key, count: CollectionBranch.size(node.children.count))
                CollectionBranch.write(
                    node.children.lazy.map(\.number), counts: node.counts, height: node.height,
                    to: bytes, seed: seed)
            }
        }
    }

    /// Deletes every node of a row's collection. O(nodes).
    static func deleteNodes(
        of column: ColumnID, row: Int64, in table: TableID, _ transaction: WriteTransaction
    ) throws(StorageError) {
        let prefix = StorageKey.nodes(table, column, rowKey: row)
        var doomed: [UInt32] = []
        do {
            var cursor = try transaction.cursor(.elements)
            var entry = try prefix.withBytes { key throws(StorageError) in
                try cursor.seek(atOrAfter: key)
            }
            while let current = entry, current.key.count == 18,
                try prefix.withBytes({ key throws(StorageError) in current.key.starts(with: key) })
            {
                doomed.append(
                    UInt32(
                        bigEndian: current.key.loadUnaligned(fromByteOffset: 14, as: UInt32.self)))
                entry = try cursor.next()
            }
        }
        for number in doomed {
            try StorageKey.node(table, column, rowKey: row, number).withBytes {
                key throws(StorageError) in _ = try transaction.delete(.elements, key: key)
            }
        }
    }
}
