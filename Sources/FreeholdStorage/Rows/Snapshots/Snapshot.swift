/// An immutable view of one version of the file, shared by every realm, frozen value and
/// iterator that reads it.
///
/// One LMDB read transaction, pinned until its last owner releases it. Everything may be read
/// from any thread.
package final class Snapshot: TableSource, @unchecked Sendable {
    // Sendable: immutable except for `tables`, which its lock protects.

    package let version: UInt64
    package let catalog: Catalog
    private let decodedCatalog: DecodedCatalog
    let transaction: ReadTransaction
    private let corruption: CorruptionLog
    private let newest: NewestSnapshot
    private let tables: Locked<State>

    private struct State {
        var tables: [TableID: SnapshotTable] = [:]
        /// Directories known before the first use: those that the commit made, or took over
        /// from the previous version.
        let directories: [TableID: ClusterDirectory]
    }

    init(
        _ transaction: ReadTransaction, catalog: DecodedCatalog, corruption: CorruptionLog,
        newest: NewestSnapshot, directories: [TableID: ClusterDirectory] = [:]
    ) {
        self.transaction = transaction
        decodedCatalog = catalog
        self.catalog = catalog.catalog
        self.corruption = corruption
        self.newest = newest
        version = transaction.version
        tables = Locked(State(directories: directories))
    }

    /// Another view of the same version, with none of the clusters that were read through this one.
    /// A walk over a large file replaces its view now and then, because a view keeps all clusters
    /// that it resolved, and in an encrypted file what it decrypted. O(tables).
    package func renewed() -> Snapshot {
        Snapshot(
            transaction.renewed(), catalog: decodedCatalog, corruption: corruption,
            newest: newest, directories: knownDirectories)
    }

    /// Whether both are read from the same file: false if it was compacted between them.
    package func isSameFile(as other: Snapshot) -> Bool {
        transaction.handle === other.transaction.handle
    }

    deinit { newest.forget(.passUnretained(self)) }

    override package func table(_ id: TableID) -> TableView {
        tables.withLock { state in
            if let table = state.tables[id] { return table }
            guard let definition = catalog[id] else {
                preconditionFailure("table \(id.rawValue) is not in the catalog")
            }
            let directory = state.directories[id]
            let facts = directory == nil ? try? decodedFacts(of: id) : nil
            let table = SnapshotTable(
                definition, directory: directory, kinds: kinds(of: definition),
                storedCount: facts.map { Int(truncatingIfNeeded: $0.rowCount) },
                transaction: transaction, corruption: corruption)
            state.tables[id] = table
            return table
        }
    }

    /// The columns of a table, which may have changed since this version. O(1) for one of it.
    func kinds(of definition: TableDefinition) -> ColumnKinds {
        decodedCatalog.kinds(of: definition)
    }

    /// The history's policy as some version with this catalog has it.
    var historyPolicy: Locked<StoredHistoryPolicy?> { decodedCatalog.historyPolicy }

    override package var currentCatalog: Catalog { catalog }

    override package var storedVersion: Snapshot { self }

    override package func nextRowKey(of table: TableID) -> Int64 { facts(of: table).nextRowKey }

    /// Resolves the clusters that a commit wrote. The committing realm will most likely read
    /// them again, possibly on a thread that must not be delayed.
    ///
    /// After a large commit, it resolves only some of them. Called on the thread that committed
    /// the write set.
    func prepareReading(of writeSet: WriteSet) {
        for (id, changed) in writeSet.tables where changed.isChanged {
            let table = self.table(id)
            for cluster in changed.dirty.prefix(8) {
                _ = table.cluster(covering: cluster.firstKey)
            }
        }
    }

    /// The directories known so far, from which the next version starts.
    var knownDirectories: [TableID: ClusterDirectory] {
        tables.withLock { state in
            var known = state.directories
            for (id, table) in state.tables {
                if let directory = table.directoryAtHand { known[id] = directory }
            }
            return known
        }
    }

    /// The facts of a table, for reads that cannot fail. Damaged facts are remembered, and new
    /// rows then get keys above all others.
    package func facts(of table: TableID) -> TableFacts {
        do throws(StorageError) {
            return try storedFacts(of: table)
        } catch {
            corruption.note(error)
            return TableFacts(nextRowKey: TableFacts.greatestNextRowKey, rowCount: 0)
        }
    }

    private func decodedFacts(of table: TableID) throws(StorageError) -> TableFacts {
        try StorageKey.tableFacts(table).withBytes { key throws(StorageError) -> TableFacts in
            guard let bytes = try transaction.value(.meta, key: key) else { return TableFacts() }
            guard let facts = TableFacts(decoding: bytes, of: table) else {
                throw damagedFacts(of: table, "are damaged")
            }
            return facts
        }
    }

    /// The facts of a table, checked against its directory if that is loaded. A table that never
    /// had a row, or is not in this version, has none.
    func storedFacts(of table: TableID) throws(StorageError) -> TableFacts {
        let stored = try decodedFacts(of: table)
        let count = catalog[table] == nil ? 0 : self.table(table).count
        if stored.rowCount != count {
            throw damagedFacts(
                of: table, "say that it has \(stored.rowCount) rows, and its clusters have \(count)"
            )
        }
        return stored
    }

    private func damagedFacts(of table: TableID, _ reason: String) -> StorageError {
        let name = catalog[table]?.name ?? "\(table.rawValue)"
        return .damaged("The facts of table \(name) \(reason).", path: transaction.environment.path)
    }

    /// Whether damage was found, so that no commit will succeed.
    var isDamaged: Bool { corruption.isDamaged }

    /// Remembers damage found where nothing can be thrown.
    func noteDamage(_ error: StorageError) { corruption.note(error) }

    /// The row with a primary key that is not the row key itself. One index look-up.
    package func rowKey(forPrimaryKey value: IndexKey, in table: TableID) throws(StorageError)
        -> RowKey?
    {
        let view = self.table(table)
        guard let column = view.definition.primaryKey, let index = view.index(of: column) else {
            return nil
        }
        var keys: [Int64] = []
        try index.appendKeys(equalTo: value, to: &keys)
        return keys.lazy.map { RowKey(rawValue: $0) }.first {
            value.isExact || view.holds(value, column, $0)
        }
    }
}
