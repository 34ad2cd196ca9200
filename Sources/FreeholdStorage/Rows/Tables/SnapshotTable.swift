internal import CLMDB
import Synchronization

/// One table at one version. Immutable; read from any number of threads at once.
///
/// Clusters are resolved on first use: one cursor walk finds where each column lies in LMDB's
/// map. The result is published by a compare-and-swap into the cluster's slot; a thread that
/// loses the race drops its own copy. So readers share everything and wait for nothing.
package final class SnapshotTable: TableView, @unchecked Sendable {
    // Sendable: immutable but for `slots`, which are atomic.

    private let transaction: ReadTransaction
    private let corruption: CorruptionLog
    /// Unmanaged references to the resolved clusters, 0 before; owned by this table.
    private let slots: UnsafeMutablePointer<Atomic<UInt>>
    /// The cluster that was resolved last, and by ``ClusterView/resolvedBefore`` all others: a
    /// version that ends should not look at thousands of slots for the few that were read.
    private let lastResolved = Atomic<UInt>(0)
    /// Held while a column is decrypted, of an encrypted file.
    private let decrypting: Monitor?

    init(
        _ definition: TableDefinition, directory: ClusterDirectory, transaction: ReadTransaction,
        corruption: CorruptionLog
    ) {
        self.transaction = transaction
        self.corruption = corruption
        decrypting = transaction.sealed == nil ? nil : Monitor()
        slots = .allocate(capacity: max(directory.clusterCount, 1))
        for index in 0..<directory.clusterCount { (slots + index).initialize(to: Atomic(0)) }
        super.init(definition: definition, directory: directory)
    }

    deinit {
        var next = lastResolved.load(ordering: .acquiring)
        while let pointer = UnsafeRawPointer(bitPattern: next) {
            let cluster = Unmanaged<ClusterView>.fromOpaque(pointer)
            next = cluster._withUnsafeGuaranteedRef(\.resolvedBefore)
            cluster.release()
        }
        slots.deinitialize(count: directory.clusterCount)
        slots.deallocate()
    }

    override package func cluster(at index: Int) -> ClusterView {
        precondition(index >= 0 && index < directory.clusterCount, "cluster index out of range")
        if let pointer = UnsafeRawPointer(bitPattern: slots[index].load(ordering: .acquiring)) {
            return Unmanaged<ClusterView>.fromOpaque(pointer).takeUnretainedValue()
        }
        return resolve(index)
    }

    override func unsafeClusterAtHand(_ index: Int) -> Unmanaged<ClusterView>? {
        UnsafeRawPointer(bitPattern: slots[index].load(ordering: .acquiring)).map {
            .fromOpaque($0)
        }
    }

    /// The way to a column's values goes through the cluster, then its view of the column: each
    /// a miss of its own where the caches are cold, and a value is not asked for before they
    /// came. So each is asked for one cluster earlier than what it leads to.
    override func prefetchViews(of column: ColumnID, behind index: Int) {
        if index + 3 < directory.clusterCount,
            let cluster = UnsafeRawPointer(bitPattern: slots[index + 3].load(ordering: .relaxed))
        {
            freehold_prefetch(cluster)
        }
        if index + 2 < directory.clusterCount,
            let cluster = UnsafeRawPointer(bitPattern: slots[index + 2].load(ordering: .acquiring))
        {
            Unmanaged<ClusterView>.fromOpaque(cluster)._withUnsafeGuaranteedRef {
                freehold_prefetch($0.unsafeColumns + column.position)
            }
        }
    }

    @inline(never)
    private func resolve(_ index: Int) -> ClusterView {
        let cluster = makeView(index)
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

    /// By the thread that put the cluster into its slot, and only there does the table own it.
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

    private func makeView(_ index: Int) -> ClusterView {
        let counters = transaction.environment.counters
        counters.add(to: counters.clusterReads)
        let firstKey = directory.firstKeys[index]
        let count = Int(directory.counts[index])
        let view = ClusterView(
            firstKey: firstKey, count: count, columnCount: kinds.count, isMutable: false)
        for (position, kind) in kinds.byPosition.enumerated() {
            view.columns[position] = .absent(count: count, isNullable: kind?.isNullable ?? false)
        }
        do throws(StorageError) {
            try resolve(into: view, firstKey: firstKey, count: count)
            try checkKeys(
                of: view,
                before: index + 1 < directory.clusterCount ? directory.firstKeys[index + 1] : nil)
        } catch {
            corruption.note(error)
            for position in 0..<kinds.count {
                view.columns[position] = .absent(
                    count: count, isNullable: kinds.byPosition[position]?.isNullable ?? false)
            }
            view.columns[0].encoding = .sequence
            view.columns[0].base = firstKey
        }
        if let alias = kinds.rowKeyAlias { view.columns[alias] = view.columns[0] }
        return view
    }

    /// Whether the keys ascend inside of the cluster's range: a row that a walk comes by must
    /// be found by its key, or it would seem deleted. O(rows), O(1) of consecutive keys.
    private func checkKeys(of view: ClusterView, before end: Int64?) throws(StorageError) {
        let keys = view.unsafeColumns[0]
        var previous = keys.integer(at: 0)
        var isInOrder = previous >= view.firstKey
        if keys.encoding == .sequence {
            previous = keys.integer(at: view.count - 1)
        } else {
            for row in 1..<max(view.count, 1) {
                let key = keys.integer(at: row)
                isInOrder = isInOrder && key > previous
                previous = key
            }
        }
        if !isInOrder || end.map({ previous >= $0 }) ?? false {
            throw corrupted(view.firstKey, 0, "its row keys are in disorder")
        }
    }

    private func resolve(into view: ClusterView, firstKey: Int64, count: Int) throws(StorageError) {
        guard let entry = try directoryEntry(firstKey: firstKey), entry.count == count else {
            throw corrupted(firstKey, nil, "its directory entry is damaged")
        }
        if let base = entry.consecutiveFrom {
            view.columns[0].encoding = .sequence
            view.columns[0].base = base
        }
        let found =
            if let sealed = transaction.sealed {
                try resolve(into: view, from: try sealed.tree(.clusters))
            } else {
                try resolveMapped(into: view, firstKey: firstKey, count: count)
            }
        view.storedColumnCount = entry.columnCount
        // What is there can be read. What is not would read as columns that came later.
        if found != entry.columnCount {
            corruption.note(
                corrupted(firstKey, nil, "it has \(found) columns instead of \(entry.columnCount)"))
        }
    }

    /// What the directory says of a cluster; nil where that is damaged or missing.
    private func directoryEntry(firstKey: Int64) throws(StorageError) -> DirectoryEntry? {
        try StorageKey.directory(id, firstKey: firstKey).withBytes { key throws(StorageError) in
            try transaction.value(.directory, key: key).flatMap {
                DirectoryEntry(decoding: $0, of: id, firstKey: firstKey)
            }
        }
    }

    /// How many columns the directory says are stored of a cluster, for ``IntegrityCheck``.
    func storedColumnCount(ofClusterAt index: Int) throws(StorageError) -> Int? {
        try directoryEntry(firstKey: directory.firstKeys[index])?.columnCount
    }

    /// Finds where the columns are, in LMDB's map. Answers how many there are.
    private func resolveMapped(into view: ClusterView, firstKey: Int64, count: Int)
        throws(StorageError) -> Int
    {
        var columnCount = 0
        let prefix = StorageKey.directory(id, firstKey: firstKey)
        var cursor = try transaction.cursor(.clusters)
        var current = try prefix.withBytes { key throws(StorageError) in
            try cursor.seek(atOrAfter: key)
        }
        while let found = current, found.key.count == 14 {
            let belongs = try prefix.withBytes { key throws(StorageError) in
                found.key.starts(with: key)
            }
            guard belongs else { break }
            let position = Int(
                UInt16(bigEndian: found.key.loadUnaligned(fromByteOffset: 12, as: UInt16.self)))
            guard position < kinds.count else { throw corrupted(firstKey, position, Self.noColumn) }
            if let kind = kinds.byPosition[position], !kind.isRowKey {
                do {
                    view.columns[position] = try StoredColumn.view(
                        of: found.value, count: count, type: kind.type, isNullable: kind.isNullable)
                } catch {
                    throw corrupted(firstKey, position, error.reason)
                }
            } else {
                view.storesRemovedColumns = true
            }
            columnCount += 1
            current = try cursor.next()
        }
        if view.columns[0].encoding == .absent {
            throw corrupted(firstKey, 0, "its row keys are missing")
        }
        return columnCount
    }

    /// Finds where the columns are, and answers how many. Only row keys are decrypted at once,
    /// as each use of a cluster needs them.
    private func resolve(into view: ClusterView, from tree: SealedTreeReader) throws(StorageError)
        -> Int
    {
        var columnCount = 0
        var places = ContiguousArray<SealedColumns.Place?>(repeating: nil, count: kinds.count)
        let prefix = StorageKey.directory(id, firstKey: view.firstKey)
        try prefix.withBytes { start throws(StorageError) in
            try SealedCursor.forEachEntry(of: tree, from: start) {
                leaf, index throws(StorageError) in
                let key = leaf.key(index)
                guard key.count == 14, key.starts(with: start) else { return false }
                let position = Int(
                    UInt16(bigEndian: key.loadUnaligned(fromByteOffset: 12, as: UInt16.self)))
                guard position < kinds.count else {
                    throw corrupted(view.firstKey, position, Self.noColumn)
                }
                if let kind = kinds.byPosition[position], !kind.isRowKey {
                    places[position] = SealedColumns.Place(leaf: leaf, index: index)
                } else {
                    view.storesRemovedColumns = true
                }
                columnCount += 1
                return true
            }
        }
        if let keys = places[0], let kind = kinds.byPosition[0] {
            view.unsafeColumns[0] = try columnView(
                keys, kind, 0, firstKey: view.firstKey, count: view.count)
            places[0] = nil
        }
        if view.unsafeColumns[0].encoding == .absent {
            throw corrupted(view.firstKey, 0, "its row keys are missing")
        }
        guard let decrypting, places.contains(where: { $0 != nil }) else { return columnCount }
        view.deferredColumns = .passRetained(SealedColumns(view, places, self, decrypting))
        return columnCount
    }

    /// The view of a column of an encrypted file; nil where it is damaged, which is remembered:
    /// the column then reads as absent.
    func view(of place: SealedColumns.Place, _ position: Int, firstKey: Int64, count: Int)
        -> ColumnView?
    {
        guard let kind = kinds.byPosition[position] else { return nil }
        do throws(StorageError) {
            return try columnView(place, kind, position, firstKey: firstKey, count: count)
        } catch {
            corruption.note(error)
            return nil
        }
    }

    private func columnView(
        _ place: SealedColumns.Place, _ kind: ColumnKinds.Kind, _ position: Int, firstKey: Int64,
        count: Int
    ) throws(StorageError) -> ColumnView {
        guard let sealed = transaction.sealed else {
            preconditionFailure("Columns are sealed in encrypted files only.")
        }
        let bytes = try sealed.tree(.clusters).value(place.leaf, place.index)
        do {
            return try StoredColumn.view(
                of: bytes, count: count, type: kind.type, isNullable: kind.isNullable)
        } catch {
            throw corrupted(firstKey, position, error.reason)
        }
    }

    /// Under a changed key, whose own column would seem to have been added later.
    private static let noColumn = "the table never had such a column"

    func corrupted(_ firstKey: Int64, _ position: Int?, _ reason: String) -> StorageError {
        let column = position.map { position in
            let name = definition.columns.first { $0.id.position == position }?.name
            return ", column \(position)" + (name.map { " (\($0))" } ?? "")
        }
        return StorageError(
            .corrupted,
            """
            The cluster of table \(definition.name) that begins with row \
            \(firstKey)\(column ?? "") is damaged: \(reason). Restore the file from a \
            backup.
            """,
            path: transaction.environment.path)
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
                .withBytes { key throws(StorageError) in
                    try transaction.value(.blobs, key: key)
                }
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
                key throws(StorageError) in
                try transaction.value(.elements, key: key)
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
        // Damage can keep the walk over a cluster's columns from one that a look-up finds.
        guard let bytes = stored, cluster(at: index).columns[column.position].encoding != .absent
        else { return false }
        if !StoredColumn.hasRightChecksum(
            bytes, seed: StoredColumn.seed(id, firstKey: firstKey, column))
        {
            corruption.note(corrupted(firstKey, column.position, "the checksum does not match"))
        } else if let kind = definition[column]?.elements {
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

    /// Stored bytes of one column, for ``IntegrityCheck`` .
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

/// One chunk of a long value: checksum (low half of XXH64 seeded with its place, UInt32), then
/// up to 16,364 bytes, so that a full chunk takes four pages exactly.
enum StoredBlob {
    static let headerSize = 4
    static let chunkSize = 16_364

    static func checksum(
        _ bytes: UnsafeRawBufferPointer, _ table: TableID, _ column: ColumnID, rowKey: Int64,
        chunk: UInt32
    ) -> UInt32 {
        UInt32(
            truncatingIfNeeded: Checksum.xxh64(
                bytes, seed: ElementLeaf.seed(table, column, rowKey: rowKey, chunk)))
    }
}
