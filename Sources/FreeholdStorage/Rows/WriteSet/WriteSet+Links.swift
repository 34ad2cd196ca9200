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
        let dirty =
            source.isDirty
            ? (0..<source.clusterCount).filter { source.isDirty(clusterAt: $0) } : []
        var linking: [Int64] = []
        if let index = source.index(of: column) {
            for key in keys { try index.appendKeys(equalTo: .integer(key), to: &linking) }
            if keys.count > 1 { linking.sort() }
        }
        for index in dirty {
            let cluster = source.cluster(at: index)
            let links = cluster.columns[column.position]
            if links.encoding == .absent { continue }
            let rows = (0..<cluster.count).filter {
                !links.isNull(at: $0) && keys.containsSorted(links.integer(at: $0))
            }
            source.setNull(column, rows, inClusterAt: index)
        }
        var position = 0
        var rows: [Int] = []
        while position < linking.count {
            guard let index = source.clusterIndex(covering: linking[position]) else {
                position += 1
                continue
            }
            let next = index + 1 < source.clusterCount ? source.directory.firstKeys[index + 1] : nil
            rows.removeAll(keepingCapacity: true)
            let isDirty = source.isDirty(clusterAt: index)
            let cluster = source.cluster(at: index)
            while position < linking.count, next.map({ linking[position] < $0 }) ?? true {
                if !isDirty, let row = cluster.row(of: linking[position]) { rows.append(row) }
                position += 1
            }
            source.setNull(column, rows, inClusterAt: index)
        }
    }
}

extension MutableTable {
    /// Sets a column of some rows of one cluster to null.
    fileprivate func setNull(_ column: ColumnID, _ rows: [Int], inClusterAt index: Int) {
        if rows.isEmpty { return }
        let cluster = mutableCluster(at: index)
        counters.values &+= 1
        cluster.setNull(column.position, rows: rows)
    }
}
