// A draft never gives a row key to two rows, whatever is undone in between: what refers to a row
// that is gone would otherwise find another one. Tables whose primary key is the row key are left
// out: there, rows with equal keys are the same row.
extension WriteSet {
    /// The keys that rows of this write set were given since a state that it continues, even if
    /// the rows are gone. O(tables that were used).
    package func usedRowKeys(since base: TableSource) -> [TableID: Range<Int64>] {
        var used: [TableID: Range<Int64>] = [:]
        for (id, table) in tables where !table.definition.usesPrimaryKeyAsRowKey {
            guard base.currentCatalog[id] != nil else { continue }
            let first = base.nextRowKey(of: id)
            if first < table.nextKey { used[id] = first..<table.nextKey }
        }
        return used
    }

    /// Leaves out the keys that another state of the same edits has used. O(tables that it used).
    package func skipRowKeys(usedBy other: WriteSet) {
        for (id, table) in other.tables where !table.definition.usesPrimaryKeyAsRowKey {
            guard catalog[id] != nil, nextRowKey(of: id) < table.nextKey else { continue }
            mutableTable(id).raiseNextKey(above: table.nextKey - 1)
        }
    }
}

extension TableView {
    /// The keys of a range that no row has, ascending. O(log clusters + keys of the range).
    package func absentKeys(in range: Range<Int64>) -> [Int64] {
        var absent: [Int64] = []
        var next = range.lowerBound
        var index = directory.clusterIndex(covering: next) ?? 0
        while index < clusterCount, next < range.upperBound {
            let cluster = cluster(at: index)
            for row in cluster.lowerBound(of: next)..<cluster.count {
                let key = cluster.key(at: row).rawValue
                if key >= range.upperBound { break }
                absent += next..<key
                next = key + 1
            }
            index += 1
        }
        // The last cluster may reach behind the range.
        absent += next..<max(next, range.upperBound)
        return absent
    }
}
