/// Collections that the open transaction changes.
extension MutableTable {
    /// A row's collection, writable; nil without such a row. O(1) after the first call.
    package func mutableCollection(of column: ColumnID, key: RowKey) -> MutableStoredCollection? {
        let place = CellPlace(column: column, rowKey: key.rawValue)
        if let tree = trees[place], !tree.isFrozen { return tree }
        guard let found = locate(key), let kind = storedColumn(column)?.collection else {
            return nil
        }
        let tree =
            trees[place].map { MutableStoredCollection(continuing: $0, in: self) }
            ?? MutableStoredCollection(
                decoding: found.cluster.columns[column.position].heapBytes(at: found.row), of: self,
                column, row: key.rawValue, kind: kind)
        keepTree(tree, at: place)
        return tree
    }

    /// Writes the new cells of changed collections into their rows, before the clusters are
    /// stored. O(elements of the changed leaves).
    func settleElements() {
        for (place, tree) in trees.sorted(by: {
            ($0.key.rowKey, $0.key.column) < ($1.key.rowKey, $1.key.column)
        })
        where tree.isChanged && definition[place.column] != nil {
            guard let row = mutableRow(RowKey(rawValue: place.rowKey)) else { continue }
            tree.settle().withUnsafeBytes { row.setBytes(place.column, $0) }
        }
    }

    /// Writes a changed collection into its row's cell now, if it is small, and drops its tree.
    /// Trees returned for it earlier must not be used any more.
    package func settleSmallElements(of column: ColumnID, key: RowKey) {
        let place = CellPlace(column: column, rowKey: key.rawValue)
        guard let tree = trees[place], tree.isChanged, !tree.isFrozen, let cell = tree.smallCell,
            let row = mutableRow(key)
        else { return }
        cell.withUnsafeBytes { row.setBytes(column, $0) }
        dropTree(at: place)
    }

    /// Stores the nodes of changed collections, and deletes those of deleted rows. After
    /// ``settleElements()``.
    func writeElements(to transaction: WriteTransaction) throws(StorageError) {
        for place in droppedTrees.sorted() {
            try MutableStoredCollection.deleteNodes(
                of: place.column, row: place.rowKey, in: id, transaction)
        }
        for (place, tree) in trees.sorted(by: { $0.key < $1.key })
        where tree.isChanged && definition[place.column] != nil { try tree.write(to: transaction) }
    }

    /// Drops the collections and links of rows that are about to be deleted but still exist.
    func dropElements(of cluster: ClusterView, unless keeps: ContiguousArray<UInt8>) {
        for column in storedColumns {
            if let kind = column.collection {
                for row in 0..<cluster.count where keeps[row] == 0 {
                    dropElements(of: column, kind, cluster, row)
                }
            } else if column.type == .mixed {
                for row in 0..<cluster.count where keeps[row] == 0 {
                    noteMixed(column.id, cluster, row, -1)
                }
            }
        }
    }

    private func dropElements(
        of column: ColumnDefinition, _ kind: StoredCollectionKind, _ cluster: ClusterView,
        _ row: Int
    ) {
        let key = cluster.key(at: row)
        let cell = cluster.columns[column.id.position].heapBytes(at: row)
        let place = CellPlace(column: column.id, rowKey: key.rawValue)
        if cell.isEmpty, trees[place] == nil { return }
        if kind.carriesLinks, let tree = mutableCollection(of: column.id, key: key) {
            tree.noteLinks(in: 0..<tree.count, areRemoved: true)
        }
        forgetTree(at: place, hasNodes: cell.first == 2)
    }

    /// Reports the links in a row's mixed value to the backlinks.
    func noteMixed(_ column: ColumnID, _ cluster: ClusterView, _ row: Int, _ change: Int) {
        let view = cluster.columns[column.position]
        if view.encoding == .absent || view.isNull(at: row) { return }
        let key = cluster.key(at: row)
        withBytes(cluster, column, row) { bytes in
            MixedValue.forEachLink(in: bytes) {
                noteLink(column, from: key.rawValue, to: $0, change)
            }
        }
    }

    /// Removes the links to rows that are about to be deleted from collections and mixed
    /// values. O(backlinks + elements of their owners).
    func removeLinks(in column: ColumnDefinition, to target: TableID, keys: [Int64])
        throws(StorageError)
    {
        if count == 0 { return }
        var owners: Set<Int64> = []
        for key in keys {
            try forEachBacklink(of: column, to: LinkTarget(table: target, key: key)) { owner, _ in
                owners.insert(owner)
            }
        }
        for owner in owners.sorted() {
            if column.collection != nil {
                mutableCollection(of: column.id, key: RowKey(rawValue: owner))?.removeLinks(
                    to: target, keys: keys)
            } else if let row = mutableRow(RowKey(rawValue: owner)) {
                let rest = withBytes(row.cluster, column.id, row.row) {
                    MixedValue.removingLinks(to: target, keys: keys, in: $0)
                }
                if let rest {
                    rest.withUnsafeBytes { row.setMixed(column.id, $0) }
                } else {
                    row.setMixed(column.id, nil)
                }
            }
        }
    }

    // MARK: Trees and links that are kept

    func keepTree(_ tree: MutableStoredCollection, at place: CellPlace) {
        trees[place] = tree
        mutableTrees.append(tree)
    }

    /// Drops a tree whose elements are in the row's cell. Most likely it is the last one added.
    func dropTree(at place: CellPlace) {
        guard let tree = trees.removeValue(forKey: place) else { return }
        if let index = mutableTrees.lastIndex(where: { $0 === tree }) {
            mutableTrees.remove(at: index)
        }
    }

    func forgetTree(at place: CellPlace, hasNodes: Bool) {
        trees[place] = nil
        if hasNodes { droppedTrees.insert(place) }
    }

    /// Logs added or removed links of a row.
    func noteLink(_ column: ColumnID, from row: Int64, to target: LinkTarget, _ change: Int) {
        linkLogs[column, default: BacklinkLog()].note(target, from: row, change)
    }
}
