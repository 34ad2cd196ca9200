/// Checks that each owned row is the target of exactly one link.
extension IntegrityCheck {
    /// Checks the rows of an owned table. Call it after all clusters and links have been found
    /// sound. O(rows of all tables that link to it).
    mutating func checkOwners(of owned: TableDefinition) {
        var owners: [Int64: Int] = [:]
        for definition in snapshot.catalog.tables {
            for column in definition.columns where column.hasTarget && column.target == owned.id {
                let table = snapshot.table(definition.id)
                for cluster in table.allClusters {
                    table.forEachLink(
                        of: column.id,
                        in: (0..<cluster.count).lazy.map { cluster.key(at: $0).rawValue }
                    ) { owners[$0, default: 0] += 1 }
                }
            }
        }
        let table = snapshot.table(owned.id)
        for index in 0..<table.clusterCount where !isFull {
            let cluster = table.cluster(at: index)
            for row in 0..<cluster.count {
                let key = cluster.key(at: row).rawValue
                switch owners[key] ?? 0 {
                case 1: break
                case 0: report("Row \(key) of table \(owned.name) belongs to no other row.")
                case let count:
                    report("Row \(key) of table \(owned.name) belongs to \(count) other rows.")
                }
            }
        }
    }
}
