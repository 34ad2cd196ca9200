/// Adding rows, and finding them by key.
extension MutableTable {
    /// A key greater than all that the table has used, for tables whose primary key is not the
    /// row key.
    package func nextRowKey() -> RowKey { RowKey(rawValue: nextKey) }

    /// A positive key greater than all that the table has used, for tables whose primary key is
    /// the row key. Nil if no key is left. O(1).
    ///
    /// In a damaged file there always is one, and no commit will succeed.
    package func nextPrimaryKey() -> RowKey? {
        let next = max(nextKey, 1)
        if next < TableFacts.greatestNextRowKey || writeSet.base.isDamaged {
            return RowKey(rawValue: next)
        }
        return nil
    }

    /// Adds a row whose columns are all null or zero. The key must be new. If it exists, the
    /// file is damaged: no commit will succeed any more, and the existing row is returned. O(1)
    /// at the end of the table, else O(log clusters + rows of a cluster).
    package func insertRow(_ key: RowKey) -> MutableRow {
        counters.values &+= 1
        if key.rawValue >= nextKey { nextKey = max(key.rawValue &+ 1, key.rawValue) }
        if !isOpened {
            if canStaySparse, let row = insertSparsely(key) { return row }
            open()
        }
        let last = ownDirectory.clusterCount - 1
        if last >= 0, let tail = clusters[last]?.takeUnretainedValue(), tail.isMutable,
            tail.count > 0, tail.count < layout.rowsPerCluster,
            key.rawValue > tail.key(at: tail.count - 1).rawValue
        {
            let cluster = unsafeDowncast(tail, to: MutableCluster.self)
            return append(key, to: cluster, at: last)
        }
        return insertSlowly(key)
    }

    @inline(__always)
    private func append(_ key: RowKey, to cluster: MutableCluster, at index: Int) -> MutableRow {
        let row = cluster.count
        cluster.insertRow(key.rawValue, at: row)
        ownDirectory.setCount(cluster.count, at: index)
        return MutableRow(table: self, cluster: cluster, row: row)
    }

    @inline(never)
    private func insertSlowly(_ key: RowKey) -> MutableRow {
        guard ownDirectory.clusterCount > 0 else {
            insert(
                MutableCluster(
                    firstKey: key.rawValue, kinds: kinds, capacity: layout.rowsPerCluster), at: 0)
            return append(key, to: mutableCluster(at: 0), at: 0)
        }
        var index =
            ownDirectory.clusterIndex(covering: key.rawValue)
            ?? {
                lowerFirstKey(to: key.rawValue)
                return 0
            }()
        var cluster = cluster(at: index)
        var row = cluster.lowerBound(of: key.rawValue)
        if row < cluster.count, cluster.key(at: row) == key {
            return existingRow(key, clusterAt: index, row)
        }
        if cluster.count >= layout.rowsPerCluster {
            if row == cluster.count, index == ownDirectory.clusterCount - 1 {
                let new = MutableCluster(
                    firstKey: key.rawValue, kinds: kinds, capacity: layout.rowsPerCluster)
                insert(new, at: index + 1)
                return append(key, to: new, at: index + 1)
            }
            let lower = mutableCluster(at: index)
            let upper = lower.split(at: lower.count / 2)
            ownDirectory.setCount(lower.count, at: index)
            insert(upper, at: index + 1)
            if key.rawValue >= upper.firstKey { index += 1 }
            cluster = self.cluster(at: index)
            row = cluster.lowerBound(of: key.rawValue)
        }
        let target = mutableCluster(at: index)
        target.insertRow(key.rawValue, at: row)
        ownDirectory.setCount(target.count, at: index)
        counters.layout &+= 1
        return MutableRow(table: self, cluster: target, row: row)
    }

    /// Returns the existing row of a key that should be new. Callers look first, or take a key
    /// that the table claims never to have used.
    private func existingRow(_ key: RowKey, clusterAt index: Int, _ row: Int) -> MutableRow {
        noteDamage(
            StorageError.damaged(
                """
                Table \(definition.name) gave the key \(key.rawValue) to a new row, and \
                has a row with it.
                """, path: path))
        return MutableRow(table: self, cluster: mutableCluster(at: index), row: row)
    }

    /// Whether a row with this key exists. O(1) for keys greater than all others, else as
    /// ``TableView/contains(_:)``.
    package func hasRow(_ key: RowKey) -> Bool {
        if isOpened, let last = clusters.last, let tail = last?.takeUnretainedValue(),
            tail.count > 0, key.rawValue > tail.columns[0].integer(at: tail.count - 1)
        {
            return false
        }
        return contains(key)
    }

    /// Whether a missing row may have been deleted since the stored version: that version had
    /// the row, or it may have been added since. O(log clusters).
    package func mayHaveDeleted(_ key: RowKey) -> Bool {
        definition.usesPrimaryKeyAsRowKey || key.rawValue >= storedNextKey
            || base?.contains(key) ?? false
    }

    /// Returns an existing row, made writable.
    package func mutableRow(_ key: RowKey) -> MutableRow? {
        if canStaySparse { return sparseMutableRow(key) }
        guard let index = clusterIndex(covering: key.rawValue) else { return nil }
        guard let row = cluster(at: index).row(of: key.rawValue) else { return nil }
        counters.values &+= 1
        return MutableRow(table: self, cluster: mutableCluster(at: index), row: row)
    }

    /// Makes the table allocate only keys greater than `key`. O(1).
    package func raiseNextKey(above key: Int64) {
        if key >= nextKey { nextKey = max(key &+ 1, key) }
    }

    func setBlob(_ value: ContiguousArray<UInt8>?, column: ColumnID, rowKey: Int64) {
        blobs[CellPlace(column: column, rowKey: rowKey)] = .some(value)
    }

    // MARK: Primary keys

    /// The row in this transaction with a primary key that is not the row key itself. One hash
    /// or index look-up.
    package func rowKey(forPrimaryKey value: IndexKey) throws(StorageError) -> RowKey? {
        try rowKey(forPrimaryKey: value, added: addedPrimaryKeys[value])
    }

    /// Registers the primary key of a row that this transaction added.
    package func notePrimaryKey(_ value: IndexKey, of key: RowKey) {
        addedPrimaryKeys[value] = key.rawValue
    }
}
