/// The rows that link to a row, for columns whose rows may link to it repeatedly.
///
/// Such a column's index has an entry for each occurrence. The key (target, 0) holds the rows
/// that link to the target at least once, (target, 1) those that link at least twice, and so
/// on. So entries are sets of rows as in any other index, and most targets have one. A link
/// that is added or removed changes one entry, however many elements its collection has.
extension TableView {
    /// Calls `body` with each row that links to a target, and the number of its links, in no
    /// particular order. O(such rows).
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

    /// The total number of links to a target. O(the most links from one row, plus the changes
    /// in this transaction).
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

    /// Appends the rows that link to a target, each once, in no particular order. O(such rows,
    /// plus the changes in this transaction).
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

    /// Estimates how many rows link to a target. One look-up.
    func estimatedBacklinks(of column: ColumnDefinition, to target: LinkTarget) throws(StorageError)
        -> Int
    {
        let changed = changedBacklinks(of: column.id, to: target).count
        guard let index = index(of: column.id) else { return changed }
        return changed + (try index.count(equalTo: .link(target, occurrence: 0, of: column)))
    }

    /// The stored number of links from a row to a target. O(log n) for each link.
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
    /// The open transaction's changes to the index of a column with counted backlinks.
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
    /// The index key of a column's backlinks: the table if links may point to any, the row key,
    /// and the occurrence.
    static func link(_ target: LinkTarget, occurrence: UInt32, of column: ColumnDefinition)
        -> IndexKey
    { .link(column.hasTarget ? nil : target.table, target.key, occurrence: occurrence) }
}
