/// One table at one version (``SnapshotTable``), or inside an open write transaction
/// (``MutableTable``).
///
/// The rows stand in ascending order of their keys, cut into clusters. The directory, an array
/// of the clusters' first keys and row counts, is in memory; the clusters themselves are
/// resolved when they are first asked for.
package class TableView: @unchecked Sendable {
    // Sendable: the snapshot's subclass is immutable but for atomically published caches; the
    // mutable subclass never leaves its transaction.

    /// Constant, but for that of a ``MutableTable`` whose columns are renamed or taken away.
    package internal(set) final var definition: TableDefinition
    /// What the definition says, by the columns' positions.
    final let kinds: ColumnKinds
    @exclusivity(unchecked)
    package final var directory: ClusterDirectory

    /// - Parameter kinds: The definition's, where another view of the table has them.
    init(definition: TableDefinition, directory: ClusterDirectory, kinds: ColumnKinds? = nil) {
        self.definition = definition
        self.kinds = kinds ?? ColumnKinds(definition)
        self.directory = directory
    }

    package final var id: TableID { definition.id }
    /// How many rows the table has. O(1).
    package final var count: Int { directory.rowCount }
    package final var clusterCount: Int { directory.clusterCount }

    /// The cluster at a position of the directory. O(1) once resolved, else one descent of the
    /// B-tree.
    ///
    /// Never fails: a cluster that cannot be read has as many rows as the directory says, all
    /// of its columns absent, and the environment remembers the corruption, which then fails
    /// every operation that can throw.
    package func cluster(at index: Int) -> ClusterView { fatalError("abstract") }

    /// As ``cluster(at:)``, where that is at hand: without a reference of its own, for one who
    /// keeps the table.
    func unsafeClusterAtHand(_ index: Int) -> Unmanaged<ClusterView>? { nil }

    /// The value of a row that lives in the blob database, as a buffer that is valid during
    /// `body`. One descent for each 16 KB.
    package func withBlob<Result>(
        column: ColumnID, key: RowKey, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result { fatalError("abstract") }

    /// The stored bytes of a node of a collection. One lookup; nil where it is missing.
    func node(_ number: UInt32, _ column: ColumnID, row: Int64) -> UnsafeRawBufferPointer? {
        fatalError("abstract")
    }

    /// The tree of a collection that the open transaction changed. Nil in a snapshot.
    func changedElements(of column: ColumnID, row: Int64) -> MutableStoredCollection? { nil }

    /// Whether the open transaction changed any collection, so that a row's cell need not say
    /// what it has. False in a snapshot.
    var hasChangedElements: Bool { false }

    /// By how much the open transaction changed the number of each row's links to a target.
    /// Nothing in a snapshot.
    func changedBacklinks(of column: ColumnID, to target: LinkTarget) -> [Int64: Int] { [:] }

    /// Compares what is stored of a row in a column with its checksums, and remembers damage:
    /// for a caller whom a value surprised. O(rows of a cluster), and of a collection O(bytes
    /// of its elements).
    ///
    /// - Returns: False where nothing is stored: the column may have come later than the row,
    ///   or damage may hide it. Only a check of the whole version can tell.
    package func verifyChecksums(of column: ColumnID, key: RowKey) -> Bool { true }

    /// Remembers damage found where nothing can be thrown.
    func noteDamage(_ error: StorageError) { fatalError("abstract") }

    /// The file's path, for messages.
    var path: String { fatalError("abstract") }

    /// Asks for the memory that a scan of a column will need two and three clusters behind an
    /// index, to know where the values are.
    func prefetchViews(of column: ColumnID, behind index: Int) {}

    /// Whether the cluster differs from what the indexes describe, that is, whether the open
    /// transaction dirty it. False in a snapshot.
    package func isDirty(clusterAt index: Int) -> Bool { false }
    /// Whether any cluster is dirty or removed by the open transaction. False in a snapshot.
    package var isDirty: Bool { false }

    /// The positions of the dirty clusters that may have rows that a lookup finds and the
    /// stored indexes do not, ascending; nil where that is not known. Rows of other dirty
    /// clusters are found by the stored indexes, which may also find rows there that have
    /// changed since.
    func changedClusters(mayHold lookups: [ScanLookup]) -> ContiguousArray<Int>? { nil }

    /// The indexed columns' entries as of the version that the transaction or snapshot stands on.
    package func index(of column: ColumnID) -> IndexReader? { fatalError("abstract") }

    /// The words of a column with a full-text index, as of the same version; nil for other columns.
    func fullTextIndex(of column: ColumnID) -> IndexReader? { nil }

    /// How many rows have a text, by ``index(of:)``; nil without an index, and where
    /// ``IndexReader/count(equalToPlain:)`` is.
    func indexedCount(of column: ColumnID, equalToPlain text: [UInt8]) throws(StorageError) -> Int?
    {
        try index(of: column)?.count(equalToPlain: text)
    }
}

extension TableView {
    /// Where a key's row is. O(log clusters) plus the lookup inside the cluster.
    package final func locate(_ key: RowKey) -> (cluster: ClusterView, row: Int)? {
        guard let index = directory.clusterIndex(covering: key.rawValue) else { return nil }
        let cluster = cluster(at: index)
        guard let row = cluster.row(of: key.rawValue) else { return nil }
        return (cluster, row)
    }

    /// Where a row is that something stored in the same version leads to. Nil is damage, which
    /// is remembered.
    final func find(linked key: Int64) -> (cluster: ClusterView, row: Int)? {
        if let place = locate(RowKey(rawValue: key)) { return place }
        noteDamage(
            StorageError(
                .corrupted,
                """
                Something leads to row \(key) of table \(definition.name), which does not \
                exist. Restore the file from a backup.
                """,
                path: path))
        return nil
    }

    /// As ``locate(_:)``, where the cluster is at hand: without a reference of its own, for one
    /// who keeps the table.
    package final func unsafeLocate(_ key: Int64) -> (cluster: Unmanaged<ClusterView>, row: Int)? {
        guard let index = directory.clusterIndex(covering: key),
            let cluster = unsafeClusterAtHand(index)
        else { return nil }
        guard let row = cluster._withUnsafeGuaranteedRef({ $0.row(of: key) }) else { return nil }
        return (cluster, row)
    }

    /// Whether a row with this key exists.
    package final func contains(_ key: RowKey) -> Bool { locate(key) != nil }

    /// Whether a row exists that an index entry of `value` names, and has that very value: of a
    /// long text the index has a part and a hash.
    final func holds(_ value: IndexKey, _ column: ColumnID, _ key: RowKey) -> Bool {
        guard let place = locate(key) else { return false }
        guard let text = value.longText else { return true }
        return withBytes(place.cluster, column, place.row) {
            text.matches($0) && $0.count == text.count
        }
    }

    /// The cluster and row at a position among all rows. O(log clusters) once the cumulative
    /// counts are known.
    package final func locate(position: Int) -> (cluster: ClusterView, row: Int)? {
        guard let (index, row) = directory.locate(position: position) else { return nil }
        let cluster = cluster(at: index)
        return row < cluster.count ? (cluster, row) : nil
    }

    /// The text or bytes of a row, as a buffer that is valid during `body`.
    package final func withBytes<Result>(
        _ cluster: ClusterView, _ column: ColumnID, _ row: Int,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let view = cluster.columns[column.position]
        if view.isBlob(at: row) { return withBlob(column: column, key: cluster.key(at: row), body) }
        return body(view.heapBytes(at: row))
    }
}
