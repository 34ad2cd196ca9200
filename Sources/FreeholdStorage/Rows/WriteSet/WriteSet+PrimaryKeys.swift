/// Changing the primary keys of tables with rows.
extension WriteSet {
    /// The reason why a column cannot be the primary key.
    package enum PrimaryKeyRefusal: Equatable, Sendable {
        /// Two rows have the same value.
        case duplicates
        /// The rows used the values of another primary key as their keys. One of these is so
        /// great that new rows could not get greater keys.
        case keysTooGreat
    }

    /// Makes a column the primary key of a table that may have rows, or removes the primary
    /// key. Completes the changes that ``releasePrimaryKey(of:)`` began.
    ///
    /// O(1) if the primary key and its values stay the same, and if a table's row keys become
    /// its values. Otherwise O(rows log rows), and the commit builds an index.
    ///
    /// - Parameter takesRowKeys: Whether rows without a value in a new integer column get their
    ///   row keys as values.
    /// - Returns: The reason for refusing; nil on success.
    package func adoptPrimaryKey(_ column: ColumnID?, of table: TableID, takesRowKeys: Bool = false)
        -> PrimaryKeyRefusal?
    {
        guard let definition = catalog[table] else {
            preconditionFailure("table \(table.rawValue) is not in the catalog")
        }
        let stored = base.catalog[table]
        let changing = mutableTable(table)
        let oldAlias = stored.flatMap { $0.usesPrimaryKeyAsRowKey ? $0.primaryKey : nil }
        let hadKeys = stored.map { $0.primaryKey == column && column != nil } ?? false
        guard let column, let kind = definition[column] else {
            if oldAlias != nil, changing.hasTooGreatKey { return .keysTooGreat }
            storeOldAlias(oldAlias, changing)
            definePrimaryKey(nil, hasOwnKeys: false, of: table)
            return nil
        }
        let canBeRowKey = kind.type == .integer && !kind.isNullable
        if canBeRowKey {
            // Values stored for the column would be stored twice.
            let isFree = oldAlias == column || changing.base.map { $0.count == 0 } ?? true
            let isNew = stored?[column] == nil
            if takesRowKeys, isNew, !changing.isWritten(column) || changing.hasRowKeys(in: column) {
                definePrimaryKey(column, hasOwnKeys: false, of: table)
                return nil
            }
            if isFree, changing.hasRowKeys(in: column) {
                definePrimaryKey(column, hasOwnKeys: false, of: table)
                return nil
            }
        }
        if oldAlias != nil, changing.hasTooGreatKey { return .keysTooGreat }
        let areKnownUnique = hadKeys && !changing.hasNewValues(in: column)
        if !areKnownUnique, changing.hasDuplicates(in: kind) { return .duplicates }
        storeOldAlias(oldAlias, changing)
        definePrimaryKey(column, hasOwnKeys: canBeRowKey, of: table)
        return nil
    }

    /// Starts storing a column that was an alias of the row keys. O(rows).
    private func storeOldAlias(_ alias: ColumnID?, _ table: MutableTable) {
        guard let alias, table.definition[alias] != nil else { return }
        for index in 0..<table.clusterCount {
            table.mutableCluster(at: index).makeMutable(alias.position)
        }
    }
}

extension MutableTable {
    /// Makes the table allocate only keys greater than the values of an integer column, as far
    /// as keys are left. O(rows).
    package func raiseNextKey(aboveValuesOf column: ColumnID) {
        for cluster in allClusters {
            for row in 0..<cluster.count {
                raiseNextKey(above: cluster.columns[column.position].integer(at: row))
            }
        }
    }

    /// Whether new keys could not follow the last row's: only a primary key that is the row key
    /// may be so great.
    fileprivate var hasTooGreatKey: Bool {
        guard clusterCount > 0 else { return false }
        let last = cluster(at: clusterCount - 1)
        return last.key(at: last.count - 1).rawValue >= TableFacts.greatestNextRowKey - 1
    }

    /// Whether a value of the column may have been set in this transaction.
    fileprivate func isWritten(_ column: ColumnID) -> Bool {
        dirty.contains { $0.isDirty(column.position) }
    }

    /// Whether a value may have been set, or a row added.
    fileprivate func hasNewValues(in column: ColumnID) -> Bool {
        dirty.contains { $0.isDirty(column.position) || $0.membershipChanged }
    }

    /// Whether each row has its key in the column, as far as the transaction has changed rows:
    /// the other rows had it before. O(rows of dirty clusters).
    fileprivate func hasRowKeys(in column: ColumnID) -> Bool {
        dirty.allSatisfy { cluster in
            let (keys, values) = (cluster.columns[0], cluster.columns[column.position])
            return (0..<cluster.count).allSatisfy { keys.integer(at: $0) == values.integer(at: $0) }
        }
    }

    /// Whether two rows have the same value, including null. O(rows log rows), with eight bytes
    /// per row.
    fileprivate func hasDuplicates(in column: ColumnDefinition) -> Bool {
        var hashes = ContiguousArray<UInt64>()
        hashes.reserveCapacity(count)
        forEachKey(of: column) { key in
            hashes.append(key.bytes.withUnsafeBytes { Checksum.xxh64($0) })
        }
        hashes.sort()
        var suspects: Set<UInt64> = []
        for (one, next) in zip(hashes, hashes.dropFirst()) where one == next {
            suspects.insert(one)
        }
        if suspects.isEmpty { return false }
        // Values with the same hash are equal, unless they were crafted to collide.
        var seen: Set<IndexKey> = []
        var isDuplicate = false
        forEachKey(of: column) { key in
            if isDuplicate || !suspects.contains(key.bytes.withUnsafeBytes { Checksum.xxh64($0) }) {
                return
            }
            isDuplicate = !seen.insert(key).inserted
        }
        return isDuplicate
    }

    private func forEachKey(of column: ColumnDefinition, _ body: (IndexKey) -> Void) {
        for cluster in allClusters {
            for row in 0..<cluster.count { body(IndexKey(column, in: cluster, row: row, of: self)) }
        }
    }
}
