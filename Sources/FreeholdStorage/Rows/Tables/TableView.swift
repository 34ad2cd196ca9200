/// One table at one version (``SnapshotTable``), or inside an open write transaction
/// (``MutableTable``).
///
/// Rows are in ascending order of their keys, divided into clusters. The directory is an array of
/// the clusters' first keys and row counts. Rows are found by their keys without it
/// (``cluster(covering:)``); positions of rows and of clusters need it.
/// The clusters themselves are resolved on first use.
package class TableView: @unchecked Sendable {
    // Sendable: the snapshot's subclass is immutable except for atomically published caches;
    // the mutable subclass never leaves its transaction.

    /// Constant, except in a ``MutableTable`` whose columns are renamed or removed.
    package internal(set) final var definition: TableDefinition
    /// The types of the columns, by position.
    final let kinds: ColumnKinds
    /// The directory of a table that has one from the beginning. Empty for a ``SnapshotTable``,
    /// and for a ``MutableTable`` that is not opened.
    @exclusivity(unchecked)
    final var ownDirectory: ClusterDirectory

    /// - Parameter kinds: Those of the definition, if another view of the table has them.
    init(definition: TableDefinition, directory: ClusterDirectory, kinds: ColumnKinds? = nil) {
        self.definition = definition
        self.kinds = kinds ?? ColumnKinds(definition)
        ownDirectory = directory
    }

    /// The clusters. The first call for a large stored table reads all of its directory:
    /// O(clusters).
    package var directory: ClusterDirectory { ownDirectory }

    /// Whether ``directory`` costs nothing.
    var hasDirectory: Bool { true }

    package final var id: TableID { definition.id }
    /// The number of rows in the table. O(1).
    package var count: Int { ownDirectory.rowCount }
    /// The number of clusters. The cost is that of ``directory``.
    package var clusterCount: Int { ownDirectory.clusterCount }

    /// The cluster at a position of the directory. O(1) once resolved, else one descent of the
    /// B-tree.
    ///
    /// Never fails. A cluster that cannot be read has as many rows as the directory says, with
    /// all columns absent. The environment remembers the damage, which fails every operation
    /// that can throw.
    package func cluster(at index: Int) -> ClusterView { fatalError("abstract") }

    /// The cluster for a key: the last one whose first key is not above it. Nil below the first
    /// cluster. O(log clusters). Does not need the directory.
    package func cluster(covering key: Int64) -> ClusterView? {
        ownDirectory.clusterIndex(covering: key).map { cluster(at: $0) }
    }

    /// As ``cluster(covering:)``, if the cluster is cached; nil otherwise. Returns no retained
    /// reference: the caller retains the table.
    func unsafeClusterAtHand(covering key: Int64) -> Unmanaged<ClusterView>? { nil }

    /// The place of the row at a position among all rows. O(log clusters) once the directory is
    /// there, and for the first and the last row.
    package func locate(position: Int) -> (cluster: ClusterView, row: Int)? {
        guard let (index, row) = directory.locate(position: position) else { return nil }
        let cluster = cluster(at: index)
        return row < cluster.count ? (cluster, row) : nil
    }

    /// Calls `body` with a row's value from the blob database. The buffer is valid during the
    /// call. One descent for each 16 KB.
    package func withBlob<Result>(
        column: ColumnID, key: RowKey, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result { fatalError("abstract") }

    /// The stored bytes of a collection's node; nil if it is missing. One look-up.
    func node(_ number: UInt32, _ column: ColumnID, row: Int64) -> UnsafeRawBufferPointer? {
        fatalError("abstract")
    }

    /// The tree of a collection that the open transaction has changed. Nil in a snapshot.
    func changedCollection(of column: ColumnID, row: Int64) -> MutableStoredCollection? { nil }

    /// Whether the open transaction has changed any collection, so that a row's cell may be
    /// outdated. False in a snapshot.
    var hasChangedElements: Bool { false }

    /// The open transaction's change in the number of links from each row to a target. Empty in
    /// a snapshot.
    func changedBacklinks(of column: ColumnID, to target: LinkTarget) -> [Int64: Int] { [:] }

    /// Verifies the stored checksums of a row's column and remembers damage, for callers that
    /// met an unexpected value. O(rows of a cluster); for a collection, O(bytes of its
    /// elements).
    ///
    /// - Returns: False if nothing is stored: the column may be newer than the row, or damage
    ///   may hide it. Only a check of the whole version can tell.
    package func verifyChecksums(of column: ColumnID, key: RowKey) -> Bool { true }

    /// Remembers damage found where nothing can be thrown.
    func noteDamage(_ error: StorageError) { fatalError("abstract") }

    /// The file's path, for messages.
    var path: String { fatalError("abstract") }

    /// Prefetches what a scan of a column needs two and three clusters after an index, to
    /// locate the values.
    func prefetchViews(of column: ColumnID, behind index: Int) {}

    /// Whether the open transaction has made the cluster dirty, so that it may differ from the
    /// indexes. False in a snapshot.
    package func isDirty(clusterAt index: Int) -> Bool { false }
    /// Whether the open transaction has changed or removed any cluster. False in a snapshot.
    package var isDirty: Bool { false }

    /// The dirty clusters that have rows, in order.
    var allDirtyClusters: [ClusterView] {
        (0..<clusterCount).lazy.filter(isDirty(clusterAt:)).map(cluster(at:))
    }

    /// The positions of the dirty clusters that may have rows which a look-up matches and the
    /// stored indexes do not, ascending; nil if unknown. The stored indexes find rows of other
    /// dirty clusters, and may also find rows there that have changed since.
    func changedClusters(mayHold lookups: [ScanLookup]) -> ContiguousArray<Int>? { nil }

    /// The index of a column, as of the base version.
    package func index(of column: ColumnID) -> IndexReader? { fatalError("abstract") }

    /// The full-text index of a column, as of the base version; nil for other columns.
    func fullTextIndex(of column: ColumnID) -> IndexReader? { nil }

    /// The number of rows with a text, from ``index(of:)``. Nil without an index, and if
    /// ``IndexReader/count(equalToPlain:)`` is nil.
    func indexedCount(of column: ColumnID, equalToPlain text: [UInt8]) throws(StorageError) -> Int?
    { try index(of: column)?.count(equalToPlain: text) }
}

extension TableView {
    /// The place of a key's row. O(log clusters) plus the look-up inside the cluster.
    package final func locate(_ key: RowKey) -> (cluster: ClusterView, row: Int)? {
        guard let cluster = cluster(covering: key.rawValue),
            let row = cluster.row(of: key.rawValue)
        else { return nil }
        return (cluster, row)
    }

    /// The place of a row that stored data of the same version refer to. Nil means damage,
    /// which is remembered.
    final func find(linked key: Int64) -> (cluster: ClusterView, row: Int)? {
        if let place = locate(RowKey(rawValue: key)) { return place }
        noteDamage(
            StorageError.damaged(
                "Something leads to row \(key) of table \(definition.name), which does not exist.",
                path: path))
        return nil
    }

    /// As ``locate(_:)``, if the cluster is cached. Returns no retained reference: the caller
    /// retains the table.
    package final func unsafeLocate(_ key: Int64) -> (cluster: Unmanaged<ClusterView>, row: Int)? {
        guard let cluster = unsafeClusterAtHand(covering: key) else { return nil }
        guard let row = cluster._withUnsafeGuaranteedRef({ $0.row(of: key) }) else { return nil }
        return (cluster, row)
    }

    /// Whether a row with this key exists.
    package final func contains(_ key: RowKey) -> Bool { locate(key) != nil }

    /// Whether the row named by an index entry of `value` exists and has exactly that value: of
    /// a long text, the index has only a part and a hash.
    final func holds(_ value: IndexKey, _ column: ColumnID, _ key: RowKey) -> Bool {
        guard let place = locate(key) else { return false }
        guard let text = value.longText else { return true }
        return withBytes(place.cluster, column, place.row) {
            text.matches($0) && $0.count == text.count
        }
    }

    /// Calls `body` with the text or bytes of a row. The buffer is valid during the call.
    package final func withBytes<Result>(
        _ cluster: ClusterView, _ column: ColumnID, _ row: Int,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let view = cluster.columns[column.position]
        if view.isBlob(at: row) { return withBlob(column: column, key: cluster.key(at: row), body) }
        return body(view.heapBytes(at: row))
    }
}

extension TableView {
    /// The clusters, in the order of the rows.
    package final var allClusters: LazyMapSequence<Range<Int>, ClusterView> {
        (0..<clusterCount).lazy.map { self.cluster(at: $0) }
    }

    /// The first key of a row at or after a key; nil without one. The cost is that of
    /// ``directory``.
    package final func firstKey(atOrAfter key: Int64) -> Int64? {
        let directory = directory
        var index = directory.clusterIndex(covering: key) ?? 0
        while index < directory.clusterCount {
            let cluster = cluster(at: index)
            let row = cluster.lowerBound(of: key)
            if row < cluster.count { return cluster.key(at: row).rawValue }
            index += 1
        }
        return nil
    }

    /// The keys of all rows, ascending. O(rows).
    package final var allKeys: [Int64] {
        var keys: [Int64] = []
        keys.reserveCapacity(count)
        for cluster in allClusters {
            for row in 0..<cluster.count { keys.append(cluster.key(at: row).rawValue) }
        }
        return keys
    }
}
