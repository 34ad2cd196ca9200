/// One table inside an open write transaction: the base snapshot's table, with dirty clusters
/// replacing the stored ones.
///
/// While no cluster is dirty, everything is the base's. The first change copies the directory
/// (two arrays) and creates a parallel array of clusters, in which nil means "as stored". If the
/// base has not loaded its directory, a few changes do without it: ``SparseClusters``.
package final class MutableTable: TableView, @unchecked Sendable {
    // Sendable: never leaves its transaction.

    unowned let writeSet: WriteSet
    let counters: ChangeCounters
    let base: TableView?
    let layout: StorageLayout
    /// Parallel to the directory; empty while no cluster is dirty. Owned by `dirty`, by
    /// `widenedClusters` or by the base: a transaction that changes one of thousands of
    /// clusters should not visit all of them at its end.
    var clusters: ContiguousArray<Unmanaged<ClusterView>?> = []
    /// The dirty clusters in the order of their first change, including those emptied since.
    var dirty: ContiguousArray<MutableCluster> = []
    /// The clusters of `dirty` that are not frozen.
    var mutableClusters: ContiguousArray<MutableCluster> = []
    /// Tracks the clusters' changes, once a value was looked up in an indexed column.
    var watch: ClusterWatch?
    /// Stored clusters extended with views of columns that this transaction added.
    private var widenedClusters: ContiguousArray<ClusterView> = []
    /// First keys of the stored clusters that were changed or removed.
    var replaced: ContiguousArray<Int64> = []
    /// Changed blobs; nil means deleted.
    var blobs: [CellPlace: ContiguousArray<UInt8>?] = [:]
    /// Collections that were changed or opened for changes.
    var trees: [CellPlace: MutableStoredCollection] = [:]
    /// The trees of `trees` that are not frozen.
    var mutableTrees: ContiguousArray<MutableStoredCollection> = []
    /// Collections of deleted rows that have nodes.
    var droppedTrees: Set<CellPlace> = []
    /// Added and removed links, by column; for columns with counted backlinks.
    var linkLogs: [ColumnID: BacklinkLog] = [:]
    /// Primary keys of rows added in this transaction, by value, if the primary key is not the
    /// row key.
    var addedPrimaryKeys: [IndexKey: Int64] = [:]
    /// Greater than every row key used so far, unless one is the greatest integer.
    var nextKey: Int64
    /// `nextKey` as of the stored version, before this chain of savepoints.
    let storedNextKey: Int64
    /// Whether the table has a directory of its own.
    var isOpened: Bool
    /// The changed clusters while there is none.
    var sparse = SparseClusters()

    /// Columns that the transaction removed from the table, in ascending order of their ids.
    var retired: [ColumnDefinition]

    struct CellPlace: Hashable, Comparable {
        let column: ColumnID
        let rowKey: Int64

        static func < (a: CellPlace, b: CellPlace) -> Bool {
            (a.column, a.rowKey) < (b.column, b.rowKey)
        }
    }

    init(
        _ definition: TableDefinition, retired: [ColumnDefinition] = [], base: TableView?,
        nextKey: Int64, writeSet: WriteSet, layout: StorageLayout
    ) {
        self.retired = retired
        self.writeSet = writeSet
        counters = writeSet.counters
        self.base = base
        self.layout = layout
        self.nextKey = nextKey
        storedNextKey = nextKey
        isOpened = base == nil
        let kinds =
            base.flatMap { $0.definition == definition ? $0.kinds : nil }
            ?? ColumnKinds(definition, retired: retired)
        super.init(definition: definition, directory: ClusterDirectory(), kinds: kinds)
        // The base's clusters have no views of columns that this transaction added.
        if let base, base.definition.nextColumnID < definition.nextColumnID { open() }
    }

    /// Creates a table that continues the frozen one of another write set. O(1) until the first
    /// change.
    init(continuing other: MutableTable, in writeSet: WriteSet) {
        self.writeSet = writeSet
        counters = writeSet.counters
        base = other.base
        retired = other.retired
        layout = other.layout
        clusters = other.clusters
        widenedClusters = other.widenedClusters
        dirty = other.dirty
        replaced = other.replaced
        blobs = other.blobs
        trees = other.trees
        droppedTrees = other.droppedTrees
        linkLogs = other.linkLogs
        addedPrimaryKeys = other.addedPrimaryKeys
        nextKey = other.nextKey
        storedNextKey = other.storedNextKey
        isOpened = other.isOpened
        precondition(other.sparse.isEmpty, "a frozen table is open if it has changes")
        super.init(definition: other.definition, directory: other.ownDirectory, kinds: other.kinds)
    }

    /// Freezes every cluster and collection. O(changes since the last call), but for the first
    /// changes of a table whose directory is not loaded.
    func freeze() {
        openIfSparse()
        for cluster in mutableClusters { cluster.freeze() }
        mutableClusters = []
        for tree in mutableTrees { tree.freeze() }
        mutableTrees = []
    }

    // MARK: TableView

    override package var directory: ClusterDirectory {
        openIfSparse()
        return isOpened ? ownDirectory : base.unsafelyUnwrapped.directory
    }

    override package var count: Int {
        isOpened
            ? ownDirectory.rowCount : base.unsafelyUnwrapped.count + sparse.addedRowCount
    }

    override package var clusterCount: Int {
        openIfSparse()
        return isOpened ? ownDirectory.clusterCount : base.unsafelyUnwrapped.clusterCount
    }

    override var hasDirectory: Bool {
        isOpened || sparse.isEmpty && base.unsafelyUnwrapped.hasDirectory
    }

    /// As ``ClusterDirectory/clusterIndex(covering:)``.
    func clusterIndex(covering key: Int64) -> Int? {
        openIfSparse()
        return isOpened
            ? ownDirectory.clusterIndex(covering: key)
            : base.unsafelyUnwrapped.directory.clusterIndex(covering: key)
    }

    override package func cluster(covering key: Int64) -> ClusterView? {
        guard isOpened else {
            return sparse.isEmpty
                ? base.unsafelyUnwrapped.cluster(covering: key) : sparseCluster(covering: key)
        }
        return ownDirectory.clusterIndex(covering: key).map { cluster(at: $0) }
    }

    override package func locate(position: Int) -> (cluster: ClusterView, row: Int)? {
        openIfSparse()
        return isOpened
            ? super.locate(position: position)
            : base.unsafelyUnwrapped.locate(position: position)
    }

    override package func cluster(at index: Int) -> ClusterView {
        openIfSparse()
        guard isOpened else { return base.unsafelyUnwrapped.cluster(at: index) }
        if let cluster = clusters[index] { return cluster.takeUnretainedValue() }
        return storedCluster(at: index)
    }

    override func unsafeClusterAtHand(covering key: Int64) -> Unmanaged<ClusterView>? {
        guard isOpened else {
            return sparse.isEmpty
                ? base.unsafelyUnwrapped.unsafeClusterAtHand(covering: key) : nil
        }
        return ownDirectory.clusterIndex(covering: key).flatMap { clusters[$0] }
    }

    /// The stored cluster that is still current at a position.
    private func storedCluster(at index: Int) -> ClusterView {
        guard let base,
            var cluster = base.cluster(covering: ownDirectory.firstKeys[index])
        else { preconditionFailure("a cluster that is not in the write set is in the base") }
        if cluster.columnCount < kinds.count {
            cluster = widened(cluster)
            widenedClusters.append(cluster)
        }
        clusters[index] = .passUnretained(cluster)
        return cluster
    }

    /// Extends a cluster with a view of every column of this table; a column newer than the
    /// stored cluster is absent.
    private func widened(_ stored: ClusterView) -> ClusterView {
        let wide = ClusterView(
            firstKey: stored.firstKey, count: stored.count, columnCount: kinds.count,
            isMutable: false)
        for (position, kind) in kinds.byPosition.enumerated() {
            wide.columns[position] =
                position < stored.columnCount
                ? stored.columns[position]
                : .absent(count: stored.count, isNullable: kind?.isNullable ?? false)
        }
        wide.storesRemovedColumns = stored.storesRemovedColumns
        wide.storedColumnCount = stored.storedColumnCount
        return wide
    }

    override package func isDirty(clusterAt index: Int) -> Bool {
        openIfSparse()
        return isOpened && (clusters[index]?._withUnsafeGuaranteedRef(\.isDirty) ?? false)
    }

    override package var isDirty: Bool { !dirty.isEmpty }

    override var allDirtyClusters: [ClusterView] { Array(dirtyClusters) }

    override func changedClusters(mayHold lookups: [ScanLookup]) -> ContiguousArray<Int>? {
        findChangedClusters(mayHold: lookups)
    }

    override package func index(of column: ColumnID) -> IndexReader? {
        // An index that this transaction adds does not exist yet.
        base.flatMap { $0.index(of: column) }
    }

    override func fullTextIndex(of column: ColumnID) -> IndexReader? {
        base.flatMap { $0.fullTextIndex(of: column) }
    }

    override func node(_ number: UInt32, _ column: ColumnID, row: Int64) -> UnsafeRawBufferPointer?
    { base?.node(number, column, row: row) }

    override func changedCollection(of column: ColumnID, row: Int64) -> MutableStoredCollection? {
        trees.isEmpty ? nil : trees[CellPlace(column: column, rowKey: row)]
    }

    override var hasChangedElements: Bool { !trees.isEmpty }

    override func changedBacklinks(of column: ColumnID, to target: LinkTarget) -> [Int64: Int] {
        linkLogs[column]?.sums(of: target) ?? [:]
    }

    override package func verifyChecksums(of column: ColumnID, key: RowKey) -> Bool {
        base?.verifyChecksums(of: column, key: key) ?? true
    }

    override func noteDamage(_ error: StorageError) { writeSet.base.noteDamage(error) }

    override var path: String { writeSet.base.transaction.environment.path }

    override package func withBlob<Result>(
        column: ColumnID, key: RowKey, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        if let changed = blobs[CellPlace(column: column, rowKey: key.rawValue)] {
            return (changed ?? []).withUnsafeBytes(body)
        }
        guard let base else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        return base.withBlob(column: column, key: key, body)
    }

    /// The columns whose values clusters may store: those of the table and the retired ones.
    var storedColumns: [ColumnDefinition] {
        retired.isEmpty ? definition.columns : definition.columns + retired
    }

    /// A column of the table, or a retired one.
    func storedColumn(_ id: ColumnID) -> ColumnDefinition? {
        definition[id] ?? retired.first { $0.id == id }
    }

    var isChanged: Bool {
        !dirty.isEmpty || !blobs.isEmpty || trees.values.contains(where: \.isChanged)
    }

    /// Whether rows or collections were changed since the savepoint that this write set
    /// continues.
    var isChangedSinceSavepoint: Bool {
        !mutableClusters.isEmpty || mutableTrees.contains(where: \.isChanged)
    }
}
