// Single rows of a version, stored or changed, found by their values.
extension TableSource {
    /// The row with a primary key. One look-up.
    package func rowKey(forPrimaryKey value: ScanValue, in table: TableID) throws(StorageError)
        -> Int64?
    {
        let view = self.table(table)
        if view.definition.usesPrimaryKeyAsRowKey {
            guard case .integer(let key) = value, view.contains(RowKey(rawValue: key)) else {
                return nil
            }
            return key
        }
        if let rows = view as? MutableTable {
            return try rows.rowKey(forPrimaryKey: value.indexKey)?.rawValue
        }
        return try storedVersion.rowKey(forPrimaryKey: value.indexKey, in: table)?.rawValue
    }

    /// The rows of a table that a column links to a row, each once, in no particular order. One
    /// look-up, and in a write set O(changed clusters).
    func rows(of table: TableID, linkingBy column: ColumnDefinition, to target: LinkTarget)
        throws(StorageError) -> [Int64]
    {
        let view = self.table(table)
        var rows: [Int64] = []
        if column.countsBacklinks {
            try view.appendBacklinks(of: column, to: target, to: &rows)
            return rows
        }
        let links = ScanPredicate.compare(
            ScanPath(column: column.id), .equal, .link(RowKey(rawValue: target.key)))
        try ScanEngine(source: self).plan(links, in: view).visit(ScanRun()) { cluster, mask in
            for row in 0..<cluster.count
            where mask == nil || mask.unsafelyUnwrapped[row] != 0 {
                rows.append(cluster.key(at: row).rawValue)
            }
            return true
        }
        return rows
    }
}
