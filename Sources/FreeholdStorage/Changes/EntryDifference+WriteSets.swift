/// What write sets change, as the entries that their commits would write.
extension EntryDifference {
    /// Adds the tables, clusters and columns in which the changes of write sets differ. O(dirty
    /// clusters, changed collections and long values), of which those that a write set shares
    /// with its savepoint are left out.
    ///
    /// - Parameter entries: The differences of the versions that the write sets are based on.
    static func addChanges(
        ofWriteSetsIn old: TableSource, _ new: TableSource, to entries: inout [TableID: Self]
    ) {
        let (before, now) = (old as? WriteSet, new as? WriteSet)
        if before == nil, now == nil { return }
        if let before {
            for (id, table) in before.tables {
                addChanges(of: id, table, now?.tables[id], old, new, to: &entries)
            }
        }
        if let now {
            for (id, table) in now.tables where before?.tables[id] == nil {
                addChanges(of: id, nil, table, old, new, to: &entries)
            }
        }
        if old.currentCatalog == new.currentCatalog { return }
        for table in old.currentCatalog.tables + new.currentCatalog.tables
        where entries[table.id] == nil
            && (old.currentCatalog[table.id] == nil || new.currentCatalog[table.id] == nil)
        {
            entries[table.id] = EntryDifference()
        }
    }

    /// - Parameter a, b: The table in the write sets, of which at least one has it.
    private static func addChanges(
        of id: TableID, _ a: MutableTable?, _ b: MutableTable?, _ old: TableSource,
        _ new: TableSource, to entries: inout [TableID: Self]
    ) {
        var found = entries[id] ?? EntryDifference()
        found.addClusters(of: a, unlessIn: b)
        found.addClusters(of: b, unlessIn: a)
        found.addCollections(of: a, unlessIn: b)
        found.addCollections(of: b, unlessIn: a)
        let hasLongValues =
            !found.cells.isEmpty || a?.blobs.isEmpty == false || b?.blobs.isEmpty == false
        if hasLongValues, old.currentCatalog[id] != nil, new.currentCatalog[id] != nil {
            found.compareLongValues(
                Set((a?.blobs ?? [:]).keys).union((b?.blobs ?? [:]).keys), old.table(id),
                new.table(id))
        }
        if found.clusters.isEmpty, found.columns.isEmpty, found.cells.isEmpty { return }
        found.finish()
        found.columns.sort { ($0.firstKey, $0.column) < ($1.firstKey, $1.column) }
        entries[id] = found
    }

    private mutating func addClusters(of table: MutableTable?, unlessIn other: MutableTable?) {
        guard let table, !table.dirty.isEmpty else { return }
        for cluster in table.dirty where cluster.count > 0 {
            if let other, Self.has(other, cluster) { continue }
            if cluster.membershipChanged || cluster.storedFirstKey != cluster.firstKey {
                clusters.append(cluster.firstKey)
                continue
            }
            for position in 1..<cluster.columnCount where cluster.isDirty(position) {
                columns.append(
                    ClusterColumn(
                        firstKey: cluster.firstKey, column: ColumnID(rawValue: UInt16(position))))
            }
        }
        // The stored clusters that left the table, or moved to another key. A dirty cluster that
        // still has its key was covered above.
        if table.dirty.count <= Self.fewClusters {
            for firstKey in table.replaced
            where !table.dirty.contains(where: { $0.count > 0 && $0.firstKey == firstKey }) {
                clusters.append(firstKey)
            }
            return
        }
        let standing = Set(table.dirty.lazy.filter { $0.count > 0 }.map(\.firstKey))
        for firstKey in table.replaced where !standing.contains(firstKey) {
            clusters.append(firstKey)
        }
    }

    /// So few are found sooner one by one than in a set.
    private static let fewClusters = 4

    private static func has(_ table: MutableTable, _ cluster: MutableCluster) -> Bool {
        let ordinal = Int(cluster.ordinal)
        return ordinal < table.dirty.count && table.dirty[ordinal] === cluster
    }

    private mutating func addCollections(of table: MutableTable?, unlessIn other: MutableTable?) {
        guard let table else { return }
        for (place, tree) in table.trees where tree.isChanged {
            if let known = other?.trees[place], known === tree || known.hasSameElements(as: tree) {
                continue
            }
            cells[place.column, default: []].append(place.rowKey)
        }
    }

    /// Replaces the cells of long values by those whose bytes differ, among them those at some
    /// places: a write set may have set a value that the other version has, too.
    private mutating func compareLongValues(
        _ places: Set<MutableTable.CellPlace>, _ old: TableView, _ new: TableView
    ) {
        var places = places
        for (column, rows) in cells where new.definition[column]?.collection == nil {
            for row in rows {
                places.insert(MutableTable.CellPlace(column: column, rowKey: row))
            }
            cells[column] = nil
        }
        for place in places { addLongValue(at: place, old, new) }
    }

    /// Adds a long value that differs from one of equal length: their clusters have the lengths
    /// alone.
    private mutating func addLongValue(
        at place: MutableTable.CellPlace, _ old: TableView, _ new: TableView
    ) {
        let (position, key) = (place.column.position, RowKey(rawValue: place.rowKey))
        guard let a = old.locate(key), let b = new.locate(key), position < a.cluster.columnCount,
            position < b.cluster.columnCount, a.cluster.columns[position].isBlob(at: a.row),
            b.cluster.columns[position].isBlob(at: b.row)
        else { return }
        let areEqual = old.withBlob(column: place.column, key: key) { first in
            new.withBlob(column: place.column, key: key) { ByteComparison.areEqual(first, $0) }
        }
        if !areEqual { cells[place.column, default: []].append(place.rowKey) }
    }
}

extension MutableStoredCollection {
    /// Whether one of two trees continues the other and has not changed since.
    fileprivate func hasSameElements(as other: MutableStoredCollection) -> Bool {
        root === other.root && changeCount == other.changeCount
    }
}
