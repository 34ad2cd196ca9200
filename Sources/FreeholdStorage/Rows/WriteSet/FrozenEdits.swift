/// The edits of a draft at one moment, as an immutable version: any number of threads may read
/// it.
///
/// A frozen write set itself is read by one thread at a time, because it finds its tables and
/// stored clusters as it is read.
package final class FrozenEdits: TableSource, @unchecked Sendable {
    // Sendable: nothing changes after `init`.

    /// For comparisons, which one thread makes.
    package let edits: WriteSet
    /// Of two states of a draft, the later one has the greater number.
    package let number: UInt64
    /// The tables with edits.
    private let tables: [TableID: EditedTable]

    /// - Parameter edits: A write set that does not change any more. O(changed clusters +
    ///   clusters of changed tables).
    package init(_ edits: WriteSet, number: UInt64) {
        self.edits = edits
        self.number = number
        tables = edits.tables.compactMapValues { table in
            guard table.isChanged, let base = table.base else { return nil }
            return EditedTable(table, on: base, edits.base)
        }
    }

    override package func table(_ id: TableID) -> TableView { tables[id] ?? edits.base.table(id) }

    override package var currentCatalog: Catalog { edits.catalog }

    override package var storedVersion: Snapshot { edits.base }

    override package func nextRowKey(of table: TableID) -> Int64 {
        tables[table]?.nextKey ?? edits.base.facts(of: table).nextRowKey
    }

    /// The row with a primary key that is not the row key itself. One hash or index look-up.
    package func rowKey(forPrimaryKey value: IndexKey, in table: TableID) throws(StorageError)
        -> RowKey?
    {
        guard let edited = tables[table] else {
            return try edits.base.rowKey(forPrimaryKey: value, in: table)
        }
        return try edited.rowKey(forPrimaryKey: value)
    }
}

/// One table of ``FrozenEdits``: the stored one, with the dirty clusters that replace stored
/// ones.
private final class EditedTable: TableView, @unchecked Sendable {
    // Sendable: nothing changes after `init`; the dirty clusters and trees are frozen.

    private let base: TableView
    private let version: Snapshot
    /// By position in the directory.
    private let dirtyClusters: [Int: ClusterView]
    private let blobs: [MutableTable.CellPlace: ContiguousArray<UInt8>?]
    private let trees: [MutableTable.CellPlace: MutableStoredCollection]
    /// The changes in the numbers of links, by their targets and rows.
    private let backlinks: [ColumnID: [LinkTarget: [Int64: Int]]]
    private let addedPrimaryKeys: [IndexKey: Int64]
    let nextKey: Int64

    init(_ table: MutableTable, on base: TableView, _ version: Snapshot) {
        self.base = base
        self.version = version
        var clusters: [Int: ClusterView] = [:]
        for cluster in table.dirty where cluster.count > 0 {
            if let index = table.directory.clusterIndex(covering: cluster.firstKey),
                table.cluster(at: index) === cluster
            {
                clusters[index] = cluster
            }
        }
        dirtyClusters = clusters
        blobs = table.blobs
        trees = table.trees
        backlinks = table.linkLogs.mapValues { log in
            log.netChanges.reduce(into: [:]) {
                $0[$1.target, default: [:]][$1.owner, default: 0] += $1.change
            }
        }
        addedPrimaryKeys = table.addedPrimaryKeys
        nextKey = table.nextKey
        super.init(
            definition: table.definition, directory: table.directory, kinds: table.kinds)
        ownDirectory.indexPositions()
    }

    override func cluster(at index: Int) -> ClusterView {
        if let cluster = dirtyClusters[index] { return cluster }
        guard let stored = base.directory.clusterIndex(covering: directory.firstKeys[index]) else {
            preconditionFailure("a cluster that is not dirty is in the base")
        }
        return base.cluster(at: stored)
    }

    override func withBlob<Result>(
        column: ColumnID, key: RowKey, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        if let changed = blobs[MutableTable.CellPlace(column: column, rowKey: key.rawValue)] {
            return (changed ?? []).withUnsafeBytes(body)
        }
        return base.withBlob(column: column, key: key, body)
    }

    override func node(_ number: UInt32, _ column: ColumnID, row: Int64) -> UnsafeRawBufferPointer?
    { base.node(number, column, row: row) }

    override func changedCollection(of column: ColumnID, row: Int64) -> MutableStoredCollection? {
        trees.isEmpty ? nil : trees[MutableTable.CellPlace(column: column, rowKey: row)]
    }

    override var hasChangedElements: Bool { !trees.isEmpty }

    override func changedBacklinks(of column: ColumnID, to target: LinkTarget) -> [Int64: Int] {
        backlinks[column]?[target] ?? [:]
    }

    override func verifyChecksums(of column: ColumnID, key: RowKey) -> Bool {
        base.verifyChecksums(of: column, key: key)
    }

    override func noteDamage(_ error: StorageError) { version.noteDamage(error) }

    override var path: String { version.transaction.environment.path }

    override func isDirty(clusterAt index: Int) -> Bool { dirtyClusters[index] != nil }

    override var isDirty: Bool { true }

    override func index(of column: ColumnID) -> IndexReader? { base.index(of: column) }

    override func fullTextIndex(of column: ColumnID) -> IndexReader? {
        base.fullTextIndex(of: column)
    }

    /// As ``MutableTable/rowKey(forPrimaryKey:)``.
    func rowKey(forPrimaryKey value: IndexKey) throws(StorageError) -> RowKey? {
        try rowKey(forPrimaryKey: value, added: addedPrimaryKeys[value])
    }
}
