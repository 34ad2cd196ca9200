extension ScanEngine {
    /// The keys of the first matching rows, ascending, up to `limit`. Stops at the cluster that
    /// completes them.
    package func keys(_ predicate: ScanPredicate, in table: TableView, limit: Int)
        throws(StorageError) -> ContiguousArray<Int64>
    {
        if limit <= 0 { return [] }
        return try plan(predicate, in: table).keys(ScanRun(), limit: limit)
    }

    /// The keys of the first matching rows in an order, up to `limit`. Rows that are equal by
    /// every criterion are in ascending order of their keys.
    ///
    /// In the order of an indexed column, or of the row keys, it reads rows until there are
    /// enough. Otherwise it sorts all matching rows; it also does so if few rows match, or if
    /// the open transaction changed the table.
    package func keys(
        _ predicate: ScanPredicate, in table: TableView, sortedBy criteria: [ScanSort], limit: Int
    ) throws(StorageError) -> ContiguousArray<Int64> {
        if limit <= 0 { return [] }
        if criteria.isEmpty { return try keys(predicate, in: table, limit: limit) }
        if let found = try firstInOrder(predicate, table, criteria[0], criteria.count == 1, limit) {
            return found
        }
        let found = predicate == .all ? nil : try keys(predicate, in: table)
        let sorted = try sort(found, in: table, by: criteria)
        return sorted.count > limit ? ContiguousArray(sorted.prefix(limit)) : sorted
    }

    /// Explains how the first rows in an order are found. All matches are sorted if an index
    /// turns out not to have the order, or if too few rows match.
    ///
    /// - Parameter running: Whether to run the query, so that the result describes the actual
    ///   choice.
    package func explainOrder(
        _ predicate: ScanPredicate, in table: TableView, sortedBy criteria: [ScanSort], limit: Int,
        running: Bool
    ) throws(StorageError) -> ScanOrderChoice {
        guard let first = criteria.first,
            let choice = order(of: table, by: first, isOnly: criteria.count == 1, limit)
        else { return criteria.isEmpty ? .table : .sort }
        if case .index = choice, running,
            try firstInOrder(predicate, table, first, criteria.count == 1, limit) == nil
        {
            return .sort
        }
        return choice
    }

    /// The source that has the rows in an order; nil if they must be sorted.
    private func order(of table: TableView, by sort: ScanSort, isOnly: Bool, _ limit: Int)
        -> ScanOrderChoice?
    {
        guard sort.path.links.isEmpty, let type = table.type(of: sort.path.column) else {
            return nil
        }
        // Row keys are unique, so further criteria do not matter.
        if table.isRowKey(sort.path.column) { return sort.ascending ? .table : .tableReversed }
        guard isOnly, !table.isDirty, let definition = table.definition[sort.path.column],
            definition.collection == nil, type != .mixed,
            limit < table.count / 8, table.index(of: sort.path.column) != nil
        else { return nil }
        return .index(definition.name)
    }

    /// Nil if sorting is better.
    private func firstInOrder(
        _ predicate: ScanPredicate, _ table: TableView, _ sort: ScanSort, _ isOnly: Bool,
        _ limit: Int
    ) throws(StorageError) -> ContiguousArray<Int64>? {
        switch order(of: table, by: sort, isOnly: isOnly, limit) {
        case .table: return try keys(predicate, in: table, limit: limit)
        case .tableReversed: return try lastKeys(predicate, table, limit)
        case .index: break
        case .sort, nil: return nil
        }
        guard let type = table.type(of: sort.path.column),
            let index = table.index(of: sort.path.column)
        else { return nil }
        let compiled = ScanCompiler(source: source).compile(predicate, in: table)
        let isAll = (compiled as? ConstantPredicate)?.value == true
        // If few rows match, walking in this order would visit most of the table.
        var budget = limit &* ScanEngine.visitsForEachRow &+ 1_000
        let run = ScanRun()
        var found: ContiguousArray<Int64> = []
        var isComplete = true
        let isOrdered = try index.forEachKey(type: type, ascending: sort.ascending) { key in
            if isAll {
                found.append(key)
            } else {
                budget -= 1
                if budget < 0 {
                    isComplete = false
                    return false
                }
                if let place = table.locate(RowKey(rawValue: key)),
                    compiled.matches(place.row, place.cluster, run)
                {
                    found.append(key)
                }
            }
            return found.count < limit
        }
        return isOrdered && isComplete ? found : nil
    }

    private static let visitsForEachRow = 32

    /// The keys of the last matching rows, descending.
    private func lastKeys(_ predicate: ScanPredicate, _ table: TableView, _ limit: Int)
        throws(StorageError) -> ContiguousArray<Int64>
    {
        let plan = try plan(predicate, in: table)
        if plan.access != nil {
            return ContiguousArray(try plan.keys(ScanRun()).reversed().prefix(limit))
        }
        try plan.prepareScan()
        let run = ScanRun()
        var found: ContiguousArray<Int64> = []
        for index in plan.clusters.reversed() where found.count < limit {
            var part: ContiguousArray<Int64> = []
            _ = plan.scan(index, run) { cluster, mask in
                part.appendKeys(of: cluster, where: mask)
                return true
            }
            found.append(contentsOf: part.reversed().prefix(limit - found.count))
        }
        return found
    }
}

/// The source of the first rows in an order.
package enum ScanOrderChoice: Hashable, Sendable {
    /// The table, which is in this order.
    case table
    /// The table, in reverse.
    case tableReversed
    /// The index of a column, by the column's name.
    case index(String)
    /// All matching rows, which are sorted.
    case sort
}
