import Synchronization

/// One table at one version. Immutable; any number of threads may read it at once.
///
/// Clusters are resolved on first use: one cursor walk locates each column in LMDB's map. A
/// compare-and-swap into the cluster's slot publishes the result; a thread that loses the race
/// drops its own copy. So readers share everything and never wait.
///
/// The directory of a large table is loaded when something needs positions, or when finding
/// clusters by key in the file has cost as much as loading would (``EarlyClusters``). Until then
/// one row is found in O(log clusters) pages.
package final class SnapshotTable: TableView, @unchecked Sendable {
    // Sendable: immutable except for atomics, for `early`, which its lock protects, and for
    // `loaded`, which is written once before `isLoaded` is.

    let transaction: ReadTransaction
    let corruption: CorruptionLog
    /// The number of rows according to the table's facts; nil if these are damaged, and if the
    /// directory was known.
    let storedCount: Int?
    /// Clusters that were found while the directory was not loaded; nil if it was loaded at once.
    let early: EarlyClusters?
    let isLoaded = Atomic<Bool>(false)
    /// Complete once `isLoaded`; constant from then on.
    @exclusivity(unchecked)
    private var loaded = ClusterDirectory()
    // What a look-up needs, so that it costs no more than in an array of this object. The number
    // of clusters is stored last, and a reader loads it first: while it is 0, the rest is unset.
    private let knownClusterCount = Atomic<Int>(0)
    private let knownFirstKeys = Atomic<UInt>(0)
    private let knownClustersPerKey = Atomic<UInt64>(0)
    /// The address of the slots, once the directory is loaded: unmanaged references to the
    /// resolved clusters, 0 for unresolved ones; owned by this table.
    private let slotsAddress = Atomic<UInt>(0)
    /// The cluster resolved last. The others follow through ``ClusterView/resolvedBefore``: the
    /// end of a version need not visit thousands of slots for a few resolved clusters.
    private let lastResolved = Atomic<UInt>(0)
    /// In an encrypted file, held while a column is decrypted.
    let decrypting: Monitor?

    /// - Parameters:
    ///   - directory: The directory, if it is known.
    ///   - storedCount: The number of rows by the table's facts; nil if these are damaged.
    init(
        _ definition: TableDefinition, directory: ClusterDirectory?, storedCount: Int?,
        transaction: ReadTransaction, corruption: CorruptionLog
    ) {
        self.transaction = transaction
        self.corruption = corruption
        // A greater number is damage: callers allocate for as many rows as there are said to be.
        let isPossible =
            (storedCount ?? 0) / DirectoryEntry.mostRows <= transaction.entryCount(.directory)
        let count = directory == nil && isPossible ? storedCount : nil
        self.storedCount = count
        // No table has more clusters than rows, or than all tables have together.
        let most = min(count ?? 0, transaction.entryCount(.directory))
        early =
            directory == nil && most > EarlyClusters.fewClusters
            ? EarlyClusters(ofTableWith: most) : nil
        decrypting = transaction.encrypted == nil ? nil : Monitor()
        super.init(definition: definition, directory: ClusterDirectory())
        if early == nil { publish(directory ?? storedDirectory()) }
    }

    deinit {
        var next = lastResolved.load(ordering: .acquiring)
        while let pointer = UnsafeRawPointer(bitPattern: next) {
            let cluster = Unmanaged<ClusterView>.fromOpaque(pointer)
            next = cluster._withUnsafeGuaranteedRef(\.resolvedBefore)
            cluster.release()
        }
        if slotsAddress.load(ordering: .relaxed) != 0 {
            slots.deinitialize(count: loaded.clusterCount)
            slots.deallocate()
        }
    }

    // MARK: The directory

    override package var directory: ClusterDirectory {
        if !isLoaded.load(ordering: .acquiring) { load() }
        return loaded
    }

    override var hasDirectory: Bool { isLoaded.load(ordering: .acquiring) }

    override package var count: Int {
        if !isLoaded.load(ordering: .acquiring) {
            if let storedCount { return storedCount }
            load()
        }
        return loaded.rowCount
    }

    override package var clusterCount: Int {
        if !isLoaded.load(ordering: .acquiring) { load() }
        return loaded.clusterCount
    }

    /// The directory, if it is loaded.
    var directoryAtHand: ClusterDirectory? { isLoaded.load(ordering: .acquiring) ? loaded : nil }

    @inline(never)
    private func load() { early?.monitor.withLock { loadHoldingLock() } }

    /// Makes the directory known to all threads, with the clusters that were found before. The
    /// caller holds the lock of `early`, or is the initializer.
    func publish(_ directory: ClusterDirectory) {
        let count = directory.clusterCount
        let slots = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: max(count, 1))
        for index in 0..<count { (slots + index).initialize(to: Atomic(0)) }
        for cluster in early?.takeAll() ?? [] {
            let (firstKey, rows) = cluster._withUnsafeGuaranteedRef { ($0.firstKey, $0.count) }
            guard let index = directory.clusterIndex(covering: firstKey),
                directory.firstKeys[index] == firstKey, Int(directory.counts[index]) == rows
            else { continue }
            slots[index].store(UInt(bitPattern: cluster.toOpaque()), ordering: .relaxed)
        }
        loaded = directory
        // The array is never changed, so its elements stay where they are.
        let keys = loaded.firstKeys.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        knownFirstKeys.store(keys, ordering: .relaxed)
        knownClustersPerKey.store(directory.clustersPerKey, ordering: .relaxed)
        slotsAddress.store(UInt(bitPattern: slots), ordering: .relaxed)
        isLoaded.store(true, ordering: .releasing)
        knownClusterCount.store(count, ordering: .releasing)
    }

    /// Valid after an acquiring load of `isLoaded` or `knownClusterCount` has shown that the
    /// directory is loaded.
    @inline(__always)
    private var slots: UnsafeMutablePointer<Atomic<UInt>> {
        UnsafeMutablePointer(bitPattern: slotsAddress.load(ordering: .relaxed)).unsafelyUnwrapped
    }

    // MARK: Clusters

    override package func cluster(at index: Int) -> ClusterView {
        var count = knownClusterCount.load(ordering: .acquiring)
        if count == 0 { count = clusterCount }
        precondition(index >= 0 && index < count, "cluster index out of range")
        if let pointer = UnsafeRawPointer(bitPattern: slots[index].load(ordering: .acquiring)) {
            return Unmanaged<ClusterView>.fromOpaque(pointer).takeUnretainedValue()
        }
        return resolve(index)
    }

    override package func cluster(covering key: Int64) -> ClusterView? {
        if let known = unsafeClusterAtHand(covering: key) { return known.takeUnretainedValue() }
        if !isLoaded.load(ordering: .acquiring) { return earlyCluster(covering: key) }
        return loaded.clusterIndex(covering: key).map { cluster(at: $0) }
    }

    override func unsafeClusterAtHand(covering key: Int64) -> Unmanaged<ClusterView>? {
        let count = knownClusterCount.load(ordering: .acquiring)
        if count == 0 { return nil }
        let keys = UnsafePointer<Int64>(bitPattern: knownFirstKeys.load(ordering: .relaxed))
            .unsafelyUnwrapped
        let end = ClusterDirectory.firstIndex(
            above: key, keys, count, knownClustersPerKey.load(ordering: .relaxed))
        if end == 0 { return nil }
        return UnsafeRawPointer(bitPattern: slots[end &- 1].load(ordering: .acquiring)).map {
            .fromOpaque($0)
        }
    }

    override package func locate(position: Int) -> (cluster: ClusterView, row: Int)? {
        if !isLoaded.load(ordering: .acquiring), let storedCount,
            let place = earlyPlace(position: position, of: storedCount)
        {
            return place
        }
        return super.locate(position: position)
    }

    /// Prefetches for a scan. The path to a column's values leads through the cluster and its
    /// view of the column. With cold caches, each step is a miss that the next one has to wait
    /// for. So each step is prefetched one cluster earlier than the next.
    override func prefetchViews(of column: ColumnID, behind index: Int) {
        let count = knownClusterCount.load(ordering: .acquiring)
        if index + 3 < count,
            let cluster = UnsafeRawPointer(bitPattern: slots[index + 3].load(ordering: .relaxed))
        {
            Memory.prefetch(cluster)
        }
        if index + 2 < count,
            let cluster = UnsafeRawPointer(bitPattern: slots[index + 2].load(ordering: .acquiring))
        {
            Unmanaged<ClusterView>.fromOpaque(cluster)._withUnsafeGuaranteedRef {
                Memory.prefetch($0.unsafeColumns + column.position)
            }
        }
    }

    @inline(never)
    private func resolve(_ index: Int) -> ClusterView {
        let directory = loaded
        let cluster = makeView(
            firstKey: directory.firstKeys[index], count: Int(directory.counts[index]),
            before: index + 1 < directory.clusterCount ? directory.firstKeys[index + 1] : nil)
        let reference = Unmanaged.passRetained(cluster)
        let (exchanged, winner) = slots[index].compareExchange(
            expected: 0, desired: UInt(bitPattern: reference.toOpaque()),
            ordering: .acquiringAndReleasing)
        if exchanged {
            remember(cluster)
            return cluster
        }
        reference.release()
        return Unmanaged<ClusterView>.fromOpaque(
            UnsafeRawPointer(bitPattern: winner).unsafelyUnwrapped
        ).takeUnretainedValue()
    }

    /// Records a resolved cluster, which the table owns. Only for the thread that put the
    /// cluster into its slot.
    func remember(_ cluster: ClusterView) {
        let address = UInt(bitPattern: Unmanaged.passUnretained(cluster).toOpaque())
        var last = lastResolved.load(ordering: .relaxed)
        while true {
            cluster.resolvedBefore = last
            let (exchanged, original) = lastResolved.compareExchange(
                expected: last, desired: address, ordering: .releasing)
            if exchanged { return }
            last = original
        }
    }

    override package func withBlob<Result>(
        column: ColumnID, key: RowKey, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        var bytes = ContiguousArray<UInt8>()
        do throws(StorageError) {
            try appendBlob(column, key, to: &bytes)
        } catch {
            corruption.note(error)
            bytes = []
        }
        return bytes.withUnsafeBytes(body)
    }

    private func appendBlob(
        _ column: ColumnID, _ key: RowKey, to bytes: inout ContiguousArray<UInt8>
    ) throws(StorageError) {
        guard let place = locate(key) else { return }
        let heap = place.cluster.columns[column.position].heapBytes(at: place.row)
        guard heap.count == 8 else {
            throw corrupted(place.cluster.firstKey, column.position, "a blob's length is damaged")
        }
        let length = heap.loadUnaligned(as: UInt64.self)
        var chunk: UInt32 = 0
        while UInt64(bytes.count) < length {
            let found = try StorageKey.blob(id, column, rowKey: key.rawValue, chunk: chunk)
                .withBytes { key throws(StorageError) in try transaction.value(.blobs, key: key) }
            guard let found, found.count > StoredBlob.headerSize else {
                throw corrupted(
                    place.cluster.firstKey, column.position, "chunk \(chunk) of a blob is missing")
            }
            bytes.append(contentsOf: found[StoredBlob.headerSize...])
            chunk += 1
        }
        guard UInt64(bytes.count) == length else {
            throw corrupted(place.cluster.firstKey, column.position, "a blob is too long")
        }
    }

    override func node(_ number: UInt32, _ column: ColumnID, row: Int64) -> UnsafeRawBufferPointer?
    {
        do throws(StorageError) {
            return try StorageKey.node(id, column, rowKey: row, number).withBytes {
                key throws(StorageError) in try transaction.value(.elements, key: key)
            }
        } catch {
            corruption.note(error)
            return nil
        }
    }

    override package func verifyChecksums(of column: ColumnID, key: RowKey) -> Bool {
        guard let cluster = cluster(covering: key.rawValue) else { return false }
        let firstKey = cluster.firstKey
        let stored: UnsafeRawBufferPointer?
        do throws(StorageError) {
            stored = try storedColumn(column.position, ofClusterFrom: firstKey)
        } catch {
            corruption.note(error)
            return true
        }
        // Damage can hide a column from the walk over a cluster's columns that a look-up finds.
        guard let bytes = stored, cluster.columns[column.position].encoding != .absent
        else { return false }
        if !StoredColumn.hasRightChecksum(
            bytes, seed: StoredColumn.seed(id, firstKey: firstKey, column))
        {
            corruption.note(corrupted(firstKey, column.position, "the checksum does not match"))
        } else if let kind = definition[column]?.collection {
            verifyElements(of: column, kind, key: key)
        }
        return true
    }

    override func noteDamage(_ error: StorageError) { corruption.note(error) }

    override var path: String { transaction.environment.path }

    override package func index(of column: ColumnID) -> IndexReader? {
        guard kinds.isIndexed(column) else { return nil }
        return IndexReader(transaction: transaction, table: id, column: column)
    }

    override func fullTextIndex(of column: ColumnID) -> IndexReader? {
        definition[column]?.isFullText ?? false
            ? IndexReader(transaction: transaction, table: id, column: column) : nil
    }

    override func indexedCount(of column: ColumnID, equalToPlain text: [UInt8]) throws(StorageError)
        -> Int?
    {
        kinds.isIndexed(column)
            ? try IndexReader.count(equalToPlain: text, id, column, transaction) : nil
    }

    /// The stored bytes of one column, for ``IntegrityCheck``.
    func storedColumn(_ position: Int, ofClusterAt index: Int) throws(StorageError)
        -> UnsafeRawBufferPointer?
    { try storedColumn(position, ofClusterFrom: directory.firstKeys[index]) }

    private func storedColumn(_ position: Int, ofClusterFrom firstKey: Int64) throws(StorageError)
        -> UnsafeRawBufferPointer?
    {
        try StorageKey.column(
            id, firstKey: firstKey, ColumnID(rawValue: UInt16(position))
        ).withBytes { key throws(StorageError) in
            try transaction.value(.clusters, key: key)
        }
    }
}
