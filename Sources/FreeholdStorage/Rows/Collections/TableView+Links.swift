/// Where the rows of a table link to.
extension TableView {
    /// Calls `body` with each target of a column's links in the given rows, as often as they
    /// link to it; rows that do not exist are left out. For columns of links and of collections
    /// of links. O(keys log clusters + links).
    package final func forEachLink(
        of column: ColumnID, in keys: some Sequence<Int64>, _ body: (_ target: Int64) -> Void
    ) {
        if let definition = definition[column], definition.hasTarget {
            forEachLink(of: definition, in: keys, body)
        }
    }

    /// As ``forEachLink(of:in:_:)``, of a column that has a place in the clusters, whether or
    /// not it is one of the table's.
    final func forEachLink(
        of definition: ColumnDefinition, in keys: some Sequence<Int64>,
        _ body: (_ target: Int64) -> Void
    ) {
        let column = definition.id
        for key in keys {
            guard let place = locate(RowKey(rawValue: key)) else { continue }
            if let kind = definition.elements {
                elements(of: column, kind, place.cluster, row: place.row).forEachLeaf { leaf in
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
