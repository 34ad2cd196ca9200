/// All changes of one write transaction, in memory, on top of a snapshot.
///
/// Reads inside the transaction go through ``table(_:)`` and see the changes. Committing
/// encodes each dirty column of each dirty cluster once (``Store/commit(_:)``); cancelling
/// drops the write set. Confined to the thread, queue or actor that runs the transaction, until
/// it is handed to the writer thread for good.
package final class WriteSet: TableSource, @unchecked Sendable {
    // Sendable: handed over, never shared.

    package let base: Snapshot
    /// The catalog with this transaction's changes.
    package internal(set) var catalog: Catalog
    package let layout: StorageLayout
    let grant: WriteGrant
    /// How many versions may be alive when this is committed; nil for any number.
    package var maximumNumberOfActiveVersions: UInt?

    package let counters = ChangeCounters()
    /// Changes whenever positions, rows or pointers handed out before may be stale.
    package var layoutGeneration: UInt64 { counters.layout }

    var tables: [TableID: MutableTable] = [:]
    /// Columns that were taken out of the catalog, by table. Their values can be read, and the
    /// columns put back, until the commit.
    var retired: [TableID: [ColumnDefinition]] = [:]

    init(base: Snapshot, grant: WriteGrant, layout: StorageLayout) {
        self.base = base
        self.grant = grant
        self.layout = layout
        catalog = base.catalog
    }

    override package func table(_ id: TableID) -> TableView { mutableTable(id) }

    /// The table with this id, which must be in the catalog. O(1) once it was asked for.
    package func mutableTable(_ id: TableID) -> MutableTable {
        if let table = tables[id] { return table }
        guard let definition = catalog[id] else {
            preconditionFailure("table \(id.rawValue) is not in the catalog")
        }
        let stored = base.catalog[id] == nil ? nil : base.table(id)
        let table = MutableTable(
            definition, retired: retired[id] ?? [], base: stored,
            nextKey: base.facts(of: id).nextRowKey, writeSet: self, layout: layout)
        tables[id] = table
        return table
    }

    /// Whether a commit would write anything.
    package var hasChanges: Bool {
        catalog != base.catalog || tables.values.contains { $0.isChanged }
    }

    /// Whether this transaction changed something; in a chain of forks, without those before it.
    package var hasChangesSinceSavepoint: Bool {
        catalog != base.catalog || tables.values.contains { $0.isChangedSinceSavepoint }
    }

    /// Whether there are fewer rows than before: more was deleted than added, so what the
    /// commit needs of a full disk is soon given back.
    var hasFewerRows: Bool { tables.values.reduce(0) { $0 + $1.count - ($1.base?.count ?? 0) } < 0 }

    /// A write set that goes on from this one, which nobody changes afterwards: reads of both
    /// may run on different threads.
    ///
    /// Several transactions that share one commit are a chain of forks: cancelling one drops
    /// its fork, committing the last one commits all. The grant is shared, so only one of the
    /// chain may be committed. O(tables + clusters dirty since the last fork).
    package func savepoint() -> WriteSet {
        let fork = WriteSet(base: base, grant: grant, layout: layout)
        fork.catalog = catalog
        fork.maximumNumberOfActiveVersions = maximumNumberOfActiveVersions
        fork.retired = retired
        for (id, table) in tables {
            table.freeze()
            fork.tables[id] = MutableTable(continuing: table, in: fork)
        }
        return fork
    }
}
