/// Writes a write set as LMDB entries, on the committing thread.
///
/// The order inside one transaction does not matter for crash safety, because LMDB's commit is
/// atomic. It follows the key order of each database, so that pages fill up and stay cached.
/// Each dirty column of each dirty cluster is encoded once, directly into the page that LMDB
/// reserves.
struct CommitWriter {
    let writeSet: WriteSet
    let transaction: WriteTransaction
    let path: String

    init(_ writeSet: WriteSet, _ transaction: WriteTransaction, path: String) {
        self.writeSet = writeSet
        self.transaction = transaction
        self.path = path
    }

    /// Writes all changes. Returns the known directories of all tables in the new version.
    func apply() throws(StorageError) -> [TableID: ClusterDirectory] {
        transaction.mayUseReserve = writeSet.hasFewerRows
        let recorded = writeSet.catalog.writtenByCommits
        let history = try captureHistory(in: recorded.history)
        let shared = try captureShared(in: recorded.outbox)
        var directories = writeSet.base.knownDirectories
        let changes = CatalogChanges(from: writeSet.base.catalog, to: writeSet.catalog)
        if !changes.isEmpty { try Store.putCatalog(writeSet.catalog, in: transaction) }
        try delete(changes, &directories)
        let ids = Set(writeSet.tables.filter(\.value.isChanged).keys)
            .union(changes.addedIndexes.filter { !$0.value.isEmpty }.keys)
        for id in ids.sorted() where writeSet.catalog[id] != nil {
            let added = changes.addedIndexes[id] ?? []
            let changed = writeSet.tables[id].flatMap { $0.isChanged ? $0 : nil }
            let table = changed ?? writeSet.mutableTable(id)
            table.settleElements()
            try writeIndexes(of: table, added: added)
            if changed != nil {
                try writeClusters(of: table, writeSet.base.kinds(of: table.definition))
                try writeBlobs(of: table)
                try table.writeElements(to: transaction)
                try writeFacts(of: table)
                // Otherwise it is the base's, which may not be loaded.
                if table.isOpened {
                    var directory = table.ownDirectory
                    directory.indexPositions()
                    directories[table.id] = directory
                } else if !table.sparse.isEmpty {
                    // Another thread may have loaded the base's meanwhile.
                    directories[table.id] = nil
                }
            }
        }
        for (id, keys) in writeSet.removedRecords {
            try removeRecords(keys, of: id)
            directories[id] = nil
        }
        if let history {
            try write(history)
            directories[history.table] = nil
        }
        if let shared {
            try write(shared)
            directories[shared.table] = nil
        }
        return directories
    }

    // MARK: Clusters

    /// - Parameter kinds: The table's current columns: without retired ones, and with the row
    ///   keys as the primary key if it has become that.
    private func writeClusters(of table: MutableTable, _ kinds: ColumnKinds) throws(StorageError) {
        let dirty = table.dirtyClusters
        let standing = Set(
            dirty.compactMap { $0.storedFirstKey == $0.firstKey ? $0.firstKey : nil })
        for firstKey in table.replaced.sorted() where !standing.contains(firstKey) {
            try deleteCluster(of: table, firstKey: firstKey)
        }
        for cluster in dirty { try write(cluster, of: table, kinds) }
    }

    private func deleteCluster(of table: MutableTable, firstKey: Int64) throws(StorageError) {
        for position in 0..<table.kinds.count {
            try StorageKey.column(
                table.id, firstKey: firstKey, ColumnID(rawValue: UInt16(position))
            ).withBytes { key throws(StorageError) in
                _ = try transaction.delete(.clusters, key: key)
            }
        }
        try StorageKey.directory(table.id, firstKey: firstKey).withBytes {
            key throws(StorageError) in _ = try transaction.delete(.directory, key: key)
        }
    }

    private func write(_ cluster: MutableCluster, of table: MutableTable, _ kinds: ColumnKinds)
        throws(StorageError)
    {
        let isInPlace = cluster.storedFirstKey == cluster.firstKey
        // Either all columns are written, or only the dirty ones. In the second case, the count
        // changes with each column that starts or stops being stored.
        let writesAll = !isInPlace || cluster.membershipChanged
        var columnCount = writesAll ? 0 : cluster.storedColumnCount
        var consecutiveFrom: Int64?
        let mayStoreRemoved = isInPlace && (cluster.storesRemovedColumns || !table.retired.isEmpty)
        for (position, kind) in kinds.byPosition.enumerated() {
            let column = ColumnID(rawValue: UInt16(position))
            guard let kind else {
                if mayStoreRemoved, try deleteColumn(column, of: cluster, table), !writesAll {
                    columnCount -= 1
                }
                continue
            }
            if kind.isRowKey { continue }
            if position == 0 {
                consecutiveFrom = try writeRowKeys(of: cluster, table, isInPlace: isInPlace)
                if writesAll, consecutiveFrom == nil { columnCount += 1 }
                continue
            }
            if !writesAll, !cluster.isDirty(position) { continue }
            let wasStored = try verifyStored(column, of: cluster, table)
            let encoder = encoder(cluster.columns[position], of: cluster, kind.type)
            try write(encoder, column, cluster, table, isInPlace: isInPlace)
            columnCount += (encoder == nil ? 0 : 1) - (wasStored && !writesAll ? 1 : 0)
        }
        if !writesAll, columnCount == cluster.storedColumnCount { return }
        let entry = DirectoryEntry(
            count: cluster.count, consecutiveFrom: consecutiveFrom, columnCount: columnCount
        ).encoded(of: table.id, firstKey: cluster.firstKey)
        try StorageKey.directory(table.id, firstKey: cluster.firstKey).withBytes {
            key throws(StorageError) in
            try entry.withBytes { value throws(StorageError) in
                try transaction.put(.directory, key: key, value: value)
            }
        }
    }

    /// Returns the first key if the keys are consecutive; nothing is stored then.
    private func writeRowKeys(of cluster: MutableCluster, _ table: MutableTable, isInPlace: Bool)
        throws(StorageError) -> Int64?
    {
        let keys = cluster.columns[0]
        let first = keys.integer(at: 0)
        let isConsecutive = keys.integer(at: cluster.count - 1) &- first == Int64(cluster.count - 1)
        if !cluster.membershipChanged, isInPlace { return isConsecutive ? first : nil }
        try verifyStored(.rowKeys, of: cluster, table)
        let encoder = isConsecutive ? nil : encoder(keys, of: cluster, .integer)
        try write(encoder, .rowKeys, cluster, table, isInPlace: isInPlace)
        return isConsecutive ? first : nil
    }

    private func encoder(_ column: ColumnView, of cluster: MutableCluster, _ type: ColumnType)
        -> ColumnEncoder?
    {
        ColumnEncoder(
            column, rowCount: cluster.count, type: type, hidesLengths: writeSet.layout.hidesLengths)
    }

    /// Throws if the stored column on which a cluster is based has the wrong checksum. Reads do
    /// not verify checksums, so without this, rewriting a damaged column would give it a valid
    /// checksum. O(bytes).
    ///
    /// - Returns: Whether the column was stored.
    @discardableResult
    private func verifyStored(_ column: ColumnID, of cluster: MutableCluster, _ table: MutableTable)
        throws(StorageError) -> Bool
    {
        guard let firstKey = cluster.storedFirstKey else { return false }
        return try StorageKey.column(table.id, firstKey: firstKey, column).withBytes {
            key throws(StorageError) in
            guard let stored = try writeSet.base.transaction.value(.clusters, key: key) else {
                return false
            }
            if StoredColumn.hasRightChecksum(
                stored, seed: StoredColumn.seed(table.id, firstKey: firstKey, column))
            {
                return true
            }
            throw StorageError.damaged(
                """
                The cluster of table \(table.definition.name) that begins with row \
                \(firstKey), column \(column.rawValue) is damaged: the checksum does not \
                match.
                """, path: path)
        }
    }

    private func write(
        _ encoder: ColumnEncoder?, _ column: ColumnID, _ cluster: MutableCluster,
        _ table: MutableTable, isInPlace: Bool
    ) throws(StorageError) {
        guard let encoder else {
            if isInPlace { _ = try deleteColumn(column, of: cluster, table) }
            return
        }
        try StorageKey.column(table.id, firstKey: cluster.firstKey, column).withBytes {
            key throws(StorageError) in
            let target = try transaction.reserve(.clusters, key: key, count: encoder.byteCount)
            encoder.write(
                to: target, seed: StoredColumn.seed(table.id, firstKey: cluster.firstKey, column))
        }
    }

    /// - Returns: Whether the column was stored.
    private func deleteColumn(_ column: ColumnID, of cluster: MutableCluster, _ table: MutableTable)
        throws(StorageError) -> Bool
    {
        try StorageKey.column(table.id, firstKey: cluster.firstKey, column).withBytes {
            key throws(StorageError) in try transaction.delete(.clusters, key: key)
        }
    }

    // MARK: Blobs and facts

    private func writeBlobs(of table: MutableTable) throws(StorageError) {
        for (place, value) in table.blobs.sorted(by: { $0.key < $1.key })
        where table.definition[place.column] != nil {
            let count =
                try value.map { value throws(StorageError) in
                    try transaction.putBlob(value, table.id, place.column, rowKey: place.rowKey)
                } ?? 0
            // Left-over chunks of an earlier, longer value.
            try transaction.deleteBlob(table.id, place.column, rowKey: place.rowKey, from: count)
        }
    }

    private func writeFacts(of table: MutableTable) throws(StorageError) {
        let facts = TableFacts(
            nextRowKey: min(table.nextKey, TableFacts.greatestNextRowKey),
            rowCount: Int64(table.count))
        if facts == writeSet.base.facts(of: table.id) { return }
        let bytes = facts.encoded(of: table.id)
        try StorageKey.tableFacts(table.id).withBytes { key throws(StorageError) in
            try bytes.withBytes { value throws(StorageError) in
                try transaction.put(.meta, key: key, value: value)
            }
        }
    }
}
