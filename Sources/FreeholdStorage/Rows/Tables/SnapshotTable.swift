import Synchronization

/// One table at one version. Immutable; any number of threads may read it at once.
///
/// Clusters are resolved on first use: one cursor walk locates each column in LMDB's map. A
/// compare-and-swap into the cluster's slot publishes the result; a thread that loses the race
/// drops its own copy. So readers share everything and never wait.
package final class SnapshotTable: TableView, @unchecked Sendable {
    // Sendable: immutable except for the slots, which are atomic.

    let transaction: ReadTransaction
    let corruption: CorruptionLog
    private typealias Slot = Atomic<UInt>
    /// The addresses of groups of slots, 0 for groups without a resolved cluster. A slot is an
    /// unmanaged reference to a resolved cluster, owned by this table, or 0. In groups, because
    /// each version has a table of its own, and uses a few clusters of thousands.
    private let slotGroups: UnsafeMutablePointer<Atomic<UInt>>
    private static let slotsPerGroup = 256
    /// The cluster resolved last. The others follow through ``ClusterView/resolvedBefore``: the
    /// end of a version need not visit thousands of slots for a few resolved clusters.
    private let lastResolved = Atomic<UInt>(0)
    /// In an encrypted file, held while a column is decrypted.
    let decrypting: Monitor?

    init(
        _ definition: TableDefinition, directory: ClusterDirectory, kinds: ColumnKinds,
        transaction: ReadTransaction, corruption: CorruptionLog
    ) {
        self.transaction = transaction
        self.corruption = corruption
        decrypting = transaction.encrypted == nil ? nil : Monitor()
        let groupCount = Self.groupCount(of: directory)
        slotGroups = .allocate(capacity: max(groupCount, 1))
        for index in 0..<groupCount { (slotGroups + index).initialize(to: Atomic(0)) }
        super.init(definition: definition, directory: directory, kinds: kinds)
    }

    private static func groupCount(of directory: ClusterDirectory) -> Int {
        (directory.clusterCount + slotsPerGroup - 1) / slotsPerGroup
    }

    deinit {
        var next = lastResolved.load(ordering: .acquiring)
        while let pointer = UnsafeRawPointer(bitPattern: next) {
            let cluster = Unmanaged<ClusterView>.fromOpaque(pointer)
            next = cluster._withUnsafeGuaranteedRef(\.resolvedBefore)
            cluster.release()
        }
        for index in 0..<Self.groupCount(of: directory) {
            Self.slots(at: slotGroups[index].load(ordering: .acquiring))?.deallocate()
        }
        slotGroups.deallocate()
    }

    // MARK: Slots

    private static func slots(at address: UInt) -> UnsafeMutablePointer<Slot>? {
        UnsafeMutablePointer(bitPattern: address)
    }

    /// The resolved cluster at an index; nil if there is none yet.
    @inline(__always)
    private func resolved(_ index: Int) -> UnsafeRawPointer? {
        let group = slotGroups[index / Self.slotsPerGroup].load(ordering: .acquiring)
        guard let slots = Self.slots(at: group) else { return nil }
        let slot = slots[index % Self.slotsPerGroup].load(ordering: .acquiring)
        return UnsafeRawPointer(bitPattern: slot)
    }

    /// The slot of a cluster. Makes its group if there is none.
    private func slot(_ index: Int) -> UnsafeMutablePointer<Slot> {
        let group = slotGroups + index / Self.slotsPerGroup
        if let known = Self.slots(at: group.pointee.load(ordering: .acquiring)) {
            return known + index % Self.slotsPerGroup
        }
        let made = UnsafeMutablePointer<Slot>.allocate(capacity: Self.slotsPerGroup)
        for place in 0..<Self.slotsPerGroup { (made + place).initialize(to: Slot(0)) }
        let (isStored, winner) = group.pointee.compareExchange(
            expected: 0, desired: UInt(bitPattern: made), ordering: .acquiringAndReleasing)
        if !isStored { made.deallocate() }
        let slots = isStored ? made : Self.slots(at: winner).unsafelyUnwrapped
        return slots + index % Self.slotsPerGroup
    }

    override package func cluster(at index: Int) -> ClusterView {
        precondition(index >= 0 && index < directory.clusterCount, "cluster index out of range")
        if let pointer = resolved(index) {
            return Unmanaged<ClusterView>.fromOpaque(pointer).takeUnretainedValue()
        }
        return resolve(index)
    }

    override func unsafeClusterAtHand(_ index: Int) -> Unmanaged<ClusterView>? {
        resolved(index).map { .fromOpaque($0) }
    }

    /// Prefetches for a scan. The path to a column's values leads through the cluster and its
    /// view of the column. With cold caches, each step is a miss that the next one has to wait
    /// for. So each step is prefetched one cluster earlier than the next.
    override func prefetchViews(of column: ColumnID, behind index: Int) {
        if index + 3 < directory.clusterCount, let cluster = resolved(index + 3) {
            Memory.prefetch(cluster)
        }
        if index + 2 < directory.clusterCount, let cluster = resolved(index + 2) {
            Unmanaged<ClusterView>.fromOpaque(cluster)._withUnsafeGuaranteedRef {
                Memory.prefetch($0.unsafeColumns + column.position)
            }
        }
    }

    @inline(never)
    private func resolve(_ index: Int) -> ClusterView {
        let cluster = makeView(index)
        let reference = Unmanaged.passRetained(cluster)
        let (exchanged, winner) = slot(index).pointee.compareExchange(
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
    private func remember(_ cluster: ClusterView) {
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
        guard let index = directory.clusterIndex(covering: key.rawValue) else { return false }
        let firstKey = directory.firstKeys[index]
        let stored: UnsafeRawBufferPointer?
        do throws(StorageError) {
            stored = try storedColumn(column.position, ofClusterAt: index)
        } catch {
            corruption.note(error)
            return true
        }
        // Damage can hide a column from the walk over a cluster's columns that a look-up finds.
        guard let bytes = stored, cluster(at: index).columns[column.position].encoding != .absent
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
    {
        try StorageKey.column(
            id, firstKey: directory.firstKeys[index], ColumnID(rawValue: UInt16(position))
        ).withBytes { key throws(StorageError) in
            try transaction.value(.clusters, key: key)
        }
    }
}
