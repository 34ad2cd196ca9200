extension WriteSet {
    /// Throws if a value to be written is longer than ``StorageLayout/longestValue``. O(changed
    /// blobs and leaves of collections).
    ///
    /// Setting a value cannot throw, so lengths are checked at the end: a long value that was
    /// since replaced or deleted does no harm. Inline values are never too long; elements of
    /// collections may be. Records of internal tables have no limit: one of the outbox has a whole
    /// commit.
    package func checkValueLengths(path: String) throws(StorageError) {
        for definition in catalog.tables {
            guard let table = tables[definition.id], !definition.isInternal,
                let found = table.blobTooLong(over: layout.longestValue)
                    ?? table.elementTooLong(over: layout.longestValue)
            else { continue }
            let column = definition[found.place.column]?.name ?? "\(found.place.column.rawValue)"
            throw StorageError(
                .valueTooLarge,
                """
                A value of \(definition.name).\(column) has \(found.length) bytes, and \
                \(layout.longestValue) is the most that a text or data value can have. Nothing \
                of the transaction was written to "\(path)". Split the value over several \
                objects, or keep it in a file of its own and store that file's name.
                """, path: path)
        }
    }
}

extension MutableTable {
    /// The first changed blob, in the order of columns and rows, that is longer than a limit.
    fileprivate func blobTooLong(over limit: Int) -> (place: CellPlace, length: Int)? {
        blobs.compactMap { place, value in
            value.flatMap { $0.count > limit ? (place, $0.count) : nil }
        }.min { $0.place < $1.place }
    }

    /// An element of a changed collection that is longer than a limit.
    fileprivate func elementTooLong(over limit: Int) -> (place: CellPlace, length: Int)? {
        for (place, tree) in trees.sorted(by: { $0.key < $1.key }) where tree.isChanged {
            if let length = tree.lengthOfElement(longerThan: limit) { return (place, length) }
        }
        return nil
    }
}

extension MutableStoredCollection {
    /// The length of a text or bytes longer than a limit, among the changed leaves; nil if
    /// there is none. O(changed leaves).
    fileprivate func lengthOfElement(longerThan limit: Int) -> Int? {
        root.flatMap { lengthOfElement(longerThan: limit, below: $0) }
    }

    private func lengthOfElement(longerThan limit: Int, below node: CollectionNode) -> Int? {
        if let leaf = node.leaf {
            guard node.isChanged, textLength(of: leaf) > limit else { return nil }
            for view in [leaf.columns[CollectionLeaf.valuesPosition]]
                + (kind.shape == .map ? [leaf.columns[CollectionLeaf.keysPosition]] : [])
            {
                for row in 0..<leaf.count where view.heapBytes(at: row).count > limit {
                    return view.heapBytes(at: row).count
                }
            }
            return nil
        }
        for child in node.children {
            if let length = lengthOfElement(longerThan: limit, below: child) { return length }
        }
        return nil
    }
}
