/// Deleting rows.
extension MutableTable {
    /// Deletes rows; keys without a row are ignored. Links to them become null. O(dirty
    /// clusters + links).
    ///
    /// - Parameter areUnlinked: Whether no row links to them. Then it does not look for links,
    ///   and is O(dirty clusters of this table).
    package func deleteRows(_ keys: [Int64], areUnlinked: Bool = false) throws(StorageError) {
        guard !keys.isEmpty else { return }
        var keys = keys
        if zip(keys, keys.dropFirst()).contains(where: { $0 >= $1 }) { keys.sort() }
        if !areUnlinked { try writeSet.nullifyLinks(to: self, keys: keys) }
        if !retired.isEmpty { try writeSet.deleteRowsOwned(byRetiredColumnsOf: self, keys) }
        counters.values &+= 1
        counters.layout &+= 1
        if let cluster = sparseCluster(ofOnly: keys) {
            guard let row = cluster.row(of: keys[0]) else { return }
            var keeps = ContiguousArray<UInt8>(repeating: 1, count: cluster.count)
            keeps[row] = 0
            dropValues(of: cluster, unless: keeps)
            keepRowsSparsely(keeps, of: cluster, kept: cluster.count - 1)
            return
        }
        open()
        var keeps = ContiguousArray<UInt8>(repeating: 1, count: layout.rowsPerCluster)
        var position = 0
        var emptied: [Int] = []
        while position < keys.count {
            guard let index = ownDirectory.clusterIndex(covering: keys[position]) else {
                position += 1
                continue
            }
            let end =
                index + 1 < ownDirectory.clusterCount
                ? ownDirectory.firstKeys[index + 1] : Int64.max
            let cluster = cluster(at: index)
            if keeps.count < cluster.count { keeps = .init(repeating: 1, count: cluster.count) }
            for row in 0..<cluster.count { keeps[row] = 1 }
            var kept = cluster.count
            let first = position
            while position < keys.count, position == first || keys[position] < end {
                if let row = cluster.row(of: keys[position]), keeps[row] != 0 {
                    keeps[row] = 0
                    kept -= 1
                }
                position += 1
            }
            if kept == cluster.count { continue }
            dropValues(of: cluster, unless: keeps)
            if kept == 0 {
                mutableCluster(at: index).removeAllRows()
                emptied.append(index)
            } else {
                mutableCluster(at: index).keepRows(keeps, count: kept)
            }
            ownDirectory.setCount(kept, at: index)
        }
        removeClusters(at: emptied)
    }

    /// Drops what is stored outside of the clusters.
    private func dropValues(of cluster: ClusterView, unless keeps: ContiguousArray<UInt8>) {
        // Before the blobs, which hold the links of mixed values.
        if storedColumns.contains(where: { $0.collection != nil || $0.type == .mixed }) {
            dropElements(of: cluster, unless: keeps)
        }
        deleteBlobs(of: cluster, unless: keeps)
    }

    private func deleteBlobs(of cluster: ClusterView, unless keeps: ContiguousArray<UInt8>) {
        for column in storedColumns where column.type.isVariableLength {
            let view = cluster.columns[column.id.position]
            guard view.blobs != nil else { continue }
            for row in 0..<cluster.count where keeps[row] == 0 && view.isBlob(at: row) {
                setBlob(nil, column: column.id, rowKey: cluster.key(at: row).rawValue)
            }
        }
    }

    package func deleteAllRows() throws(StorageError) { try deleteRows(allKeys) }
}
