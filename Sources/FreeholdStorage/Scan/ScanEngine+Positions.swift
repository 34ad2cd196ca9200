// Results by position without a list of their keys, which takes 8 bytes for each: the number of
// matching rows of each cluster is known, and the keys of a few clusters are found when they are
// asked for.

extension ScanEngine {
    /// The number of matching rows in each cluster, and the keys of all if they are few. Nil if an
    /// index finds the rows. O(rows).
    package func matches(
        _ predicate: ScanPredicate, in table: TableView, keepingKeys limit: Int
    ) throws(StorageError) -> (counts: ContiguousArray<Int32>, keys: ContiguousArray<Int64>?)? {
        let plan = try plan(predicate, in: table)
        if plan.access != nil { return nil }
        try plan.prepareScan()
        let run = ScanRun()
        var counts = ContiguousArray<Int32>(repeating: 0, count: table.clusterCount)
        var keys: ContiguousArray<Int64> = []
        var isKeeping = true
        for index in plan.clusters {
            if isKeeping {
                let before = keys.count
                _ = plan.scan(index, run) { cluster, mask in
                    keys.appendKeys(of: cluster, where: mask)
                    return true
                }
                counts[index] = Int32(keys.count - before)
                if keys.count > limit { (isKeeping, keys) = (false, []) }
            } else {
                counts[index] = Int32(plan.compiled.count(table.cluster(at: index), run))
            }
        }
        return (counts, isKeeping ? keys : nil)
    }

    /// The keys of the matching rows of some clusters, ascending. O(rows of these clusters), if the
    /// predicate does not follow links.
    package func keys(
        _ predicate: ScanPredicate, in table: TableView, ofClusters clusters: Range<Int>
    )
        throws(StorageError) -> ContiguousArray<Int64>
    {
        let plan = try plan(predicate, in: table)
        try plan.prepareScan()
        let run = ScanRun()
        var keys: ContiguousArray<Int64> = []
        for index in plan.clusters.clamped(to: clusters) {
            _ = plan.scan(index, run) { cluster, mask in
                keys.appendKeys(of: cluster, where: mask)
                return true
            }
        }
        return keys
    }
}
