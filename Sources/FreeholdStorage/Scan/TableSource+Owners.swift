extension TableSource {
    /// Returns the row that owns an owned row, and the column with the link to it. Nil for a row
    /// that nothing links to. O(columns that may own such rows) look-ups; in a write set the
    /// changed clusters are searched, too.
    package func owner(of owned: LinkTarget) throws(StorageError) -> (
        row: LinkTarget, column: ColumnID
    )? {
        for definition in currentCatalog.tables {
            for column in definition.columns where column.hasTarget && column.target == owned.table
            {
                let table = table(definition.id)
                var owner: Int64?
                if column.countsBacklinks {
                    try table.forEachBacklink(of: column, to: owned) { key, _ in owner = key }
                } else {
                    let links = ScanPredicate.compare(
                        ScanPath(column: column.id), .equal, .link(RowKey(rawValue: owned.key)))
                    owner = try ScanEngine(source: self).firstKey(links, in: table)
                }
                if let owner { return (LinkTarget(table: definition.id, key: owner), column.id) }
            }
        }
        return nil
    }
}
