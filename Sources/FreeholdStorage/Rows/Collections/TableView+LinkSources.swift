/// Links of every kind, in both directions.
extension TableView {
    /// Calls `body` with the target of each link of a column in the given rows, once for each
    /// link, if the target is in the given table. Rows that do not exist are ignored. For
    /// links, mixed values, and collections of both. O(keys log clusters + links).
    ///
    /// - Parameter target: The table; nil for the column's own target.
    package final func forEachLink(
        of column: ColumnID, in keys: some Sequence<Int64>, onlyOf target: TableID?,
        _ body: (_ target: Int64) -> Void
    ) {
        guard let definition = definition[column],
            definition.type == .link || definition.countsBacklinks
        else { return }
        if definition.hasTarget {
            if target == nil || definition.target == target {
                forEachLink(of: column, in: keys, body)
            }
            return
        }
        func note(_ bytes: UnsafeRawBufferPointer) {
            MixedValue.forEachLink(in: bytes) {
                if target == nil || $0.table == target { body($0.key) }
            }
        }
        for key in keys {
            guard let place = locate(RowKey(rawValue: key)) else { continue }
            if let kind = definition.collection {
                collection(of: column, kind, place.cluster, row: place.row).forEachLeaf { leaf in
                    for element in 0..<leaf.count where !leaf.values.isNull(at: element) {
                        note(leaf.values.heapBytes(at: element))
                    }
                    return true
                }
            } else if !place.cluster.columns[column.position].isNull(at: place.row) {
                withBytes(place.cluster, column, place.row, note)
            }
        }
    }

    /// Calls `body` with each row that a column links to one of the given rows, once for each
    /// of them that it links to. O(keys look-ups + rows + rows of dirty clusters).
    package final func forEachRow(
        linkingBy column: ColumnID, to target: TableID, _ keys: some Collection<Int64>,
        _ body: (_ row: Int64) -> Void
    ) throws(StorageError) {
        guard let definition = definition[column],
            definition.type == .link || definition.countsBacklinks
        else { return }
        if definition.hasTarget, definition.target != target { return }
        var rows: [Int64] = []
        for key in keys {
            rows.removeAll(keepingCapacity: true)
            if definition.countsBacklinks {
                try appendBacklinks(
                    of: definition, to: LinkTarget(table: target, key: key), to: &rows)
            } else {
                try index(of: column)?.appendKeys(equalTo: .integer(key), to: &rows)
                if isDirty { rows.removeAll { !isInCleanCluster($0) } }
            }
            for row in rows { body(row) }
        }
        if isDirty, !definition.countsBacklinks {
            forEachDirtyRow(linkingBy: column, to: Set(keys), body)
        }
    }

    /// Whether the stored index of single links is right about a row that it has: not if its
    /// cluster is dirty, or was removed.
    private func isInCleanCluster(_ key: Int64) -> Bool {
        guard let cluster = cluster(covering: key), !cluster.isDirty else { return false }
        return cluster.row(of: key) != nil
    }

    /// Calls `body` with each row of the dirty clusters whose single link leads to one of the
    /// given rows.
    private func forEachDirtyRow(
        linkingBy column: ColumnID, to keys: Set<Int64>, _ body: (_ row: Int64) -> Void
    ) {
        for cluster in allDirtyClusters {
            let links = cluster.columns[column.position]
            if links.encoding == .absent { continue }
            for row in 0..<cluster.count
            where !links.isNull(at: row) && keys.contains(links.integer(at: row)) {
                body(cluster.key(at: row).rawValue)
            }
        }
    }
}
