/// The targets of a table's links.
extension TableView {
    /// Calls `body` with the target of each of a column's links in the given rows, once for
    /// each link. Rows that do not exist are ignored. For columns of links and of collections
    /// of links. O(keys log clusters + links).
    package final func forEachLink(
        of column: ColumnID, in keys: some Sequence<Int64>, _ body: (_ target: Int64) -> Void
    ) {
        if let definition = definition[column], definition.hasTarget {
            forEachLink(of: definition, in: keys, body)
        }
    }

    /// As ``forEachLink(of:in:_:)``, for any column that has a place in the clusters, even if
    /// it has left the table.
    final func forEachLink(
        of definition: ColumnDefinition, in keys: some Sequence<Int64>,
        _ body: (_ target: Int64) -> Void
    ) {
        let column = definition.id
        for key in keys {
            guard let place = locate(RowKey(rawValue: key)) else { continue }
            if let kind = definition.collection {
                collection(of: column, kind, place.cluster, row: place.row).forEachLeaf { leaf in
                    for element in 0..<leaf.count where !leaf.values.isNull(at: element) {
                        body(leaf.values.integer(at: element))
                    }
                    return true
                }
            } else {
                let links = place.cluster.columns[column.position]
                if !links.isNull(at: place.row) { body(links.integer(at: place.row)) }
            }
        }
    }
}
