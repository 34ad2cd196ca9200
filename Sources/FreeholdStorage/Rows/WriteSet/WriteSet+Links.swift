extension WriteSet {
    /// Removes all links to rows that are about to be deleted: single links become null,
    /// collections lose the elements. The keys are ascending.
    ///
    /// The backlinks name the rows of clean clusters with such links; dirty clusters are
    /// searched.
    func nullifyLinks(to target: MutableTable, keys: [Int64]) throws(StorageError) {
        for definition in catalog.tables {
            for column in definition.columns + (retired[definition.id] ?? []) {
                if column.countsBacklinks {
                    guard !column.hasTarget || column.target == target.id else { continue }
                    try mutableTable(definition.id).removeLinks(
                        in: column, to: target.id, keys: keys)
                } else if column.type == .link, column.target == target.id {
                    try nullifyLinks(in: mutableTable(definition.id), column.id, keys)
                }
            }
        }
    }

    private func nullifyLinks(in source: MutableTable, _ column: ColumnID, _ keys: [Int64])
        throws(StorageError)
    {
        guard source.count > 0 else { return }
        // Dirty clusters are searched, because the base's backlinks may be outdated for them.
        let dirty = source.dirtyClusters
        var linking: [Int64] = []
        if let index = source.index(of: column) {
            for key in keys { try index.appendKeys(equalTo: .integer(key), to: &linking) }
            if keys.count > 1 { linking.sort() }
        }
        for cluster in dirty {
            let links = cluster.columns[column.position]
            if links.encoding == .absent { continue }
            let rows = (0..<cluster.count).filter {
                !links.isNull(at: $0) && keys.containsSorted(links.integer(at: $0))
            }
            source.setNull(column, rows, of: cluster)
        }
        var position = 0
        var rows: [Int] = []
        while position < linking.count {
            let cluster = source.cluster(covering: linking[position])
            rows.removeAll(keepingCapacity: true)
            repeat {
                if let cluster, !cluster.isDirty, let row = cluster.row(of: linking[position]) {
                    rows.append(row)
                }
                position += 1
            } while position < linking.count
                && source.cluster(covering: linking[position]) === cluster
            if let cluster { source.setNull(column, rows, of: cluster) }
        }
    }
}

extension MutableTable {
    /// Sets a column of some rows of one cluster to null.
    fileprivate func setNull(_ column: ColumnID, _ rows: [Int], of cluster: ClusterView) {
        guard !rows.isEmpty, let cluster = mutableCluster(covering: cluster.firstKey) else {
            return
        }
        counters.values &+= 1
        cluster.setNull(column.position, rows: rows)
    }
}
