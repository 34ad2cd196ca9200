// What others changed, found without the version that their changes begin with. Undoing a
// transaction and restoring an archived draft merge this way.
extension ChangeSet {
    /// Compares a version with what is left of an earlier one. The result is the side of the
    /// others in a ``ThreeWayMerge`` of change sets whose other side is `mine`,
    /// and only that: it has
    ///
    /// - the changes of the excerpt's rows, and those of them that were deleted;
    /// - other deleted rows that they linked to, without their values;
    /// - new rows with the primary key of a row that `mine` adds, and new owned rows in the
    ///   excerpt's rows;
    /// - links to rows that `mine` deletes. Of the rows that have them, only these links.
    ///
    /// One difference to a merge with the earlier version remains. Where a row that the others
    /// deleted returns, only rows of the excerpt link to it again.
    ///
    /// Rows are the same if their keys are. O(rows of the excerpt and their values + rows that
    /// `mine` adds + links to those that it deletes).
    ///
    /// - Parameters:
    ///   - current: The later version.
    ///   - base: Made with `mine` (``BaseExcerpt/init(of:for:)``).
    package init(of current: TableSource, since base: BaseExcerpt, for mine: ChangeSet)
        throws(StorageError)
    {
        var comparison = ExcerptComparison(current, base, mine)
        comparison.compareRows()
        comparison.addLostTargets()
        comparison.addNewOwnedRows()
        try comparison.addTwins()
        try comparison.addLinksToDeletedRows()
        self = comparison.changeSet
    }
}

/// Collects the differences between an excerpt and a version.
private struct ExcerptComparison {
    private struct Table {
        var inserted: Set<Int64> = []
        /// With the columns that the current version has.
        var deleted: [Int64: [ColumnID: StoredValue]] = [:]
        var cells: [ColumnID: [Int64: CellChange]] = [:]
    }

    private let current: TableSource
    private let catalog: Catalog
    private let base: BaseExcerpt
    private let mine: ChangeSet
    private var tables: [TableID: Table] = [:]

    init(_ current: TableSource, _ base: BaseExcerpt, _ mine: ChangeSet) {
        self.current = current
        self.base = base
        self.mine = mine
        catalog = current.currentCatalog
    }

    private func contains(_ row: LinkTarget) -> Bool {
        catalog[row.table] != nil
            && current.table(row.table).contains(RowKey(rawValue: row.key))
    }

    // MARK: Rows of the excerpt

    mutating func compareRows() {
        for (id, known) in base.tables {
            guard let definition = catalog[id] else { continue }
            let view = current.table(id)
            var finder = RowFinder(view)
            let columns = definition.valueColumns.filter { $0.isSame(as: known.definition[$0.id]) }
            for (index, key) in known.rows.keys.enumerated() {
                let values = known.rows[index]
                guard let place = finder.find(key) else {
                    tables[id, default: Table()].deleted[key] = Dictionary(
                        uniqueKeysWithValues: definition.valueColumns.map { column in
                            let isKnown = column.isSame(as: known.definition[column.id])
                            let value = isKnown ? values[column.id] : nil
                            return (column.id, value ?? column.initialValue)
                        })
                    continue
                }
                for column in columns {
                    let now = StoredValue(column, place.cluster, row: place.row, of: view)
                    if let old = values[column.id], let change = CellChange(from: old, to: now) {
                        tables[id, default: Table()].cells[column.id, default: [:]][key] = change
                    }
                }
            }
        }
    }

    /// Deleted rows that the excerpt or `mine` link to. Links to them must not be written.
    mutating func addLostTargets() {
        var links: Set<LinkTarget> = []
        for table in base.tables.values {
            for column in table.definition.columns
            where column.type == .link || column.countsBacklinks {
                for value in table.rows.columns[column.id] ?? [] {
                    value.forEachLink(of: column) { links.insert($0) }
                }
            }
        }
        for table in mine.tables.values {
            for column in table.definition.columns
            where column.type == .link || column.countsBacklinks {
                table.forEachNewLink(of: column) { links.insert($0) }
            }
        }
        for row in links {
            guard let definition = catalog[row.table], !base.contains(row), !contains(row),
                !(mine.tables[row.table]?.inserted.contains(row.key) ?? false)
            else { continue }
            tables[row.table, default: Table()].deleted[row.key] = Dictionary(
                uniqueKeysWithValues: definition.valueColumns.map { ($0.id, $0.initialValue) })
        }
    }

    // MARK: New rows

    /// Adds a row that the earlier version did not have, and the rows that it owns. Row keys do
    /// not tell that: a draft and others may give the same ones.
    private mutating func addNew(_ row: LinkTarget) {
        var work = [row]
        while let next = work.popLast() {
            guard !base.contains(next), contains(next),
                tables[next.table, default: Table()].inserted.insert(next.key).inserted
            else { continue }
            forEachOwned(by: next) { work.append($1) }
        }
    }

    private func forEachOwned(
        by row: LinkTarget, _ body: (ColumnDefinition, LinkTarget) -> Void
    ) {
        let view = current.table(row.table)
        for column in view.definition.columns {
            guard let target = column.target, catalog[target]?.isOwned ?? false else { continue }
            view.forEachLink(of: column.id, in: [row.key], onlyOf: target) {
                body(column, LinkTarget(table: target, key: $0))
            }
        }
    }

    /// Owned rows in the excerpt's rows that were not there. Where the excerpt lacks a column,
    /// nothing is merged in it.
    mutating func addNewOwnedRows() {
        for (id, table) in base.tables where catalog[id] != nil {
            for key in table.rows.keys {
                var owned: [LinkTarget] = []
                forEachOwned(by: LinkTarget(table: id, key: key)) { column, row in
                    let known = table.rows.value(of: column.id, in: key)
                    let isNew = !(known?.links(of: column) { $0 == row } ?? true)
                    if isNew { owned.append(row) }
                }
                for row in owned { addNew(row) }
            }
        }
    }

    /// Rows with the primary keys of rows that `mine` adds. The earlier version had none, or they
    /// are rows of the excerpt, which `mine` deletes.
    mutating func addTwins() throws(StorageError) {
        for (id, table) in mine.tables where !table.inserted.isEmpty {
            guard let definition = catalog[id], let column = definition.primaryKey else { continue }
            for (index, key) in table.inserted.keys.enumerated() {
                if definition.usesPrimaryKeyAsRowKey {
                    addNew(LinkTarget(table: id, key: key))
                } else if case .plain(let value)? = table.inserted.columns[column]?[index],
                    let twin = try current.rowKey(forPrimaryKey: value, in: id)
                {
                    addNew(LinkTarget(table: id, key: twin))
                }
            }
        }
    }

    // MARK: Links

    mutating func addLinksToDeletedRows() throws(StorageError) {
        for (id, table) in mine.tables where catalog[id] != nil {
            let keys = table.deleted.keys.filter { contains(LinkTarget(table: id, key: $0)) }
            if keys.isEmpty { continue }
            for source in catalog.tables {
                for column in source.columns
                where column.hasTarget ? column.target == id : column.countsBacklinks {
                    try addLinks(of: column, in: source.id, to: id, keys)
                }
            }
        }
    }

    private mutating func addLinks(
        of column: ColumnDefinition, in source: TableID, to target: TableID,
        _ keys: [Int64]
    ) throws(StorageError) {
        for key in keys {
            let link = LinkTarget(table: target, key: key)
            let rows = try current.rows(of: source, linkingBy: column, to: link)
            // A link that was there is known: with its target, `mine` takes it away.
            let known = base.tables[source]?.rows
            for row in rows where known?.value(of: column.id, in: row) == nil {
                let value =
                    column.hasTarget
                    ? StoredValue.plain(.link(RowKey(rawValue: key))) : .mixed(.link(link))
                tables[source, default: Table()].cells[column.id, default: [:]][row] =
                    .value(old: .null, new: value)
            }
        }
    }

    var changeSet: ChangeSet {
        var found: [TableID: ChangeSet.Table] = [:]
        for (id, table) in tables {
            guard let definition = catalog[id] else { continue }
            found[id] = ChangeSet.Table(
                definition,
                nextRowKey: base.tables[id]?.nextRowKey ?? current.nextRowKey(of: id),
                inserted: ChangeSet.Rows(
                    ContiguousArray(table.inserted.sorted()), of: current.table(id)),
                deleted: ChangeSet.Rows(table.deleted, columns: definition.valueColumns.map(\.id)),
                columns: table.cells.mapValues { ChangeSet.Cells($0) })
        }
        return ChangeSet(tables: found)
    }
}

extension ColumnDefinition {
    /// Whether values of another column can be compared with this one's.
    fileprivate func isSame(as other: ColumnDefinition?) -> Bool {
        other?.type == type && other?.collection == collection && other?.target == target
    }
}
