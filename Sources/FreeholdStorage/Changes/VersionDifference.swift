/// The differences between two versions of a file. Either may be a snapshot, or a write set: a
/// version that is not committed.
///
/// Two snapshots are compared by the pages in which their trees differ, so in O(changed pages),
/// however large the file is. What a write set has changed is known from its dirty clusters. The
/// differing rows of a table are computed on first use and cached. Retains both versions. Any
/// thread may use it for two snapshots. With a write set, only the one that may read that.
package final class VersionDifference: Sendable {
    package let old: TableSource
    package let new: TableSource
    private let entries: [TableID: EntryDifference]
    /// Filled under its lock, so that each table is compared once.
    private let known = Locked<[TableID: TableChanges]>([:])

    /// Finds the tables, clusters and columns that differ. O(changed pages), or O(entries) in
    /// files whose pages only LMDB can read; plus O(changes) of write sets.
    ///
    /// - Parameter old, new: Two versions of one open file, in either order. Write sets must not
    ///   change as long as the differences are used.
    /// - Throws: `corrupted`, `forkedChild`, and errors of LMDB.
    package init(from old: TableSource, to new: TableSource) throws(StorageError) {
        let (before, now) = (old.storedVersion, new.storedVersion)
        precondition(
            before.transaction.environment === now.transaction.environment,
            "both versions are of one file")
        self.old = old
        self.new = new
        var entries =
            before.version == now.version
            ? [:] : try EntryDifference.find(from: before.transaction, to: now.transaction)
        EntryDifference.addChanges(ofWriteSetsIn: old, new, to: &entries)
        // What Freehold keeps for itself is no difference of the data.
        for id in entries.keys
        where (new.currentCatalog[id] ?? old.currentCatalog[id])?.isInternal ?? false {
            entries[id] = nil
        }
        self.entries = entries
        changedTables = Set(entries.keys)
    }

    /// The tables with differences. It contains every table with differing rows or values, and
    /// possibly tables that differ only in their bytes.
    package let changedTables: Set<TableID>

    /// The differing rows of a table; for a table that only one version has, all of its rows.
    ///
    /// O(rows of the clusters that differ) the first time, then O(1). Damaged clusters are
    /// noted, as by every read.
    ///
    /// Of two snapshots, a collection counts as modified if its stored form differs, even if its
    /// elements are the same; with a write set, only if its elements differ. Columns that the new
    /// version lacks are ignored. Rows with the default value in a
    /// column that the old version lacks are not modified there.
    package func changes(of table: TableID) -> TableChanges {
        guard let entries = entries[table] else { return TableChanges() }
        return known.withLock { known in
            if let changes = known[table] { return changes }
            let changes: TableChanges =
                switch (old.currentCatalog[table], new.currentCatalog[table]) {
                case (_?, _?):
                    TableComparison(
                        from: old.table(table), to: new.table(table), entries,
                        comparesElements: comparesElements
                    ).changes()
                case (_?, nil): TableChanges(deletions: ContiguousArray(old.table(table).allKeys))
                case (nil, _?): TableChanges(insertions: ContiguousArray(new.table(table).allKeys))
                case (nil, nil): TableChanges()
                }
            known[table] = changes
            return changes
        }
    }

    /// Whether collections are compared by their elements: a commit stores those of a write set
    /// in another form.
    private var comparesElements: Bool { old is WriteSet || new is WriteSet }

    /// Whether a row's value or collection differs, as ``changes(of:)`` has it, without comparing
    /// the table. At most two look-ups of the row, and O(elements) with a write set.
    ///
    /// Also true if only one version has the row. False if neither has it, or if only the old
    /// one has the column.
    package func isChanged(_ column: ColumnID, of row: RowKey, in table: TableID) -> Bool {
        guard let entries = entries[table] else { return false }
        let before = old.currentCatalog[table] == nil ? nil : old.table(table)
        let now = new.currentCatalog[table] == nil ? nil : new.table(table)
        switch (before?.locate(row), now?.locate(row)) {
        case (let a?, let b?):
            guard let before, let now else { return false }
            let isDifferent =
                entries.cells[column]?.containsSorted(row.rawValue) ?? false
                || TableComparison.isDifferent(column, in: before, a, now, b)
            if isDifferent, comparesElements, let kind = now.definition[column]?.collection {
                return !TableComparison.haveSameElements(column, kind, in: before, a, now, b)
            }
            return isDifferent
        case (nil, nil): return false
        default: return true
        }
    }
}
