internal import Glibc

/// Turns a write set into LMDB entries, on the writer thread.
///
/// Order inside one transaction does not matter for crash safety (LMDB's commit is atomic); it follows the key order of each
/// database, so that pages fill up and stay warm. Each touched column of each touched cluster is encoded once, straight into
/// the page that LMDB reserves.
struct CommitWriter {
    private let writeSet: WriteSet
    private let transaction: WriteTransaction
    private let path: String

    init(_ writeSet: WriteSet, _ transaction: WriteTransaction, path: String) {
        self.writeSet = writeSet
        self.transaction = transaction
        self.path = path
    }

    /// The directories of all tables that are known in the new version.
    func apply() throws(StorageError) -> [TableID: ClusterDirectory] {
        var directories = writeSet.base.knownDirectories
        if writeSet.catalog != writeSet.base.catalog { try Store.putCatalog(writeSet.catalog, in: transaction) }
        for place in writeSet.removedIndexes.sorted(by: { ($0.table, $0.column) < ($1.table, $1.column) }) {
            try IndexWriter(
                transaction, place.table, place.column, keysPerEntry: writeSet.layout.keysPerIndexEntry, path: path
            ).deleteAll()
        }
        for definition in writeSet.catalog.tables {
            let added = writeSet.addedIndexes.filter { $0.table == definition.id }.map(\.column)
            let changed = writeSet.tables[definition.id].flatMap { $0.isChanged ? $0 : nil }
            guard changed != nil || !added.isEmpty else { continue }
            let table = changed ?? writeSet.mutableTable(definition.id)
            table.settleElements()
            try writeIndexes(of: table, added: Set(added))
            if changed != nil {
                try writeClusters(of: table)
                try writeBlobs(of: table)
                try table.writeElements(to: transaction)
                try writeFacts(of: table)
                var directory = table.directory
                directory.indexPositions()
                directories[table.id] = directory
            }
        }
        return directories
    }

    // MARK: Clusters

    private func writeClusters(of table: MutableTable) throws(StorageError) {
        let touched = table.touchedClusters
        let standing = Set(touched.compactMap { $0.storedFirstKey == $0.firstKey ? $0.firstKey : nil })
        for firstKey in table.replaced.sorted() where !standing.contains(firstKey) {
            try deleteCluster(of: table, firstKey: firstKey)
        }
        for cluster in touched { try write(cluster, of: table) }
    }

    private func deleteCluster(of table: MutableTable, firstKey: Int64) throws(StorageError) {
        for position in 0..<table.kinds.count {
            try StorageKey.column(table.id, firstKey: firstKey, ColumnID(rawValue: UInt16(position))).withBytes { key throws(StorageError) in
                _ = try transaction.delete(.clusters, key: key)
            }
        }
        try StorageKey.directory(table.id, firstKey: firstKey).withBytes { key throws(StorageError) in
            _ = try transaction.delete(.directory, key: key)
        }
    }

    private func write(_ cluster: MutableCluster, of table: MutableTable) throws(StorageError) {
        let isInPlace = cluster.storedFirstKey == cluster.firstKey
        var consecutiveFrom: Int64?
        for (position, kind) in table.kinds.byPosition.enumerated() {
            guard let kind, !kind.isRowKey else { continue }
            if position == 0 {
                consecutiveFrom = try writeRowKeys(of: cluster, table, isInPlace: isInPlace)
                continue
            }
            if isInPlace, !cluster.isTouched(position), !cluster.membershipChanged { continue }
            let column = ColumnID(rawValue: UInt16(position))
            try verifyStored(column, of: cluster, table)
            try write(ColumnEncoder(cluster.columns[position], rowCount: cluster.count, type: kind.type), column, cluster, table, isInPlace: isInPlace)
        }
        if isInPlace, !cluster.membershipChanged { return }
        let entry = DirectoryEntry(count: cluster.count, consecutiveFrom: consecutiveFrom).encoded(of: table.id, firstKey: cluster.firstKey)
        try StorageKey.directory(table.id, firstKey: cluster.firstKey).withBytes { key throws(StorageError) in
            try entry.withBytes { value throws(StorageError) in try transaction.put(.directory, key: key, value: value) }
        }
    }

    /// Answers the first key where the keys are consecutive, in which case nothing is stored.
    private func writeRowKeys(of cluster: MutableCluster, _ table: MutableTable, isInPlace: Bool) throws(StorageError) -> Int64? {
        let keys = cluster.columns[0]
        let first = keys.integer(at: 0)
        let isConsecutive = keys.integer(at: cluster.count - 1) &- first == Int64(cluster.count - 1)
        if !cluster.membershipChanged, isInPlace { return isConsecutive ? first : nil }
        try verifyStored(.rowKeys, of: cluster, table)
        let encoder = isConsecutive ? nil : ColumnEncoder(keys, rowCount: cluster.count, type: .integer)
        try write(encoder, .rowKeys, cluster, table, isInPlace: isInPlace)
        return isConsecutive ? first : nil
    }

    /// Throws if the stored column that a cluster began with has the wrong checksum. Reading does not look at checksums, so
    /// without this a damaged column would get a right one when it is written again. O(bytes).
    private func verifyStored(_ column: ColumnID, of cluster: MutableCluster, _ table: MutableTable) throws(StorageError) {
        guard let firstKey = cluster.storedFirstKey else { return }
        try StorageKey.column(table.id, firstKey: firstKey, column).withBytes { key throws(StorageError) in
            guard let stored = try writeSet.base.transaction.value(.clusters, key: key) else { return }
            if stored.count >= StoredColumn.headerSize,
                StoredColumn.hasRightChecksum(stored, seed: StoredColumn.seed(table.id, firstKey: firstKey, column))
            { return }
            throw StorageError(
                .corrupted,
                "The cluster of table \(table.definition.name) that begins with row \(firstKey), column \(column.rawValue) is damaged: the checksum does not match. Restore the file from a backup.",
                path: path)
        }
    }

    private func write(
        _ encoder: ColumnEncoder?, _ column: ColumnID, _ cluster: MutableCluster, _ table: MutableTable, isInPlace: Bool
    ) throws(StorageError) {
        try StorageKey.column(table.id, firstKey: cluster.firstKey, column).withBytes { key throws(StorageError) in
            guard let encoder else {
                if isInPlace { _ = try transaction.delete(.clusters, key: key) }
                return
            }
            let target = try transaction.reserve(.clusters, key: key, count: encoder.byteCount)
            encoder.write(to: target, seed: StoredColumn.seed(table.id, firstKey: cluster.firstKey, column))
        }
    }

    // MARK: Blobs and facts

    private func writeBlobs(of table: MutableTable) throws(StorageError) {
        for (place, value) in table.blobs.sorted(by: { $0.key < $1.key }) {
            var chunk: UInt32 = 0
            if let value {
                while Int(chunk) * StoredBlob.chunkSize < value.count {
                    try put(chunk, of: value, place, table)
                    chunk += 1
                }
            }
            // What an earlier, longer value left behind.
            while try StorageKey.blob(table.id, place.column, rowKey: place.rowKey, chunk: chunk).withBytes({ key throws(StorageError) in
                try transaction.delete(.blobs, key: key)
            }) { chunk += 1 }
        }
    }

    private func put(_ chunk: UInt32, of value: ContiguousArray<UInt8>, _ place: MutableTable.CellPlace, _ table: MutableTable) throws(StorageError) {
        try value.withBytes { bytes throws(StorageError) in
            let start = Int(chunk) * StoredBlob.chunkSize
            let part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + StoredBlob.chunkSize, bytes.count)])
            try StorageKey.blob(table.id, place.column, rowKey: place.rowKey, chunk: chunk).withBytes { key throws(StorageError) in
                let target = try transaction.reserve(.blobs, key: key, count: StoredBlob.headerSize + part.count)
                target.storeBytes(of: StoredBlob.checksum(part, chunk: chunk).littleEndian, as: UInt32.self)
                UnsafeMutableRawBufferPointer(rebasing: target[StoredBlob.headerSize...]).copyMemory(from: part)
            }
        }
    }

    private func writeFacts(of table: MutableTable) throws(StorageError) {
        let facts = TableFacts(nextRowKey: min(table.nextKey, TableFacts.greatestNextRowKey), rowCount: Int64(table.count))
        if facts == writeSet.base.facts(of: table.id) { return }
        let bytes = facts.encoded(of: table.id)
        try StorageKey.tableFacts(table.id).withBytes { key throws(StorageError) in
            try bytes.withBytes { value throws(StorageError) in try transaction.put(.meta, key: key, value: value) }
        }
    }

    // MARK: Indexes

    /// An index's changes are the difference between the touched clusters as stored and as they are now. So setting a value
    /// costs nothing for its index, values set twice count once, and the index cannot drift from the rows.
    private func writeIndexes(of table: MutableTable, added: Set<ColumnID>) throws(StorageError) {
        for column in table.definition.indexedColumns {
            var changes = IndexChanges()
            if column.countsBacklinks {
                changes = try table.backlinkChanges(of: column)
            } else if column.isFullText {
                wordChanges(of: column, table, isNew: added.contains(column.id), into: &changes)
            } else if added.contains(column.id) {
                changes.reserve(table.count)
                for index in 0..<table.clusterCount { Self.appendAll(column, table.cluster(at: index), table, to: &changes) }
            } else {
                difference(of: column, table, into: &changes)
            }
            if changes.isEmpty { continue }
            changes.finish()
            var writer = try IndexWriter(transaction, table.id, column.id, keysPerEntry: writeSet.layout.keysPerIndexEntry, path: path)
            try writer.apply(changes)
        }
    }

    private func difference(of column: ColumnDefinition, _ table: MutableTable, into changes: inout IndexChanges) {
        forEachDifference(of: column, table) { before, after in
            if let before, let after, Self.isSame(column, before.cluster, before.row, before.table, after.cluster, after.row, after.table) { return }
            if let before { Self.append(column, before.cluster, before.row, before.table, isRemoval: true, to: &changes) }
            if let after { Self.append(column, after.cluster, after.row, after.table, isRemoval: false, to: &changes) }
        }
    }

    /// As ``difference(of:_:into:)``, of the words.
    private func wordChanges(of column: ColumnDefinition, _ table: MutableTable, isNew: Bool, into changes: inout IndexChanges) {
        let indexer = FullTextIndexer(column)
        if !isNew {
            return forEachDifference(of: column, table) { before, after in
                guard let key = (after ?? before).map({ $0.cluster.key(at: $0.row).rawValue }) else { return }
                indexer.change(from: before, to: after, rowKey: key, &changes)
            }
        }
        for index in 0..<table.clusterCount {
            let cluster = table.cluster(at: index)
            for row in 0..<cluster.count {
                indexer.change(
                    from: nil, to: IndexedRow(cluster: cluster, row: row, table: table), rowKey: cluster.key(at: row).rawValue, &changes)
            }
        }
    }

    /// Calls `body` with each row that was removed or added, or whose value may have changed, as stored and as it is now, in ascending order of the keys.
    @inline(__always)
    private func forEachDifference(
        of column: ColumnDefinition, _ table: MutableTable, _ body: (_ before: IndexedRow?, _ after: IndexedRow?) -> Void
    ) {
        func isUnchanged(_ cluster: MutableCluster) -> Bool { !cluster.membershipChanged && !cluster.isTouched(column.id.position) }
        let new = table.touchedClusters
        let unchanged = Set(new.filter(isUnchanged).map(\.firstKey))
        let replaced = table.replaced.sorted().filter { !unchanged.contains($0) }
        let current = new.filter { !isUnchanged($0) }
        if replaced.isEmpty {
            for cluster in current {
                for row in 0..<cluster.count { body(nil, IndexedRow(cluster: cluster, row: row, table: table)) }
            }
            return
        }
        guard let base = table.base else { return }
        var old = RowWalk(replaced.compactMap { firstKey in base.directory.clusterIndex(covering: firstKey).map { base.cluster(at: $0) } })
        var now = RowWalk(current)
        while true {
            switch (old.key, now.key) {
            case (nil, nil): return
            case (let before?, let after?) where before == after:
                if now.isWritten(column.id.position) {
                    body(IndexedRow(cluster: old.cluster, row: old.row, table: base), IndexedRow(cluster: now.cluster, row: now.row, table: table))
                }
                old.advance()
                now.advance()
            case (let before?, let after) where after == nil || before < after.unsafelyUnwrapped:
                body(IndexedRow(cluster: old.cluster, row: old.row, table: base), nil)
                old.advance()
            default:
                body(nil, IndexedRow(cluster: now.cluster, row: now.row, table: table))
                now.advance()
            }
        }
    }

    private static func isSame(
        _ column: ColumnDefinition, _ a: ClusterView, _ aRow: Int, _ aTable: TableView, _ b: ClusterView, _ bRow: Int, _ bTable: TableView
    ) -> Bool {
        let (old, new) = (a.columns[column.id.position], b.columns[column.id.position])
        let wasNull = old.isNull(at: aRow)
        guard wasNull == new.isNull(at: bRow) else { return false }
        if wasNull { return true }
        switch column.type {
        case .integer, .link: return old.integer(at: aRow) == new.integer(at: bRow)
        case .boolean: return old.boolean(at: aRow) == new.boolean(at: bRow)
        case _ where column.type.isVariableLength && !old.isBlob(at: aRow) && !new.isBlob(at: bRow):
            return old.heapBytes(at: aRow).elementsEqual(new.heapBytes(at: bRow))
        default:
            return IndexKey(column, in: a, row: aRow, of: aTable).bytes == IndexKey(column, in: b, row: bRow, of: bTable).bytes
        }
    }

    private static func appendAll(_ column: ColumnDefinition, _ cluster: ClusterView, _ table: TableView, to changes: inout IndexChanges) {
        for row in 0..<cluster.count { append(column, cluster, row, table, isRemoval: false, to: &changes) }
    }

    private static func append(
        _ column: ColumnDefinition, _ cluster: ClusterView, _ row: Int, _ table: TableView, isRemoval: Bool, to changes: inout IndexChanges
    ) {
        let key = cluster.key(at: row).rawValue
        let view = cluster.columns[column.id.position]
        if view.isNull(at: row) { return changes.append(.null, rowKey: key, isRemoval: isRemoval) }
        if column.type == .integer || column.type == .link {
            return changes.append(integer: view.integer(at: row), rowKey: key, isRemoval: isRemoval)
        }
        if column.type.isVariableLength, !view.isBlob(at: row) {
            let text = view.heapBytes(at: row)
            if text.count <= IndexKey.longestWholeValue, !text.hasZero {
                return changes.append(plainText: text, rowKey: key, isRemoval: isRemoval)
            }
        }
        changes.append(IndexKey(column, in: cluster, row: row, of: table), rowKey: key, isRemoval: isRemoval)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a byte is zero. O(count).
    fileprivate var hasZero: Bool { baseAddress.map { memchr($0, 0, count) != nil } ?? false }
}

/// A row of a table, at one version.
struct IndexedRow {
    let cluster: ClusterView
    let row: Int
    let table: TableView
}

/// Walks the rows of some clusters in key order.
private struct RowWalk {
    private let clusters: ContiguousArray<ClusterView>
    private var index = -1
    private var keys = ColumnView.absent(count: 0, isNullable: false)
    private var count = 0
    private(set) var row = 0
    /// The key of the current row; nil behind the last one.
    private(set) var key: Int64?

    init(_ clusters: some Sequence<ClusterView>) {
        self.clusters = ContiguousArray(clusters)
        nextCluster()
    }

    var cluster: ClusterView { clusters[index] }

    /// Whether the current row's value may differ from the stored one.
    func isWritten(_ position: Int) -> Bool {
        clusters[index].isTouched && unsafeDowncast(clusters[index], to: MutableCluster.self).isWritten(position)
    }

    @inline(__always)
    mutating func advance() {
        row &+= 1
        if row < count { key = keys.integer(at: row) } else { nextCluster() }
    }

    private mutating func nextCluster() {
        row = 0
        repeat { index += 1 } while index < clusters.count && clusters[index].count == 0
        guard index < clusters.count else {
            key = nil
            return
        }
        keys = clusters[index].columns[0]
        count = clusters[index].count
        key = keys.integer(at: 0)
    }
}
