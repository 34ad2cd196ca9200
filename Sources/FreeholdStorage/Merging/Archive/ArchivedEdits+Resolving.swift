/// Why archived edits cannot be made again.
package enum ArchiveRefusal: Error, Equatable {
    /// The file has no such class.
    case missingTable(String)
    /// The class has another primary key now, or is embedded, or is not any more.
    case changedTable(String)
    case missingColumn(String, in: String)
    /// The property has another type now.
    case changedColumn(String, in: String)
}

/// Archived edits, as changes between the tables and rows of another version.
package struct ResolvedEdits: Sendable {
    package var changes = ChangeSet()
    package var base = BaseExcerpt(tables: [:])
    package var increments: [Conflict.Place: Int64] = [:]
}

extension ArchivedEdits {
    /// Finds the tables, columns and rows in a version. O(archived values), and a look-up for each
    /// row.
    ///
    /// Tables and columns are found by their names. Those that the edits do not touch may be
    /// gone. Rows are found by their primary keys. Without one a row is the one with the same
    /// key; in another file, and in one that was reset to an earlier state, only if its values
    /// are those of the archive. A row that is not found counts as deleted.
    package func resolved(in current: TableSource, of file: UniqueIdentifier) throws
        -> ResolvedEdits
    {
        var resolver = ArchiveResolver(
            self, current,
            keepsKeys: file == self.file && current.storedVersion.version >= version)
        return try resolver.resolve()
    }
}

private struct ArchiveResolver {
    private let archive: ArchivedEdits
    private let current: TableSource
    private let catalog: Catalog
    /// Whether a key of the archive is that of the same row.
    private let keepsKeys: Bool
    /// The current tables, and of each the columns that are the same, by the archive's ids.
    private var tables: [TableID: TableDefinition] = [:]
    private var columns: [TableID: [ColumnID: ColumnDefinition]] = [:]
    /// The current keys of rows, by the archive's.
    private var rows: [TableID: [Int64: Int64]] = [:]
    /// Current keys in use, by the archive's tables.
    private var taken: [TableID: Set<Int64>] = [:]

    init(_ archive: ArchivedEdits, _ current: TableSource, keepsKeys: Bool) {
        self.archive = archive
        self.current = current
        self.keepsKeys = keepsKeys
        catalog = current.currentCatalog
        let positions = catalog.positionsByName
        for table in archive.catalog.tables {
            tables[table.id] = positions[table.name].map { catalog.tables[$0] }
        }
        for table in archive.catalog.tables {
            for column in table.columns {
                if let now = tables[table.id]?[column.name], isSame(column, now) {
                    columns[table.id, default: [:]][column.id] = now
                }
            }
        }
    }

    private func isSame(_ old: ColumnDefinition, _ new: ColumnDefinition) -> Bool {
        old.type == new.type && old.collection == new.collection
            && old.target.map { tables[$0]?.id == new.target } ?? (new.target == nil)
    }

    mutating func resolve() throws -> ResolvedEdits {
        try checkTables()
        try findRows()
        chooseKeys()
        var resolved = ResolvedEdits()
        for (id, table) in archive.base.tables {
            guard let now = tables[id] else { continue }
            resolved.base.tables[now.id] = BaseExcerpt.Table(
                now, nextRowKey: nextRowKey(table.nextRowKey, of: now),
                rows: mapped(table.rows, of: id, now))
        }
        for (id, table) in archive.changes.tables {
            guard let now = tables[id] else { continue }
            let known = resolved.base.tables[now.id]?.rows ?? ChangeSet.Rows()
            let deleted = Set(table.deleted.keys.map { key($0, in: id) })
            resolved.changes.tables[now.id] = ChangeSet.Table(
                now, nextRowKey: nextRowKey(table.nextRowKey, of: now),
                inserted: mapped(table.inserted, of: id, now),
                deleted: known.filter { deleted.contains($0) },
                columns: try cells(table, id, now, known))
        }
        resolved.changes = ChangeSet(tables: resolved.changes.tables)
        for (place, amount) in archive.increments {
            guard let now = tables[place.table], let column = columns[place.table]?[place.column]
            else { continue }
            let row = key(place.row, in: place.table)
            resolved.increments[.init(table: now.id, row: row, column: column.id)] = amount
        }
        return resolved
    }

    // MARK: Schema

    private func checkTables() throws {
        for (id, table) in archive.changes.tables {
            let name = table.definition.name
            guard let now = tables[id] else { throw ArchiveRefusal.missingTable(name) }
            for column in table.definition.columns {
                let isUsed =
                    table.columns[column.id] != nil
                    || table.inserted.columns[column.id]?.contains { $0 != column.initialValue }
                        ?? false
                if isUsed { try checkColumn(column, table, now) }
            }
            for column in table.definition.linkColumns {
                var missing: TableID?
                table.forEachNewLink(of: column) {
                    if tables[$0.table] == nil { missing = $0.table }
                }
                if let missing {
                    throw ArchiveRefusal.missingTable(archive.catalog[missing]?.name ?? "")
                }
            }
        }
        for (id, table) in archive.base.tables
        where !table.rows.isEmpty || archive.changes.tables[id] != nil {
            guard let now = tables[id] else { continue }
            let key = table.definition.primaryKey.flatMap { table.definition[$0] }
            let newKey = now.primaryKey.flatMap { now[$0] }
            if key?.name != newKey?.name || key?.type != newKey?.type
                || table.definition.isOwned != now.isOwned
            {
                throw ArchiveRefusal.changedTable(now.name)
            }
        }
    }

    private func checkColumn(
        _ column: ColumnDefinition, _ table: ChangeSet.Table, _ now: TableDefinition
    ) throws {
        guard now[column.name] != nil else {
            throw ArchiveRefusal.missingColumn(column.name, in: now.name)
        }
        guard let found = columns[table.definition.id]?[column.id] else {
            throw ArchiveRefusal.changedColumn(column.name, in: now.name)
        }
        if !column.isNullable || found.isNullable { return }
        let hasNull =
            table.inserted.columns[column.id]?.contains { $0.isNull } ?? false
            || table.columns[column.id]?.changes.contains {
                if case .value(_, let new) = $0 { new.isNull } else { false }
            } ?? false
        if hasNull { throw ArchiveRefusal.changedColumn(column.name, in: now.name) }
    }

    // MARK: Rows

    private func key(_ key: Int64, in table: TableID) -> Int64 { rows[table]?[key] ?? key }

    private mutating func findRows() throws(StorageError) {
        var lost: [(row: LinkTarget, primaryKey: ScanValue?)] = []
        func find(_ row: LinkTarget, _ primaryKey: ScanValue?) throws(StorageError) -> Int64? {
            guard let now = tables[row.table] else { return nil }
            if let primaryKey, now.primaryKey != nil {
                return try current.rowKey(forPrimaryKey: primaryKey, in: now.id)
            }
            return current.table(now.id).contains(RowKey(rawValue: row.key)) ? row.key : nil
        }
        for (id, table) in archive.base.tables {
            for (index, key) in table.rows.keys.enumerated() {
                let row = LinkTarget(table: id, key: key)
                let primaryKey = table.definition.primaryKey(of: key, at: index, in: table.rows)
                if let found = try find(row, primaryKey),
                    keepsKeys || primaryKey != nil || agrees(table, index, id)
                {
                    note(row, found)
                } else {
                    lost.append((row, primaryKey))
                }
            }
        }
        for row in ArchivedEdits.links(of: archive.base, archive.changes) {
            let isKnown =
                archive.base.contains(row)
                || archive.changes.tables[row.table]?.inserted.contains(row.key) ?? false
            if isKnown { continue }
            let primaryKey =
                archive.references[row.table]?[row.key]
                ?? (archive.catalog[row.table]?.usesPrimaryKeyAsRowKey ?? false
                    ? .integer(row.key) : nil)
            if let found = try find(row, primaryKey) {
                note(row, found)
            } else {
                lost.append((row, primaryKey))
            }
        }
        for (row, primaryKey) in lost { note(row, freeKey(for: row, primaryKey)) }
    }

    private mutating func note(_ row: LinkTarget, _ key: Int64) {
        if key != row.key { rows[row.table, default: [:]][row.key] = key }
        taken[row.table, default: []].insert(key)
    }

    /// How far keys of an archive may be from those of the file. A table has 2^62 keys, and bytes
    /// could name the last one: no row could be added any more.
    private static let reach: Int64 = 1 << 32

    /// The end of the keys that an archive's row keeps.
    private func endOfKeys(of table: TableDefinition) -> Int64 {
        let next = current.nextRowKey(of: table.id)
        return next + min(Self.reach, max(0, TableFacts.greatestNextRowKey - next))
    }

    private func nextRowKey(_ archived: Int64, of table: TableDefinition) -> Int64 {
        if !keepsKeys { return 0 }
        return table.usesPrimaryKeyAsRowKey ? archived : min(archived, endOfKeys(of: table))
    }

    /// A key for a row that does not exist. Its own, if that is free.
    private func freeKey(for row: LinkTarget, _ primaryKey: ScanValue?) -> Int64 {
        guard let now = tables[row.table] else { return row.key }
        if now.usesPrimaryKeyAsRowKey, case .integer(let key)? = primaryKey { return key }
        let view = current.table(now.id)
        var key = row.key < endOfKeys(of: now) ? row.key : -1
        while view.contains(RowKey(rawValue: key)) || taken[row.table]?.contains(key) ?? false {
            key = key < 0 ? key - 1 : -1
        }
        return key
    }

    /// Whether the row with the key of an archived one has its values, but for links.
    private func agrees(_ table: BaseExcerpt.Table, _ index: Int, _ id: TableID) -> Bool {
        guard let now = tables[id] else { return false }
        let view = current.table(now.id)
        guard let place = view.locate(RowKey(rawValue: table.rows.keys[index])) else {
            return false
        }
        return table.definition.columns.allSatisfy { column in
            guard column.type != .link, !column.countsBacklinks,
                let known = columns[id]?[column.id], let old = table.rows.columns[column.id]?[index]
            else { return true }
            return StoredValue(known, place.cluster, row: place.row, of: view) == old
        }
    }

    /// Gives new rows keys that follow all others, as a merge does.
    private mutating func chooseKeys() {
        for (id, table) in archive.changes.tables {
            guard let now = tables[id] else { continue }
            var next = current.nextRowKey(of: now.id)
            if !now.usesPrimaryKeyAsRowKey, let last = taken[id]?.max() {
                next = max(next, last + 1)
            }
            for (index, key) in table.inserted.keys.enumerated() {
                if now.usesPrimaryKeyAsRowKey {
                    let primaryKey = table.definition.primaryKey(
                        of: key, at: index, in: table.inserted)
                    if case .integer(let value)? = primaryKey {
                        rows[id, default: [:]][key] = value
                    }
                } else if key < next || key >= endOfKeys(of: now) {
                    rows[id, default: [:]][key] = next
                    next += 1
                }
            }
        }
    }

    // MARK: Values

    private func mapped(_ value: StoredValue, _ column: ColumnDefinition) -> StoredValue {
        guard column.type == .link || column.countsBacklinks else { return value }
        return value.mappingLinks(of: column) { link in
            tables[link.table].map {
                LinkTarget(table: $0.id, key: key(link.key, in: link.table))
            }
        }
    }

    private func mapped(_ rows: ChangeSet.Rows, of id: TableID, _ now: TableDefinition)
        -> ChangeSet.Rows
    {
        guard let definition = archive.catalog[id] else { return ChangeSet.Rows() }
        var found: [Int64: [ColumnID: StoredValue]] = [:]
        for (index, key) in rows.keys.enumerated() {
            var values = Dictionary(
                uniqueKeysWithValues: now.valueColumns.map { ($0.id, $0.initialValue) })
            for column in definition.columns {
                guard let known = columns[id]?[column.id] else { continue }
                if known.id == now.primaryKey, now.usesPrimaryKeyAsRowKey { continue }
                if column.id == definition.primaryKey {
                    let value = definition.primaryKey(of: key, at: index, in: rows)
                    values[known.id] = value.map { .plain($0) }
                } else if let value = rows.columns[column.id]?[index],
                    !value.isNull || known.isNullable
                {
                    values[known.id] = mapped(value, column)
                }
            }
            found[self.key(key, in: id)] = values
        }
        return ChangeSet.Rows(found, columns: now.valueColumns.map(\.id))
    }

    private func cells(
        _ table: ChangeSet.Table, _ id: TableID, _ now: TableDefinition, _ known: ChangeSet.Rows
    ) throws -> [ColumnID: ChangeSet.Cells] {
        var found: [ColumnID: ChangeSet.Cells] = [:]
        let archived = archive.base.tables[id]?.rows ?? ChangeSet.Rows()
        for (column, cells) in table.columns {
            guard let definition = table.definition[column], let new = columns[id]?[column] else {
                continue
            }
            var changes: [Int64: CellChange] = [:]
            for (row, change) in zip(cells.rows, cells.changes) {
                let key = key(row, in: id)
                guard let index = archived.index(of: row), let place = known.index(of: key),
                    let old = archived.columns[column]?[index],
                    let base = known.columns[new.id]?[place]
                else { continue }
                changes[key] = CellChange(
                    from: base, to: mapped(change.applied(to: old), definition))
            }
            if !changes.isEmpty { found[new.id] = ChangeSet.Cells(changes) }
        }
        return found
    }
}
