/// The queries that a plan answers.
extension ScanPlan {
    /// The number of matching rows, if they are an index range that is faster to count than a
    /// scan. Listing their keys would be slower.
    private func countedRange() throws(StorageError) -> Int? {
        guard !table.isDirty, let range = compiled.access(), case .range = range else { return nil }
        let limit = Int(min(cost / ScanPlan.countCost, 1e9))
        let count = try range.estimate(in: table, limit: limit)
        return count < limit ? count : nil
    }

    /// Whether the candidates' keys are the result, without reading the rows.
    private var keysAreAnswer: Bool {
        guard let access else { return false }
        return rest == nil && access.usesIndexesOnly && !table.isDirty
    }

    /// The number of matching rows.
    func count(_ run: ScanRun) throws(StorageError) -> Int {
        if keysAreAnswer, let access {
            if isExactEstimate { return estimatedRows }
            if let count = try access.directCount(in: table) { return count }
            return try candidates(access).count
        }
        if access == nil {
            if let constant = compiled as? ConstantPredicate {
                return constant.value ? table.count : 0
            }
            if let count = try countedRange() { return count }
            try compiled.prepare()
            var total = 0
            for index in clusters { total &+= compiled.count(table.cluster(at: index), run) }
            return total
        }
        var total = 0
        try visit(run) { cluster, mask in
            total &+= mask.map { Mask.sum($0, count: cluster.count) } ?? cluster.count
            return true
        }
        return total
    }

    /// The keys of the matching rows, ascending.
    func keys(_ run: ScanRun) throws(StorageError) -> ContiguousArray<Int64> {
        if keysAreAnswer, let access { return try candidates(access) }
        var keys: ContiguousArray<Int64> = []
        if let constant = compiled as? ConstantPredicate, constant.value {
            keys.reserveCapacity(table.count)
        }
        try visit(run) { cluster, mask in
            keys.appendKeys(of: cluster, where: mask)
            return true
        }
        return keys
    }

    /// The first of these keys, up to `limit`, which must not be 0.
    func keys(_ run: ScanRun, limit: Int) throws(StorageError) -> ContiguousArray<Int64> {
        if keysAreAnswer, let access {
            return ContiguousArray(try candidates(access).prefix(limit))
        }
        var keys: ContiguousArray<Int64> = []
        try visit(run) { cluster, mask in
            keys.appendKeys(of: cluster, where: mask)
            return keys.count < limit
        }
        if keys.count > limit { keys.removeLast(keys.count - limit) }
        return keys
    }

    /// The smallest key of a matching row; nil if there is none.
    func firstKey(_ run: ScanRun) throws(StorageError) -> Int64? {
        if keysAreAnswer, let access { return try candidates(access).first }
        var first: Int64?
        try visit(run) { cluster, mask in
            let row = mask.map { Mask.firstMatch($0, from: 0, count: cluster.count) } ?? 0
            if row < cluster.count { first = cluster.key(at: row).rawValue }
            return first == nil
        }
        return first
    }
}

extension ContiguousArray<Int64> {
    /// Appends the keys of a cluster's rows, or of those in a mask.
    mutating func appendKeys(of cluster: ClusterView, where mask: MaskBytes?) {
        let view = cluster.columns[0]
        let count = cluster.count
        guard let mask else {
            for row in 0..<count { append(view.integer(at: row)) }
            return
        }
        var row = Mask.firstMatch(mask, from: 0, count: count)
        while row < count {
            append(view.integer(at: row))
            row &+= 1
            if row < count && mask[row] == 0 {
                row = Mask.firstMatch(mask, from: row, count: count)
            }
        }
    }
}
