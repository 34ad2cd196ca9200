/// Visiting the clusters of a plan.
extension ScanPlan {
    /// The candidates in ascending order, without duplicates.
    func candidates(_ access: AccessPath) throws(StorageError) -> ContiguousArray<Int64> {
        var list: [Int64] = []
        try access.appendKeys(in: table, to: &list)
        var keys = ContiguousArray(list)
        keys.sortAndRemoveDuplicates()
        return keys
    }

    /// Calls `body` with each cluster that has matches, in ascending order, and their mask; the
    /// mask is nil if every row matches. It may also visit clusters without a match. Stops when
    /// `body` returns false.
    func visit(_ run: ScanRun, _ body: (ClusterView, MaskBytes?) -> Bool) throws(StorageError) {
        guard let access else { return try visitAll(run, body) }
        let keys = try candidates(access)
        if let rest, keys.count > table.count / 8 { try rest.prepare() }
        if table.isDirty && !access.isCurrent {
            try compiled.prepare()
            if let lookups = access.lookups, let changed = table.changedClusters(mayHold: lookups) {
                visit(keys, andScan: changed, run, body)
            } else {
                // The indexes do not describe the dirty clusters: these are scanned, and the
                // candidates in them skipped.
                visitWithDirty(keys, run, body)
            }
        } else {
            visit(candidates: keys, run, body)
        }
    }

    private func visitAll(_ run: ScanRun, _ body: (ClusterView, MaskBytes?) -> Bool)
        throws(StorageError)
    {
        if let constant = compiled as? ConstantPredicate {
            if !constant.value { return }
            for index in clusters where !body(table.cluster(at: index), nil) { return }
            return
        }
        try compiled.prepare()
        for index in clusters where !scan(index, run, body) { return }
    }

    /// Prepares for scanning clusters one by one. Call it once before that.
    func prepareScan() throws(StorageError) { try compiled.prepare() }

    func scan(_ index: Int, _ run: ScanRun, _ body: (ClusterView, MaskBytes?) -> Bool) -> Bool {
        let cluster = table.cluster(at: index)
        let mask = run.borrowMask(for: cluster.count)
        defer { run.returnMask() }
        compiled.fill(mask, cluster, run)
        return body(cluster, mask)
    }

    private func visit(
        candidates keys: ContiguousArray<Int64>, _ run: ScanRun,
        _ body: (ClusterView, MaskBytes?) -> Bool
    ) {
        var position = 0
        while position < keys.count {
            guard let cluster = table.cluster(covering: keys[position]), cluster.count > 0 else {
                position += 1
                continue
            }
            let last = cluster.lastKey
            var end = position + 1
            while end < keys.count && keys[end] <= last { end &+= 1 }
            if !test(keys[position..<end], cluster, rest, run, body) { return }
            position = end
        }
    }

    /// Scans the clusters at some positions, and tests the candidates in the others. In a dirty
    /// cluster that is not scanned, a candidate may have changed, so the whole predicate is tested.
    /// O((candidates + positions) log clusters), plus the scans.
    private func visit(
        _ keys: ContiguousArray<Int64>, andScan positions: ContiguousArray<Int>, _ run: ScanRun,
        _ body: (ClusterView, MaskBytes?) -> Bool
    ) {
        let directory = table.directory
        let firstKeys = directory.firstKeys
        let clusters = clusters
        var position = 0
        var next = 0
        while position < keys.count || next < positions.count {
            var index = next < positions.count ? positions[next] : Int.max
            var end = position
            if position < keys.count {
                guard let covering = directory.clusterIndex(covering: keys[position]) else {
                    position += 1
                    continue
                }
                if covering <= index {
                    index = covering
                    end = ScanPlan.end(of: index, firstKeys, keys, from: position)
                }
            }
            if next < positions.count, positions[next] == index {
                next += 1
                if clusters.contains(index), !scan(index, run, body) { return }
            } else {
                let tested = table.isDirty(clusterAt: index) ? compiled : rest
                let cluster = table.cluster(at: index)
                if !test(keys[position..<end], cluster, tested, run, body) { return }
            }
            position = end
        }
    }

    private func visitWithDirty(
        _ keys: ContiguousArray<Int64>, _ run: ScanRun, _ body: (ClusterView, MaskBytes?) -> Bool
    ) {
        let firstKeys = table.directory.firstKeys
        let clusters = clusters
        var position = 0
        for index in 0..<table.clusterCount {
            let end = ScanPlan.end(of: index, firstKeys, keys, from: position)
            defer { position = end }
            if table.isDirty(clusterAt: index) {
                if clusters.contains(index), !scan(index, run, body) { return }
            } else if position < end,
                !test(keys[position..<end], table.cluster(at: index), rest, run, body)
            {
                return
            }
        }
    }

    /// The end of the keys that belong to a cluster.
    private static func end(
        of cluster: Int, _ firstKeys: ContiguousArray<Int64>, _ keys: ContiguousArray<Int64>,
        from start: Int
    ) -> Int {
        if cluster + 1 == firstKeys.count { return keys.count }
        let limit = firstKeys[cluster + 1]
        var end = start
        while end < keys.count && keys[end] < limit { end &+= 1 }
        return end
    }

    /// Tests the candidates of one cluster with a predicate; without one, all match.
    private func test(
        _ keys: ArraySlice<Int64>, _ cluster: ClusterView, _ rest: CompiledPredicate?,
        _ run: ScanRun, _ body: (ClusterView, MaskBytes?) -> Bool
    ) -> Bool {
        let mask = run.borrowMask(for: cluster.count)
        defer { run.returnMask() }
        Mask.fill(mask, count: cluster.count, with: false)
        var found = 0
        for key in keys {
            guard let row = cluster.row(of: key) else { continue }
            mask[row] = 1
            found += 1
        }
        if found == 0 { return true }
        if let rest {
            ConjunctionPredicate.refine(mask, with: rest, cluster, run, survivors: found)
        }
        return body(cluster, mask)
    }
}
