extension BaseExcerpt {
    /// The row that owns each owned row, and the column with the link. O(values of the rows).
    package var owners: [LinkTarget: (row: LinkTarget, column: ColumnID)] {
        var owners: [LinkTarget: (row: LinkTarget, column: ColumnID)] = [:]
        for (id, table) in tables {
            for column in table.definition.columns {
                guard let target = column.target, tables[target]?.definition.isOwned ?? false,
                    let values = table.rows.columns[column.id]
                else { continue }
                for (key, value) in zip(table.rows.keys, values) {
                    value.forEachLink(of: column) {
                        owners[$0] = (LinkTarget(table: id, key: key), column.id)
                    }
                }
            }
        }
        return owners
    }
}
