/// Which rows link to a row, of columns whose rows may link to it any number of times.
///
/// Such a column's index has an entry for each occurrence: the rows that link to a target at
/// least once stand under the target and 0, those that do so at least twice under the target
/// and 1, and so on. So entries are sets of rows as in any other index, most targets have one,
/// and a link that comes or goes changes one entry however many elements its collection has.
extension TableView {
    /// Calls `body` with each row that links to a target, and how often it does, in no
    /// particular order. O(rows that do).
    package func forEachBacklink(
        of column: ColumnDefinition, to target: LinkTarget,
        _ body: (_ row: Int64, _ count: Int) -> Void
    ) throws(StorageError) {
        precondition(
            column.countsBacklinks, "the backlinks of single links are an index of integers")
        let changes = changedBacklinks(of: column.id, to: target)
        let stored = try storedBacklinks(of: column, to: target)
        for (key, count) in stored {
            let sum = count + (changes[key] ?? 0)
            if sum > 0 { body(key, sum) }
        }
        for (key, change) in changes where change > 0 && stored[key] == nil { body(key, change) }
    }

    private func storedBacklinks(of column: ColumnDefinition, to target: LinkTarget)
        throws(StorageError) -> [Int64: Int]
    {
        guard let index = index(of: column.id) else { return [:] }
        var counts: [Int64: Int] = [:]
        var occurrence: UInt32 = 0
        while true {
            var keys: [Int64] = []
            try index.appendKeys(
                equalTo: .link(target, occurrence: occurrence, of: column), to: &keys)
            if keys.isEmpty { return counts }
            if occurrence == 0 { counts.reserveCapacity(keys.count) }
            for key in keys { counts[key, default: 0] += 1 }
            occurrence += 1
        }
    }

    /// How many links there are to a target, each row's as often as it has them. O(the most
    /// links that one row has, plus the changes in this transaction).
    package func backlinkCount(of column: ColumnDefinition, to target: LinkTarget)
        throws(StorageError) -> Int
    {
        var count = changedBacklinks(of: column.id, to: target).values.reduce(0, +)
        guard let index = index(of: column.id) else { return count }
        var occurrence: UInt32 = 0
        while true {
            let rows = try index.count(equalTo: .link(target, occurrence: occurrence, of: column))
            if rows == 0 { return count }
            count += rows
            occurrence += 1
        }
    }

    /// Appends the rows that link to a target, each once, in no particular order. O(rows that
    /// do), plus the changes in this transaction.
    func appendBacklinks(of column: ColumnDefinition, to target: LinkTarget, to keys: inout [Int64])
        throws(StorageError)
    {
        if changedBacklinks(of: column.id, to: target).isEmpty {
            try index(of: column.id)?.appendKeys(
                equalTo: .link(target, occurrence: 0, of: column), to: &keys)
        } else {
            try forEachBacklink(of: column, to: target) { row, _ in keys.append(row) }
        }
    }

    /// About how many rows link to a target. One lookup.
    func estimatedBacklinks(of column: ColumnDefinition, to target: LinkTarget) throws(StorageError)
        -> Int
    {
        let changed = changedBacklinks(of: column.id, to: target).count
        guard let index = index(of: column.id) else { return changed }
        return changed + (try index.count(equalTo: .link(target, occurrence: 0, of: column)))
    }

    /// How often a row links to a target, as stored. O(log n) for each time.
    func storedBacklinkCount(of column: ColumnDefinition, to target: LinkTarget, from row: Int64)
        throws(StorageError) -> Int
    {
        guard let index = index(of: column.id) else { return 0 }
        var count = 0
        while try index.contains(.link(target, occurrence: UInt32(count), of: column), row) {
            count += 1
        }
        return count
    }
}

extension MutableTable {
    /// What the open transaction changed in the index of a column whose backlinks are counted.
    func backlinkChanges(of column: ColumnDefinition) throws(StorageError) -> IndexChanges {
        var changes = IndexChanges()
        for link in linkLogs[column.id]?.netChanges ?? [] {
            var count = 0
            if let base, base.contains(RowKey(rawValue: link.owner)) {
                count = try base.storedBacklinkCount(of: column, to: link.target, from: link.owner)
            }
            let occurrences =
                link.change > 0
                ? count..<(count + link.change) : max(count + link.change, 0)..<count
            for occurrence in occurrences {
                changes.append(
                    .link(link.target, occurrence: UInt32(occurrence), of: column),
                    rowKey: link.owner, isRemoval: link.change < 0)
            }
        }
        return changes
    }
}

extension IndexKey {
    /// What the backlinks of a column are found by: the key, behind the table where links may
    /// point to any, and the occurrence.
    static func link(_ target: LinkTarget, occurrence: UInt32, of column: ColumnDefinition)
        -> IndexKey
    {
        .link(column.hasTarget ? nil : target.table, target.key, occurrence: occurrence)
    }
}
