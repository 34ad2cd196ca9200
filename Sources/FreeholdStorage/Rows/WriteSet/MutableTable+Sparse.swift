/// Changing rows while the directory is not loaded.
///
/// Loading it changes the table, so a table that several threads may read has it:
/// ``MutableTable/freeze()`` opens the table.
extension MutableTable {
    /// Whether the next change can do without the directory.
    var canStaySparse: Bool { !isOpened && !base.unsafelyUnwrapped.hasDirectory }

    /// Loads the directory if clusters were changed without it.
    @inline(__always)
    func openIfSparse() { if !isOpened, !sparse.isEmpty { open() } }

    /// As ``cluster(covering:)``, of a table that is not open.
    func sparseCluster(covering key: Int64) -> ClusterView? {
        if let cluster = sparse.appended(covering: key) { return cluster }
        return base.unsafelyUnwrapped.cluster(covering: key).map(sparse.current)
    }

    /// The cluster that `sparseCluster(covering:)` returned, writable. Increments the layout
    /// generation if it becomes dirty.
    private func sparseMutableCluster(_ cluster: ClusterView) -> MutableCluster {
        if cluster.isMutable { return unsafeDowncast(cluster, to: MutableCluster.self) }
        let new = addDirty(replacing: cluster)
        sparse.replace(with: new)
        counters.layout &+= 1
        return new
    }

    /// The cluster that covers a key, writable; nil if none does.
    func mutableCluster(covering key: Int64) -> MutableCluster? {
        if canStaySparse { return sparseCluster(covering: key).map(sparseMutableCluster) }
        return clusterIndex(covering: key).map(mutableCluster(at:))
    }

    /// Returns an existing row, made writable.
    func sparseMutableRow(_ key: RowKey) -> MutableRow? {
        guard let cluster = sparseCluster(covering: key.rawValue),
            let row = cluster.row(of: key.rawValue)
        else { return nil }
        counters.values &+= 1
        return MutableRow(table: self, cluster: sparseMutableCluster(cluster), row: row)
    }

    /// Adds a row; nil if that takes the directory. O(log clusters + rows of a cluster).
    func insertSparsely(_ key: RowKey) -> MutableRow? {
        guard let cluster = sparseCluster(covering: key.rawValue) else { return nil }
        let row = cluster.lowerBound(of: key.rawValue)
        if row < cluster.count, cluster.key(at: row) == key { return nil }
        if cluster.count < layout.rowsPerCluster {
            return insert(key, into: sparseMutableCluster(cluster), at: row)
        }
        guard row == cluster.count, sparse.appended.count < SparseClusters.mostAppended,
            sparseCluster(covering: .max) === cluster
        else { return nil }
        let new = MutableCluster(
            firstKey: key.rawValue, kinds: kinds, capacity: layout.rowsPerCluster)
        sparse.append(new)
        appendDirty(new)
        return insert(key, into: new, at: 0)
    }

    private func insert(_ key: RowKey, into cluster: MutableCluster, at row: Int) -> MutableRow {
        cluster.insertRow(key.rawValue, at: row)
        sparse.addedRowCount += 1
        counters.layout &+= 1
        return MutableRow(table: self, cluster: cluster, row: row)
    }

    /// The cluster of a row that can be deleted without the directory: not the last one of its
    /// cluster, and the only one to be deleted.
    func sparseCluster(ofOnly keys: [Int64]) -> ClusterView? {
        guard keys.count == 1, canStaySparse, let cluster = sparseCluster(covering: keys[0]),
            cluster.count > 1
        else { return nil }
        return cluster
    }

    /// Deletes rows of a cluster that keeps others.
    func keepRowsSparsely(_ keeps: ContiguousArray<UInt8>, of cluster: ClusterView, kept: Int) {
        sparse.addedRowCount -= cluster.count - kept
        sparseMutableCluster(cluster).keepRows(keeps, count: kept)
    }

    /// Puts the changed clusters into the directory, which was just loaded.
    func placeSparseClusters() {
        for (firstKey, cluster) in sparse.replacing {
            guard let index = ownDirectory.clusterIndex(covering: firstKey),
                ownDirectory.firstKeys[index] == firstKey
            else {
                // No commit will succeed any more.
                noteDamage(
                    .damaged("The directory of table \(definition.name) is damaged.", path: path))
                continue
            }
            clusters[index] = cluster
            let count = cluster._withUnsafeGuaranteedRef(\.count)
            if count != ownDirectory.counts[index] { ownDirectory.setCount(count, at: index) }
        }
        for cluster in sparse.appended {
            let (firstKey, count) = cluster._withUnsafeGuaranteedRef { ($0.firstKey, $0.count) }
            ownDirectory.insert(firstKey: firstKey, count: count, at: ownDirectory.clusterCount)
            clusters.append(cluster)
        }
        sparse = SparseClusters()
    }
}
