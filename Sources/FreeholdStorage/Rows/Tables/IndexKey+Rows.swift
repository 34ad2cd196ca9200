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
