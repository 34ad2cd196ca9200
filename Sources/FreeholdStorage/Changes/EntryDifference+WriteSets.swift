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
        for id in Set(before?.tables.keys.map { $0 } ?? []).union(now?.tables.keys.map { $0 } ?? [])
        {
            var found = entries[id] ?? EntryDifference()
            let (a, b) = (before?.tables[id], now?.tables[id])
            found.addClusters(of: a, unlessIn: b)
            found.addClusters(of: b, unlessIn: a)
            found.addCells(of: a, unlessIn: b)
            found.addCells(of: b, unlessIn: a)
            if found.clusters.isEmpty, found.columns.isEmpty, found.cells.isEmpty { continue }
            found.finish()
            found.columns.sort { ($0.firstKey, $0.column) < ($1.firstKey, $1.column) }
            entries[id] = found
        }
        if old.currentCatalog == new.currentCatalog { return }
        for table in old.currentCatalog.tables + new.currentCatalog.tables
        where entries[table.id] == nil
            && (old.currentCatalog[table.id] == nil || new.currentCatalog[table.id] == nil)
        {
            entries[table.id] = EntryDifference()
        }
    }

    private mutating func addClusters(of table: MutableTable?, unlessIn other: MutableTable?) {
        guard let table, !table.dirty.isEmpty else { return }
        var clean: Set<Int64> = []
        for cluster in table.dirty where cluster.count > 0 {
            if let other, Self.has(other, cluster) {
                clean.insert(cluster.firstKey)
                continue
            }
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
        let standing = Set(table.dirty.lazy.filter { $0.count > 0 }.map(\.firstKey))
        for firstKey in table.replaced where !standing.contains(firstKey) {
            clusters.append(firstKey)
        }
    }

    private static func has(_ table: MutableTable, _ cluster: MutableCluster) -> Bool {
        let ordinal = Int(cluster.ordinal)
        return ordinal < table.dirty.count && table.dirty[ordinal] === cluster
    }

    private mutating func addCells(of table: MutableTable?, unlessIn other: MutableTable?) {
        guard let table else { return }
        for (place, tree) in table.trees where tree.isChanged {
            if let known = other?.trees[place], known === tree || known.hasSameElements(as: tree) {
                continue
            }
            cells[place.column, default: []].append(place.rowKey)
        }
        for (place, value) in table.blobs {
            if let known = other?.blobs[place], known == value { continue }
            cells[place.column, default: []].append(place.rowKey)
        }
        for place in table.droppedTrees where !(other?.droppedTrees.contains(place) ?? false) {
            cells[place.column, default: []].append(place.rowKey)
        }
    }
}

extension MutableStoredCollection {
    /// Whether one of two trees continues the other and has not changed since.
    fileprivate func hasSameElements(as other: MutableStoredCollection) -> Bool {
        root === other.root && changeCount == other.changeCount
    }
}
