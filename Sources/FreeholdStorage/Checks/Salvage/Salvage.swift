/// Writes everything readable in a damaged file into a new one.
///
/// The damaged file is only read, with `pread`, and never mapped. The new file gets the same
/// catalog, so tables and columns keep their ids, and rows their keys. Its indexes and
/// backlinks are rebuilt. A damaged value becomes null, zero or empty, and is counted in the
/// report.
package struct Salvage {
    private let source: SalvageSource
    private let store: Store
    private var writeSet: WriteSet
    private var report = SalvageReport()
    /// The keys of the rows that will be written, ascending. Links to other rows are dropped.
    private var keys: [TableID: [Int64]] = [:]
    private var pendingRowCount = 0

    /// The maximum number of rows in a transaction.
    private static let rowsPerTransaction = 20_000

    /// Reads a file that no process writes meanwhile, and writes a new one. O(file).
    ///
    /// - Parameters:
    ///   - path: The damaged file. It is not changed.
    ///   - newPath: The path of the new file, which must not exist.
    ///   - key: The key of an encrypted file; the new file is encrypted with it, too.
    ///   - progress: Called occasionally with the number of rows written so far, and of all
    ///     rows that were found.
    /// - Throws: `notAnEnvironment`, `encryptionKeyMissing`, `encryptionKeyWrong`; `corrupted`
    ///   if even the catalog is lost; `fileExists`; errors of writing the new file, which is
    ///   removed then.
    package static func run(
        from path: String, to newPath: String, key: EncryptionKey? = nil,
        progress: (_ rowCount: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(StorageError) -> SalvageReport {
        if FileIdentity.of(newPath) != nil {
            throw StorageError(
                .fileExists, "\"\(newPath)\" exists. Give the path of a new file.", path: newPath)
        }
        let source = try SalvageSource(path: path, key: key)
        do throws(StorageError) {
            var salvage = try Salvage(source, newPath, key)
            return try salvage.writeAll(progress)
        } catch {
            _ = try? Environment.removeFiles(at: newPath)
            throw error
        }
    }

    private init(_ source: SalvageSource, _ newPath: String, _ key: EncryptionKey?)
        throws(StorageError)
    {
        self.source = source
        var options = Store.Options(path: newPath)
        options.encryptionKey = key
        store = try Store.open(options)
        writeSet = try store.beginWrite()
        writeSet.catalog = source.catalog
        report.problems = source.problems
    }

    private mutating func writeAll(_ progress: (Int, Int) -> Void) throws(StorageError)
        -> SalvageReport
    {
        var written = 0
        let clusters = findClusters()
        let total = keys.values.reduce(0) { $0 + $1.count }
        for definition in source.catalog.tables {
            var found = SalvageReport.Table(definition.name)
            // Keys of deleted rows must not be reused.
            if let facts = facts(of: definition), facts.nextRowKey > 0 {
                writeSet.mutableTable(definition.id).raiseNextKey(above: facts.nextRowKey - 1)
            }
            for cluster in clusters[definition.id] ?? [] {
                guard
                    let cluster = try? SalvagedCluster(
                        source, definition, firstKey: cluster.firstKey, end: cluster.end)
                else { continue }
                try write(cluster, definition, &found)
                written += cluster.keys.count
                progress(written, total)
            }
            report.tables.append(found)
        }
        try deleteOwnerless()
        try commit()
        countLosses()
        return report
    }

    private mutating func commit() throws(StorageError) {
        _ = try store.commit(writeSet)
        pendingRowCount = 0
        writeSet = try store.beginWrite()
    }

    // MARK: Clusters

    /// The first keys of each table's readable clusters, ascending. Adds the keys of their rows
    /// to `keys`.
    private mutating func findClusters() -> [TableID: [(firstKey: Int64, end: Int64?)]] {
        var candidates: [TableID: Set<Int64>] = [:]
        for key in source.entries.keys(.directory) where key.count == 12 {
            candidates[SalvagedPlace(key).table, default: []].insert(SalvagedPlace(key).firstKey)
        }
        for key in source.entries.keys(.clusters) where key.count == 14 {
            candidates[SalvagedPlace(key).table, default: []].insert(SalvagedPlace(key).firstKey)
        }
        var found: [TableID: [(firstKey: Int64, end: Int64?)]] = [:]
        for definition in source.catalog.tables {
            var last: Int64?
            let firstKeys = (candidates[definition.id] ?? []).sorted()
            for (index, firstKey) in firstKeys.enumerated() {
                let end =
                    index + 1 < firstKeys.count
                    ? firstKeys[index + 1] : facts(of: definition)?.nextRowKey
                do throws(SalvagedCluster.Loss) {
                    let cluster = try SalvagedCluster(
                        source, definition, firstKey: firstKey, end: end)
                    guard let first = cluster.keys.first, last.map({ $0 < first }) ?? true else {
                        throw SalvagedCluster.Loss(
                            rowCount: cluster.keys.count,
                            reason: "its rows stand in the cluster before, too")
                    }
                    last = cluster.keys.last
                    found[definition.id, default: []].append((firstKey, end))
                    keys[definition.id, default: []] += cluster.keys
                } catch {
                    report.note(
                        """
                        The cluster of \(definition.name) that begins with row \(firstKey) \
                        was left out, with \(error.rowCount) rows: \(error.reason).
                        """)
                }
            }
        }
        return found
    }

    /// Compares the saved rows with the row counts that the file stores.
    private mutating func countLosses() {
        for (index, definition) in source.catalog.tables.enumerated() {
            guard let facts = facts(of: definition) else {
                if source.entries.mayHaveLost(
                    StorageKey.tableFacts(definition.id).salvageKey, .meta)
                {
                    report.note("How many objects \(definition.name) had is not known.")
                }
                continue
            }
            report.tables[index].lostRowCount = max(
                0, Int(facts.rowCount) - report.tables[index].rowCount)
        }
    }

    private func facts(of definition: TableDefinition) -> TableFacts? {
        source.value(StorageKey.tableFacts(definition.id).salvageKey, .meta)
            .flatMap { $0.withUnsafeBytes { TableFacts(decoding: $0, of: definition.id) } }
    }

    // MARK: Rows

    private mutating func write(
        _ cluster: SalvagedCluster, _ definition: TableDefinition,
        _ found: inout SalvageReport.Table
    ) throws(StorageError) {
        if let key = definition.primaryKey, cluster.lostColumns.contains(where: { $0.id == key }) {
            return report.note(
                """
                The cluster of \(definition.name) that begins with row \(cluster.firstKey) \
                was left out, with \(cluster.keys.count) rows: their primary keys cannot \
                be read.
                """)
        }
        for (row, key) in cluster.keys.enumerated() {
            let table = writeSet.mutableTable(definition.id)
            let place = table.insertRow(RowKey(rawValue: key))
            var missing = Set(cluster.lostColumns.map(\.name))
            var copy = SalvagedRow(source: source, keys: keys, key: key, place: place)
            for column in definition.columns {
                guard let view = cluster.columns[column.id.position], !view.isNull(at: row) else {
                    continue
                }
                if column.collection == nil {
                    if !copy.copy(view, row, column, definition.id) { missing.insert(column.name) }
                } else if !copy.copyElements(view.heapBytes(at: row), column, table) {
                    missing.insert(column.name)
                }
            }
            found.rowCount += 1
            found.lostLinkCount += copy.lostLinkCount
            if !missing.isEmpty { found.incompleteRowCount += 1 }
            for name in missing { found.missingValueCounts[name, default: 0] += 1 }
            pendingRowCount += 1
        }
        if pendingRowCount >= Self.rowsPerTransaction { try commit() }
    }

    /// Deletes owned rows whose owner was lost, and the rows that they own: the program could
    /// never find or delete them.
    private mutating func deleteOwnerless() throws(StorageError) {
        try commit()
        var isFinished = false
        while !isFinished {
            isFinished = true
            for definition in source.catalog.tables where definition.isOwned {
                var ownerless = Set(keys[definition.id] ?? [])
                for other in source.catalog.tables {
                    for column in other.columns
                    where column.hasTarget && column.target == definition.id {
                        let table = writeSet.mutableTable(other.id)
                        table.forEachLink(of: column.id, in: keys[other.id] ?? []) {
                            ownerless.remove($0)
                        }
                    }
                }
                if ownerless.isEmpty { continue }
                isFinished = false
                try writeSet.deleteRows(ownerless.sorted(), of: definition.id)
                keys[definition.id]?.removeAll { ownerless.contains($0) }
                if let index = report.tables.firstIndex(where: { $0.name == definition.name }) {
                    report.tables[index].rowCount -= ownerless.count
                }
                report.note(
                    """
                    \(ownerless.count) embedded objects of \(definition.name) were left \
                    out, because what they belong to was lost.
                    """)
            }
        }
    }
}
