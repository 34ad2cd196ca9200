/// Finds stored data that belong to nothing.
extension IntegrityCheck {
    mutating func checkStrays() throws(StorageError) {
        guard problems.isEmpty else { return }
        var clusters = try snapshot.transaction.cursor(.clusters)
        while let entry = try clusters.next() {
            progress?.add()
            guard entry.key.count == 14 else {
                return report("A cluster's key has \(entry.key.count) bytes.")
            }
            let table = Self.table(of: entry)
            let firstKey = StorageKey.rowKey(in: entry.key, at: 4)
            let known = snapshot.catalog[table].map { snapshot.table($0.id).directory.firstKeys }
            if !(known?.containsSorted(firstKey) ?? false) {
                report(
                    """
                    A cluster of table \(table.rawValue) at \(firstKey) belongs to no \
                    directory entry.
                    """)
            }
        }
        var directory = try snapshot.transaction.cursor(.directory)
        while let entry = try directory.next() {
            progress?.add()
            if entry.key.count != 12 || snapshot.catalog[Self.table(of: entry)] == nil {
                report("A directory entry belongs to no table.")
            }
        }
        var indexes = try snapshot.transaction.cursor(.indexes)
        while let entry = try indexes.next() {
            progress?.add()
            let column =
                entry.key.count > 6
                ? StorageKey.column(in: entry.key, at: 4) : .rowKeys
            let isKnown =
                snapshot.catalog[Self.table(of: entry)]?.indexedColumns.contains { $0.id == column }
                ?? false
            if !isKnown { report("An index entry belongs to no index.") }
        }
        var blobs = try snapshot.transaction.cursor(.blobs)
        while let entry = try blobs.next() {
            progress?.add()
            guard entry.key.count == 18 else {
                return report("A long value's key has \(entry.key.count) bytes.")
            }
            checkOwner(ofBlob: entry)
        }
        try checkStrayNodes()
        try checkHistoryTail()
    }

    /// The newest entries of the history, which are in no table (``HistoryTail``).
    private mutating func checkHistoryTail() throws(StorageError) {
        guard problems.isEmpty else { return }
        let stored = try snapshot.transaction.historyTail()
        guard let id = snapshot.catalog.history?.id else {
            if stored != nil { report("Entries of a history belong to none.") }
            return
        }
        let policy: StoredHistoryPolicy
        do throws(StorageError) {
            policy = try HistoryReader.policy(of: snapshot, id)
        } catch {
            guard error.code == .corrupted else { throw error }
            return report(error.message)
        }
        if !policy.hasTail {
            if stored != nil { report("Entries of the history belong to no row.") }
            return
        }
        guard let tail = stored.flatMap({ HistoryTail(decoding: $0, of: id) }),
            tail.isEmpty || tail.row != nil, tail.first >= snapshot.facts(of: id).nextRowKey
        else { return report("The newest entries of the history are damaged.") }
    }

    private mutating func checkOwner(ofBlob entry: Entry) {
        let table = Self.table(of: entry)
        let column = StorageKey.column(in: entry.key, at: 4)
        let key = StorageKey.rowKey(in: entry.key, at: 6)
        let chunk = UInt32(bigEndian: entry.key.loadUnaligned(fromByteOffset: 14, as: UInt32.self))
        guard let definition = snapshot.catalog[table], definition[column] != nil,
            let place = snapshot.table(table).locate(RowKey(rawValue: key)),
            place.cluster.columns[column.position].isBlob(at: place.row)
        else {
            return report(
                """
                A long value of table \(table.rawValue), column \(column.rawValue), row \
                \(key) belongs to no row.
                """)
        }
        let heap = place.cluster.columns[column.position].heapBytes(at: place.row)
        if heap.count == 8,
            UInt64(chunk) * UInt64(StoredBlob.chunkSize) >= heap.loadUnaligned(as: UInt64.self)
        {
            report(
                """
                A long value of row \(key) of table \(definition.name) has more chunks \
                than its length.
                """)
        }
    }

    private static func table(of entry: Entry) -> TableID {
        TableID(
            rawValue: entry.key.count >= 4
                ? UInt32(bigEndian: entry.key.loadUnaligned(as: UInt32.self)) : 0)
    }
}
