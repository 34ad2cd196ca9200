/// What differs between two versions of a file.
///
/// Made from the pages in which the versions' trees differ, so in O(changed pages), however
/// large the file is. Which rows of a table differ is found when it is first asked for, and
/// remembered. Keeps both versions. May be used from any thread.
package final class VersionDifference: Sendable {
    package let old: Snapshot
    package let new: Snapshot
    private let entries: [TableID: EntryDifference]
    /// Filled under its lock, so that each table is compared once.
    private let known = Locked<[TableID: TableChanges]>([:])

    /// Finds the tables, clusters and columns that differ. O(changed pages); O(entries) in
    /// files whose pages only LMDB can read.
    ///
    /// - Parameter old, new: Two versions of one open file, in either order.
    /// - Throws: `corrupted`, `forkedChild`, and what LMDB refuses.
    package init(from old: Snapshot, to new: Snapshot) throws(StorageError) {
        precondition(
            old.transaction.environment === new.transaction.environment,
            "both versions are of one file")
        self.old = old
        self.new = new
        entries =
            old.version == new.version
            ? [:] : try EntryDifference.find(from: old.transaction, to: new.transaction)
        changedTables = Set(entries.keys)
    }

    /// The tables with anything that differs. No table with other rows or values is missing;
    /// one whose bytes differ and whose values do not may be among them.
    package let changedTables: Set<TableID>

    /// The rows of a table that differ; of a table that only one version has, all of its rows.
    ///
    /// O(rows of the clusters that differ) the first time, then O(1). Damaged clusters are
    /// noted as every read notes them.
    ///
    /// A collection counts as modified when its stored form differs, so it may have the same
    /// elements as before. Columns that the new version does not have are left out; rows that
    /// have the default in a column that the old version does not have are not modified there.
    package func changes(of table: TableID) -> TableChanges {
        guard let entries = entries[table] else { return TableChanges() }
        return known.withLock { known in
            if let changes = known[table] { return changes }
            let changes: TableChanges =
                switch (old.catalog[table], new.catalog[table]) {
                case (_?, _?):
                    TableComparison(from: old.table(table), to: new.table(table), entries).changes()
                case (_?, nil): TableChanges(deletions: TableComparison.keys(of: old.table(table)))
                case (nil, _?): TableChanges(insertions: TableComparison.keys(of: new.table(table)))
                case (nil, nil): TableChanges()
                }
            known[table] = changes
            return changes
        }
    }

    /// Whether a row's value, or what is stored of its collection, differs, without comparing
    /// the table. Two lookups of the row at most.
    ///
    /// True as well where only one version has the row; false where neither has it or only the
    /// old one has the column.
    package func isChanged(_ column: ColumnID, of row: RowKey, in table: TableID) -> Bool {
        guard let entries = entries[table] else { return false }
        let before = old.catalog[table] == nil ? nil : old.table(table)
        let now = new.catalog[table] == nil ? nil : new.table(table)
        switch (before?.locate(row), now?.locate(row)) {
        case (let a?, let b?):
            guard let before, let now else { return false }
            return entries.cells[column]?.containsSorted(row.rawValue) ?? false
                || TableComparison.isDifferent(column, in: before, a, now, b)
        case (nil, nil): return false
        default: return true
        }
    }
}
