/// Archived edits as bytes, little-endian:
///
///     file identifier (2 x UInt64), version (UInt64)
///     catalog: count (UInt32) and bytes, as in the file
///     tables (UInt32), then for each:
///       id (UInt32), key of its next row (Int64)
///       base rows, added rows: each as keys, and all values of each column in the order of the
///         catalog, without a primary key that is the row key
///       deleted keys
///       changed columns (UInt16), then for each: id (UInt16), keys, and the new value of each
///     references: tables (UInt32), then for each: id (UInt32), keys, and their primary keys
///     increments (UInt32), then for each: table (UInt32), row (Int64), column (UInt16), amount
///       (Int64)
///
/// Keys are a count (UInt32) and as many ascending Int64. A value is 0 (UInt8) for null, or 1 and
/// its bytes; a text, data or a mixed value has its count (UInt32) before. A collection is a count
/// (UInt32) and its elements; a map's have their keys before. A new list is the number of elements
/// that it has in common with the old one at its beginning and at its end (2 x UInt32), and the
/// elements between.
extension ArchivedEdits {
    package func encoded() -> ContiguousArray<UInt8> {
        var out = ArchiveWriter()
        out.put(file.high)
        out.put(file.low)
        out.put(version)
        out.put(part: catalog.encoded())
        let ids = catalog.tables.map(\.id).filter {
            changes.tables[$0] != nil || base.tables[$0] != nil
        }
        out.put(count: ids.count)
        for id in ids {
            guard let definition = catalog[id] else { continue }
            let (known, changed) = (base.tables[id], changes.tables[id])
            out.put(id.rawValue)
            out.put(known?.nextRowKey ?? changed?.nextRowKey ?? 0)
            out.put(known?.rows ?? ChangeSet.Rows(), of: definition)
            out.put(changed?.inserted ?? ChangeSet.Rows(), of: definition)
            out.put(keys: changed?.deleted.keys ?? [])
            let columns = (changed?.columns ?? [:]).sorted { $0.key < $1.key }
            out.put(UInt16(columns.count))
            for (column, cells) in columns {
                out.put(column.rawValue)
                out.put(cells, of: column, in: known)
            }
        }
        out.put(count: references.count)
        for (id, keys) in references.sorted(by: { $0.key < $1.key }) {
            out.put(id.rawValue)
            let rows = keys.sorted { $0.key < $1.key }
            out.put(keys: ContiguousArray(rows.map(\.key)))
            for row in rows { out.put(row.value) }
        }
        let places = increments.sorted {
            ($0.key.table, $0.key.row, $0.key.column) < ($1.key.table, $1.key.row, $1.key.column)
        }
        out.put(count: places.count)
        for (place, amount) in places {
            out.put(place.table.rawValue)
            out.put(place.row)
            out.put(place.column.rawValue)
            out.put(amount)
        }
        return out.bytes
    }

    init(decoding bytes: UnsafeRawBufferPointer) throws(ArchiveDamage) {
        var reader = ArchiveReader(bytes)
        file = UniqueIdentifier(high: try reader.integer(), low: try reader.integer())
        version = try reader.integer()
        guard let catalog = Catalog(decoding: try reader.part()) else { throw ArchiveDamage() }
        self.catalog = catalog
        var (base, changes) = (BaseExcerpt(tables: [:]), ChangeSet())
        for _ in 0..<(try reader.count()) {
            let id = TableID(rawValue: try reader.integer())
            guard let definition = catalog[id], base.tables[id] == nil else {
                throw ArchiveDamage()
            }
            let next = try reader.integer(Int64.self)
            let known = try reader.rows(of: definition)
            base.tables[id] = BaseExcerpt.Table(definition, nextRowKey: next, rows: known)
            let inserted = try reader.rows(of: definition)
            if inserted.keys.contains(where: known.contains) { throw ArchiveDamage() }
            let keys = [known.keys.first, known.keys.last, inserted.keys.last].compactMap(\.self)
            if !definition.usesPrimaryKeyAsRowKey, !(keys + [next]).allSatisfy(Self.isPlausible) {
                throw ArchiveDamage()
            }
            let deleted = try reader.keys()
            if !deleted.allSatisfy(known.contains) { throw ArchiveDamage() }
            var table = ChangeSet.Table(
                definition, nextRowKey: next, inserted: inserted,
                deleted: known.filter { deleted.containsSorted($0) })
            for _ in 0..<(try reader.integer(UInt16.self)) {
                let column = ColumnID(rawValue: try reader.integer())
                guard let definition = definition[column], table.columns[column] == nil,
                    column != table.definition.primaryKey
                else { throw ArchiveDamage() }
                let cells = try reader.cells(of: definition, in: known)
                if cells.rows.contains(where: deleted.containsSorted) { throw ArchiveDamage() }
                if !cells.rows.isEmpty { table.columns[column] = cells }
            }
            if !table.isEmpty { changes.tables[id] = table }
        }
        var references: [TableID: [Int64: ScanValue]] = [:]
        for _ in 0..<(try reader.count()) {
            let id = TableID(rawValue: try reader.integer())
            guard let definition = catalog[id],
                let column = definition.primaryKey.flatMap({ definition[$0] })
            else { throw ArchiveDamage() }
            for key in try reader.keys() { references[id, default: [:]][key] = .null }
            for key in (references[id] ?? [:]).keys.sorted() {
                references[id]?[key] = try reader.plain(column.type)
            }
        }
        var increments: [Conflict.Place: Int64] = [:]
        for _ in 0..<(try reader.count()) {
            let place = Conflict.Place(
                table: TableID(rawValue: try reader.integer()), row: try reader.integer(),
                column: ColumnID(rawValue: try reader.integer()))
            increments[place] = try reader.integer()
        }
        guard reader.isAtEnd else { throw ArchiveDamage() }
        self.increments = increments
        self.base = base
        self.changes = changes
        self.references = references
        try checkLinks()
        try checkPrimaryKeys()
    }
}

extension ArchiveWriter {
    fileprivate mutating func put(_ rows: ChangeSet.Rows, of table: TableDefinition) {
        put(keys: rows.keys)
        if rows.isEmpty { return }
        for column in table.valueColumns {
            let values = rows.columns[column.id]
            for index in rows.keys.indices { put(values?[index] ?? column.initialValue) }
        }
    }

    fileprivate mutating func put(
        _ cells: ChangeSet.Cells, of column: ColumnID, in base: BaseExcerpt.Table?
    ) {
        put(keys: cells.rows)
        for (row, change) in zip(cells.rows, cells.changes) {
            if case .value(_, let new) = change {
                put(new)
                continue
            }
            guard let rows = base?.rows, let index = rows.index(of: row),
                let old = rows.columns[column]?[index]
            else { preconditionFailure("The excerpt has each changed row.") }
            let new = change.applied(to: old)
            if case (.list(let old), .list(let new)) = (old, new) {
                put(new, since: old)
            } else {
                put(new)
            }
        }
    }

    private mutating func put(
        _ new: ContiguousArray<StoredValue>, since old: ContiguousArray<StoredValue>
    ) {
        let most = min(old.count, new.count)
        var (start, end) = (0, 0)
        while start < most, old[start] == new[start] { start += 1 }
        while end < most - start, old[old.count - end - 1] == new[new.count - end - 1] { end += 1 }
        put(count: start)
        put(count: end)
        put(new[start..<(new.count - end)])
    }
}

extension ArchiveReader {
    fileprivate mutating func rows(of table: TableDefinition) throws(ArchiveDamage)
        -> ChangeSet.Rows
    {
        let keys = try keys()
        if keys.isEmpty { return ChangeSet.Rows() }
        var columns: [ColumnID: ContiguousArray<StoredValue>] = [:]
        for column in table.valueColumns {
            var values: ContiguousArray<StoredValue> = []
            for _ in keys { values.append(try value(of: column)) }
            columns[column.id] = values
        }
        return ChangeSet.Rows(keys: keys, columns: columns)
    }

    fileprivate mutating func cells(of column: ColumnDefinition, in base: ChangeSet.Rows)
        throws(ArchiveDamage) -> ChangeSet.Cells
    {
        var cells = ChangeSet.Cells()
        for row in try keys() {
            guard let old = base.value(of: column.id, in: row) else { throw ArchiveDamage() }
            let new = try newValue(of: column, since: old)
            if let change = CellChange(from: old, to: new) { cells.append(change, of: row) }
        }
        return cells
    }

    private mutating func newValue(of column: ColumnDefinition, since old: StoredValue)
        throws(ArchiveDamage) -> StoredValue
    {
        guard let kind = column.collection, case .list(let old) = old else {
            return try value(of: column)
        }
        let (start, end) = (try count(), try count())
        guard start + end <= old.count else { throw ArchiveDamage() }
        return .list(old[..<start] + (try elements(kind)) + old[(old.count - end)...])
    }
}

// MARK: - Checks

/// What a merge relies on, and what bytes can contradict.
extension ArchivedEdits {
    /// Whether more keys follow a key that a table chose, and precede it.
    private static func isPlausible(_ key: Int64) -> Bool {
        key > -TableFacts.greatestNextRowKey && key <= TableFacts.greatestNextRowKey
    }

    /// Each link leads to a table of the catalog, and each new owned row has one owner.
    private func checkLinks() throws(ArchiveDamage) {
        for link in Self.links(of: base, changes) where catalog[link.table] == nil {
            throw ArchiveDamage()
        }
        for table in changes.tables.values {
            for column in table.definition.linkColumns {
                var isKnown = true
                table.forEachNewLink(of: column) { link in
                    let isNew = changes.tables[link.table]?.inserted.contains(link.key) ?? false
                    if !isNew, !base.contains(link) { isKnown = false }
                }
                guard isKnown else { throw ArchiveDamage() }
            }
        }
        var added: [LinkTarget: Int] = [:]
        var removed: [LinkTarget: Int] = [:]
        for table in changes.tables.values {
            for column in table.definition.linkColumns {
                for change in table.columns[column.id]?.changes ?? [] {
                    change.forEachLink(
                        of: column, removed: { removed[$0, default: 0] += 1 },
                        added: { added[$0, default: 0] += 1 })
                }
                for value in table.inserted.columns[column.id] ?? [] {
                    value.forEachLink(of: column) { added[$0, default: 0] += 1 }
                }
                for value in table.deleted.columns[column.id] ?? [] {
                    value.forEachLink(of: column) { removed[$0, default: 0] += 1 }
                }
            }
        }
        for (row, count) in added where catalog[row.table]?.isOwned ?? false {
            let isNew = changes.tables[row.table]?.inserted.contains(row.key) ?? false
            guard count == (isNew ? 1 : removed[row] ?? 0) else { throw ArchiveDamage() }
        }
        for (id, table) in changes.tables where table.definition.isOwned {
            for key in table.inserted.keys
            where added[LinkTarget(table: id, key: key)] == nil { throw ArchiveDamage() }
        }
    }

    /// No two rows have one primary key.
    private func checkPrimaryKeys() throws(ArchiveDamage) {
        for (id, table) in base.tables where table.definition.primaryKey != nil {
            var known: Set<ScanValue> = []
            for rows in [table.rows, changes.tables[id]?.inserted ?? ChangeSet.Rows()] {
                for (index, key) in rows.keys.enumerated() {
                    guard
                        let value = table.definition.primaryKey(of: key, at: index, in: rows),
                        changes.tables[id]?.deleted.contains(key) ?? false
                            || known.insert(value).inserted
                    else { throw ArchiveDamage() }
                }
            }
        }
    }
}
