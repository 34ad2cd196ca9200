extension IndexKey {
    /// Encodes a stored value.
    package init(_ column: ColumnDefinition, in cluster: ClusterView, row: Int, of table: TableView)
    {
        let view = cluster.columns[column.id.position]
        if view.isNull(at: row) {
            self = .null
            return
        }
        switch column.type {
        case .integer, .link: self = .integer(view.integer(at: row))
        case .boolean: self = .boolean(view.boolean(at: row))
        case .float: self = .double(Double(view.float(at: row)))
        case .double, .timestamp: self = .double(view.double(at: row))
        case .decimal: self = .decimal(view.fixed16(at: row))
        case .text, .bytes, .mixed: self = table.withBytes(cluster, column.id, row) { .bytes($0) }
        default: self = .fixed(FixedValue(view, row, column.type))
        }
    }
}

extension TableView {
    /// The row with a primary key that is not the row key itself, in a table with changes.
    ///
    /// - Parameter added: The row that the changes added with that key, if it still exists.
    final func rowKey(forPrimaryKey value: IndexKey, added: Int64?) throws(StorageError) -> RowKey?
    {
        if let added, contains(RowKey(rawValue: added)) { return RowKey(rawValue: added) }
        guard let column = definition.primaryKey, let index = index(of: column) else { return nil }
        var keys: [Int64] = []
        try index.appendKeys(equalTo: value, to: &keys)
        // A row that the changes deleted is still in the index; its key is not reused.
        return keys.lazy.map { RowKey(rawValue: $0) }.first { holds(value, column, $0) }
    }
}
