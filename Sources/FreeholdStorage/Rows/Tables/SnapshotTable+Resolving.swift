/// Locates the columns of a cluster when the cluster is first used.
extension SnapshotTable {
    /// - Parameter end: The first key of the next cluster, if there is one.
    func makeView(firstKey: Int64, count: Int, before end: Int64?) -> ClusterView {
        let counters = transaction.environment.counters
        counters.add(to: counters.clusterReads)
        let view = ClusterView(
            firstKey: firstKey, count: count, columnCount: kinds.count, isMutable: false)
        for (position, kind) in kinds.byPosition.enumerated() {
            view.columns[position] = .absent(count: count, isNullable: kind?.isNullable ?? false)
        }
        do throws(StorageError) {
            try resolve(into: view, firstKey: firstKey, count: count)
            try checkKeys(of: view, before: end)
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

    /// Checks that the keys ascend inside of the cluster's range. Otherwise scans would return
    /// rows that key look-up cannot find. O(rows), or O(1) for consecutive keys.
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
            if let encrypted = transaction.encrypted {
                try resolve(into: view, from: try encrypted.tree(.clusters))
            } else {
                try resolveMapped(into: view, firstKey: firstKey, count: count)
            }
        view.storedColumnCount = entry.columnCount
        // The columns found can be read. A missing one would look like a column added later.
        if found != entry.columnCount {
            corruption.note(
                corrupted(firstKey, nil, "it has \(found) columns instead of \(entry.columnCount)"))
        }
    }

    /// The directory entry of a cluster; nil if it is damaged or missing.
    private func directoryEntry(firstKey: Int64) throws(StorageError) -> DirectoryEntry? {
        try StorageKey.directory(id, firstKey: firstKey).withBytes { key throws(StorageError) in
            try transaction.value(.directory, key: key).flatMap {
                DirectoryEntry(decoding: $0, of: id, firstKey: firstKey)
            }
        }
    }

    /// The number of a cluster's stored columns according to the directory, for
    /// ``IntegrityCheck``.
    func storedColumnCount(ofClusterAt index: Int) throws(StorageError) -> Int? {
        try directoryEntry(firstKey: directory.firstKeys[index])?.columnCount
    }

    /// Locates the columns in LMDB's map. Returns their number.
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

    /// Locates the columns and returns their number. Only row keys are decrypted immediately,
    /// because each use of a cluster needs them.
    private func resolve(into view: ClusterView, from tree: EncryptedTreeReader)
        throws(StorageError) -> Int
    {
        var columnCount = 0
        var places = ContiguousArray<EncryptedColumns.Place?>(repeating: nil, count: kinds.count)
        let prefix = StorageKey.directory(id, firstKey: view.firstKey)
        try prefix.withBytes { start throws(StorageError) in
            try EncryptedCursor.forEachEntry(of: tree, from: start) {
                leaf, index throws(StorageError) in
                let key = leaf.key(index)
                guard key.count == 14, key.starts(with: start) else { return false }
                let position = Int(
                    UInt16(bigEndian: key.loadUnaligned(fromByteOffset: 12, as: UInt16.self)))
                guard position < kinds.count else {
                    throw corrupted(view.firstKey, position, Self.noColumn)
                }
                if let kind = kinds.byPosition[position], !kind.isRowKey {
                    places[position] = EncryptedColumns.Place(leaf: leaf, index: index)
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
        view.deferredColumns = .passRetained(EncryptedColumns(view, places, self, decrypting))
        return columnCount
    }

    /// The view of a column of an encrypted file; nil if it is damaged. Damage is remembered,
    /// and the column then reads as absent.
    func view(of place: EncryptedColumns.Place, _ position: Int, firstKey: Int64, count: Int)
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
        _ place: EncryptedColumns.Place, _ kind: ColumnKinds.Kind, _ position: Int, firstKey: Int64,
        count: Int
    ) throws(StorageError) -> ColumnView {
        guard let encrypted = transaction.encrypted else {
            preconditionFailure("Columns are encrypted in encrypted files only.")
        }
        let bytes = try encrypted.tree(.clusters).value(place.leaf, place.index)
        do {
            return try StoredColumn.view(
                of: bytes, count: count, type: kind.type, isNullable: kind.isNullable)
        } catch {
            throw corrupted(firstKey, position, error.reason)
        }
    }

    /// The reason for a record under a damaged key; its own column would look like one added
    /// later.
    private static let noColumn = "the table never had such a column"

    func corrupted(_ firstKey: Int64, _ position: Int?, _ reason: String) -> StorageError {
        let column = position.map { position in
            let name = definition.columns.first { $0.id.position == position }?.name
            return ", column \(position)" + (name.map { " (\($0))" } ?? "")
        }
        return StorageError.damaged(
            """
            The cluster of table \(definition.name) that begins with row \
            \(firstKey)\(column ?? "") is damaged: \(reason).
            """, path: transaction.environment.path)
    }
}
