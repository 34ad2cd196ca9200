/// The dirty clusters of the transaction, which replace the stored ones.
extension MutableTable {
    /// Gives the table a directory of its own. O(clusters) the first time.
    func open() {
        guard !isOpened else { return }
        if let base { ownDirectory = base.directory }
        isOpened = true
        clusters = .init(repeating: nil, count: ownDirectory.clusterCount)
        if !sparse.isEmpty { placeSparseClusters() }
    }

    /// The cluster at a position, writable. Increments the layout generation if it becomes
    /// dirty.
    func mutableCluster(at index: Int) -> MutableCluster {
        open()
        let old = cluster(at: index)
        if old.isMutable { return unsafeDowncast(old, to: MutableCluster.self) }
        let new = addDirty(replacing: old)
        clusters[index] = .passUnretained(new)
        counters.layout &+= 1
        return new
    }

    /// A mutable form of a stored or frozen cluster.
    func addDirty(replacing old: ClusterView) -> MutableCluster {
        if old.isDirty {
            let new = MutableCluster(continuing: unsafeDowncast(old, to: MutableCluster.self))
            dirty[Int(new.ordinal)] = new
            mutableClusters.append(new)
            if let watch { new.beWatched(by: watch) }
            return new
        }
        let new = MutableCluster(old, kinds: kinds, capacity: layout.rowsPerCluster)
        replaced.append(old.firstKey)
        appendDirty(new)
        return new
    }

    /// Inserts a new cluster. Increments the layout generation: a draft notices its first edit
    /// since a savepoint by that.
    func insert(_ cluster: MutableCluster, at index: Int) {
        counters.layout &+= 1
        ownDirectory.insert(firstKey: cluster.firstKey, count: cluster.count, at: index)
        clusters.insert(.passUnretained(cluster), at: index)
        appendDirty(cluster)
    }

    func appendDirty(_ cluster: MutableCluster) {
        cluster.ordinal = Int32(dirty.count)
        if let watch { cluster.beWatched(by: watch) }
        dirty.append(cluster)
        mutableClusters.append(cluster)
    }

    private func removeCluster(at index: Int) {
        ownDirectory.remove(at: index)
        clusters.remove(at: index)
    }

    /// Extends the first cluster to smaller keys. Its stored form moves to another key, so all
    /// of it is written.
    func lowerFirstKey(to key: Int64) {
        let first = mutableCluster(at: 0)
        first.makeAllMutable()
        if first.columns[0].encoding == .sequence { first.makeMutable(0) }
        let count = first.count
        removeCluster(at: 0)
        first.firstKey = key
        ownDirectory.insert(firstKey: key, count: count, at: 0)
        clusters.insert(.passUnretained(first), at: 0)
    }

    /// Removes emptied clusters, all in one pass.
    func removeClusters(at indexes: [Int]) {
        guard indexes.count > 1 else {
            // Rows that are deleted one by one: only a move of what follows.
            if let index = indexes.first { removeCluster(at: index) }
            return
        }
        var doomed = Set(indexes)
        var firstKeys = ContiguousArray<Int64>()
        var counts = ContiguousArray<Int32>()
        var kept = ContiguousArray<Unmanaged<ClusterView>?>()
        for index in 0..<ownDirectory.clusterCount where doomed.remove(index) == nil {
            firstKeys.append(ownDirectory.firstKeys[index])
            counts.append(ownDirectory.counts[index])
            kept.append(clusters[index])
        }
        ownDirectory = ClusterDirectory(firstKeys: firstKeys, counts: counts)
        clusters = kept
    }

    /// Every dirty cluster that still has rows, in order, for the commit. O(n log n) for n
    /// dirty clusters.
    var dirtyClusters: ContiguousArray<MutableCluster> {
        var standing = ContiguousArray(dirty.lazy.filter { $0.count > 0 })
        standing.sort { $0.firstKey < $1.firstKey }
        return standing
    }
}
