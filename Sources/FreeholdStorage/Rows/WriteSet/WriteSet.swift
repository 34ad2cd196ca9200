/// All changes of one write transaction or draft, in memory, on top of a snapshot.
///
/// Reads inside the transaction use ``table(_:)`` and see the changes. Committing encodes each
/// dirty column of each dirty cluster once (``Store/commit(_:)``); cancelling drops the write
/// set. Confined to the thread, queue or actor that runs the transaction, until it is handed
/// over to the writer thread.
package final class WriteSet: TableSource, @unchecked Sendable {
    // Sendable: handed over, never shared.

    package let base: Snapshot
    /// The catalog with this transaction's changes.
    package internal(set) var catalog: Catalog
    package let layout: StorageLayout
    /// The right to commit; nil for the edits of a draft, which hold no lock.
    let grant: WriteGrant?
    /// The greatest number of live versions at the commit; nil for no limit.
    package var maximumNumberOfActiveVersions: UInt?

    /// Who makes the changes, for the history.
    package var author: String?
    /// When the commit is said to be made, in seconds since 2001-01-01; nil for now. For tests.
    package var time: Double?
    /// The history's new policy (``setHistory(_:)``).
    package internal(set) var historyPolicy: HistoryPolicy?
    /// The commit deletes the entries of the history before this one.
    package var firstKeptEntry: Int64?

    /// What was added to integers, for sharing.
    package var increments: [CellOfRow: Int64] = [:]
    /// Whether the changes came from other machines, or are of sharing itself: they are not to
    /// be pushed.
    package var isFromUpstream = false

    /// What the commit removes besides: ``removeRecords(_:of:)``.
    var removedRecords: [TableID: [Int64]] = [:]

    package let counters = ChangeCounters()
    /// Changes whenever positions, rows or pointers returned earlier may be stale.
    package var layoutGeneration: UInt64 { counters.layout }

    var tables: [TableID: MutableTable] = [:]
    /// Columns removed from the catalog, by table. Until the commit, their values can be read
    /// and the columns restored.
    var retired: [TableID: [ColumnDefinition]] = [:]
    /// The new columns of renamed ones: ``noteMove(of:to:in:)``.
    var moved: [TableID: [ColumnID: ColumnID]] = [:]

    init(base: Snapshot, grant: WriteGrant?, layout: StorageLayout) {
        self.base = base
        self.grant = grant
        self.layout = layout
        catalog = base.catalog
    }

    override package func table(_ id: TableID) -> TableView { mutableTable(id) }

    override package var currentCatalog: Catalog { catalog }

    override package var storedVersion: Snapshot { base }

    override package func nextRowKey(of table: TableID) -> Int64 {
        tables[table]?.nextKey ?? base.facts(of: table).nextRowKey
    }

    /// The table with this id, which must be in the catalog. O(1) after the first call.
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
        catalog != base.catalog || historyPolicy != nil
            || firstKeptEntry != nil || !removedRecords.isEmpty
            || tables.values.contains { $0.isChanged }
    }

    /// Whether this transaction has changed something; after a savepoint, not counting earlier
    /// transactions.
    package var hasChangesSinceSavepoint: Bool {
        catalog != base.catalog || tables.values.contains { $0.isChangedSinceSavepoint }
    }

    /// Whether a collection was opened for changes since the savepoint, changed or not.
    package var hasOpenCollections: Bool {
        tables.values.contains { !$0.mutableTrees.isEmpty }
    }

    /// Whether the transaction deleted more rows than it added, so that the disk space that its
    /// commit needs is soon freed again.
    var hasFewerRows: Bool {
        let removed = removedRecords.values.reduce(0) { $0 + $1.count }
        return tables.values.reduce(-removed) { $0 + $1.count - ($1.base?.count ?? 0) } < 0
    }

    /// Creates a savepoint: a write set that continues from this one, which must not change
    /// afterwards. Different threads may read the two.
    ///
    /// Several transactions that share one commit form a chain of savepoints: cancelling one
    /// drops its write set, committing the last one commits all. They share the grant, so only
    /// one write set of the chain may be committed. O(tables + clusters changed since the last
    /// savepoint).
    package func savepoint() -> WriteSet { savepoint(with: grant) }

    /// Creates a savepoint that a grant commits, or that has none.
    func savepoint(with grant: WriteGrant?) -> WriteSet {
        let savepoint = WriteSet(base: base, grant: grant, layout: layout)
        savepoint.catalog = catalog
        savepoint.maximumNumberOfActiveVersions = maximumNumberOfActiveVersions
        savepoint.author = author
        savepoint.increments = increments
        savepoint.removedRecords = removedRecords
        savepoint.isFromUpstream = isFromUpstream
        savepoint.time = time
        savepoint.historyPolicy = historyPolicy
        savepoint.firstKeptEntry = firstKeptEntry
        savepoint.retired = retired
        savepoint.moved = moved
        for (id, table) in tables {
            table.freeze()
            savepoint.tables[id] = MutableTable(continuing: table, in: savepoint)
        }
        return savepoint
    }
}
