package import FreeholdStorage

/// The rows that link to a row by one property.
package struct IncomingLinks: Sendable {
    package let className: String
    package let table: TableID
    package let property: String
    /// Ascending, each once.
    package let keys: [Int64]
}

extension TableSource {
    /// The rows that link to a row, by each property that may. O(such rows, and log n for each
    /// property).
    package func incomingLinks(to target: LinkTarget) throws -> [IncomingLinks] {
        var found: [IncomingLinks] = []
        for definition in currentCatalog.tables {
            for column in definition.columns {
                let isLink = column.type == .link && column.target == target.table
                let isCounted =
                    column.countsBacklinks && (column.target ?? target.table) == target.table
                guard isLink || isCounted else { continue }
                let rows = table(definition.id)
                var keys: [Int64] = []
                if column.countsBacklinks {
                    try rows.forEachBacklink(of: column, to: target) { row, _ in keys.append(row) }
                } else {
                    let predicate = ScanPredicate.compare(
                        ScanPath(column: column.id), .equal,
                        .link(RowKey(rawValue: target.key)))
                    keys = Array(try ScanEngine(source: self).keys(predicate, in: rows))
                }
                if keys.isEmpty { continue }
                found.append(
                    IncomingLinks(
                        className: definition.name, table: definition.id, property: column.name,
                        keys: keys.sorted()))
            }
        }
        return found
    }
}
