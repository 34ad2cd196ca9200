/// Owned rows.
extension WriteSet {
    /// How the rows of a table are linked to.
    package enum Ownership: Equatable, Sendable {
        /// Each row by exactly one link.
        case single
        /// A row by no link.
        case none
        /// A row by several links.
        case several
        /// A row by a mixed value, which cannot own it, of this table and column.
        case mixed(String, String)
    }

    /// Whether each row of a table has exactly one owner. O(rows of all tables that link to it).
    package func ownership(of table: TableID) throws(StorageError) -> Ownership {
        let rows = mutableTable(table)
        var counts: [Int64: Int] = [:]
        counts.reserveCapacity(rows.count)
        for cluster in rows.allClusters {
            for row in 0..<cluster.count { counts[cluster.key(at: row).rawValue] = 0 }
        }
        for definition in catalog.tables {
            for column in definition.columns
            where !column.hasTarget ? column.countsBacklinks : column.target == table {
                let source = mutableTable(definition.id)
                for cluster in source.allClusters {
                    let keys = (0..<cluster.count).lazy.map { cluster.key(at: $0).rawValue }
                    var isMixed = false
                    source.forEachLink(of: column.id, in: keys, onlyOf: table) {
                        if column.hasTarget { counts[$0, default: 0] += 1 } else { isMixed = true }
                    }
                    if isMixed { return .mixed(definition.name, column.name) }
                }
            }
        }
        if counts.values.contains(where: { $0 > 1 }) { return .several }
        return counts.values.contains(0) ? .none : .single
    }

    /// Deletes rows of a table, and the rows that they own. O(deleted rows and links).
    package func deleteRows(_ keys: [Int64], of table: TableID, areUnlinked: Bool = false)
        throws(StorageError)
    {
        var work: [(table: TableID, keys: [Int64], areUnlinked: Bool)] = [
            (table, keys, areUnlinked)
        ]
        while let next = work.popLast() {
            let rows = mutableTable(next.table)
            for column in rows.definition.columns where column.hasTarget {
                guard let target = column.target, catalog[target]?.isOwned ?? false else {
                    continue
                }
                var owned: [Int64] = []
                rows.forEachLink(of: column.id, in: next.keys) { owned.append($0) }
                if !owned.isEmpty { work.append((target, owned, true)) }
            }
            try rows.deleteRows(next.keys, areUnlinked: next.areUnlinked)
        }
    }

    /// Deletes the rows that retired columns of rows about to be deleted own. Nothing else
    /// covers retired columns, and one may be restored.
    func deleteRowsOwned(byRetiredColumnsOf table: MutableTable, _ keys: [Int64])
        throws(StorageError)
    {
        for column in table.retired where column.hasTarget {
            guard let target = column.target, catalog[target]?.isOwned ?? false else { continue }
            var owned: [Int64] = []
            table.forEachLink(of: column, in: keys) { owned.append($0) }
            if !owned.isEmpty { try deleteRows(owned, of: target, areUnlinked: true) }
        }
    }

    /// Deletes the rows that have lost their owner because the column with their links was
    /// retired. Call it after all changes. O(deleted rows).
    package func deleteRowsOfRetiredColumns() throws(StorageError) {
        for (id, columns) in retired.sorted(by: { $0.key < $1.key }) {
            for column in columns where column.hasTarget {
                guard let target = column.target, catalog[target]?.isOwned ?? false,
                    base.catalog[target]?.isOwned ?? false, base.catalog[id]?[column.id] != nil
                else { continue }
                let stored = base.table(id)
                var owned: [Int64] = []
                for cluster in stored.allClusters {
                    stored.forEachLink(
                        of: column.id,
                        in: (0..<cluster.count).lazy.map { cluster.key(at: $0).rawValue }
                    ) { owned.append($0) }
                }
                if !owned.isEmpty { try deleteRows(owned, of: target, areUnlinked: true) }
            }
        }
    }
}
