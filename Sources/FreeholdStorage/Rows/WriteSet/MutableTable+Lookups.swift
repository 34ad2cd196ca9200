/// Values of indexed columns in the dirty clusters of the transaction.
extension MutableTable {
    /// See ``TableView/changedClusters(mayHold:)``.
    func findChangedClusters(mayHold lookups: [ScanLookup]) -> ContiguousArray<Int>? {
        var ordinals: Set<Int32> = []
        for lookup in lookups {
            guard let index = dirtyIndex(of: lookup.column) else { return nil }
            index.find(lookup.values, in: self, &ordinals)
        }
        var positions = ContiguousArray<Int>()
        positions.reserveCapacity(ordinals.count)
        for ordinal in ordinals {
            let cluster = dirty[Int(ordinal)]
            // Emptied clusters have left the directory.
            guard let position = clusterIndex(covering: cluster.firstKey),
                self.cluster(at: position) === cluster
            else { continue }
            positions.append(position)
        }
        positions.sort()
        return positions
    }

    /// Created on first use, in O(dirty clusters).
    private func dirtyIndex(of id: ColumnID) -> DirtyIndex? {
        let watch = watch ?? beginWatching()
        if let known = watch.index(of: id) { return known }
        guard let column = definition[id] else { return nil }
        let index = DirtyIndex(column)
        for (ordinal, cluster) in dirty.enumerated()
        where cluster.membershipChanged || cluster.isWritten(id.position) {
            index.note(Int32(ordinal))
        }
        watch.add(index)
        return index
    }

    private func beginWatching() -> ClusterWatch {
        let watch = ClusterWatch(columnCount: kinds.count)
        for cluster in dirty { cluster.beWatched(by: watch) }
        self.watch = watch
        return watch
    }

    /// The cost of look-ups in this transaction so far, besides that of the stored indexes.
    package var lookupWork: LookupWork {
        var sum = LookupWork()
        for index in watch?.all ?? [] {
            sum.scannedClusters += index.work.scannedClusters
            sum.hashedRows += index.work.hashedRows
        }
        return sum
    }
}
