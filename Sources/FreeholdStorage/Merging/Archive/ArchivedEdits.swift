/// Edits as a value that outlives its file's versions, and can be written and read as bytes.
///
/// Tables and columns have the ids of ``catalog``, which names them. ``resolved(in:)`` finds them,
/// and the rows, in another version.
package struct ArchivedEdits: Sendable {
    /// The file.
    package let file: UniqueIdentifier
    /// The number of the file's version that the edits are based on.
    package let version: UInt64
    /// The tables of the edits, and those that these can link to.
    package let catalog: Catalog
    package let base: BaseExcerpt
    package let changes: ChangeSet
    /// The primary keys of other rows to which values link, where these are not the row keys.
    package let references: [TableID: [Int64: ScanValue]]
    /// What was added to integers of rows, where that was all that changed them.
    package let increments: [Conflict.Place: Int64]

    /// Reads the edits that lead from one version to another. O(changes + values of the rows
    /// that they touch).
    package init(
        from base: TableSource, to edits: TableSource, of file: UniqueIdentifier,
        increments: [Conflict.Place: Int64] = [:]
    ) throws(StorageError) {
        self.file = file
        self.increments = increments
        version = base.storedVersion.version
        changes = ChangeSet(try VersionDifference(from: base, to: edits))
        self.base = try BaseExcerpt(of: base, for: changes)
        var tables = Set(changes.tables.keys).union(self.base.tables.keys)
        var references: [TableID: [Int64: ScanValue]] = [:]
        for link in Self.links(of: self.base, changes) {
            tables.insert(link.table)
            guard let definition = base.currentCatalog[link.table],
                !definition.usesPrimaryKeyAsRowKey, !self.base.contains(link),
                let column = definition.primaryKey.flatMap({ definition[$0] })
            else { continue }
            let view = base.table(link.table)
            if let place = view.locate(RowKey(rawValue: link.key)),
                case .plain(let key) = StoredValue(column, place.cluster, row: place.row, of: view)
            {
                references[link.table, default: [:]][link.key] = key
            }
        }
        self.references = references
        catalog = edits.currentCatalog.part(with: tables)
    }

    /// All links of the values of an excerpt and of what changes add.
    static func links(of base: BaseExcerpt, _ changes: ChangeSet) -> Set<LinkTarget> {
        var links: Set<LinkTarget> = []
        for table in base.tables.values {
            for column in table.definition.linkColumns {
                for value in table.rows.columns[column.id] ?? [] {
                    value.forEachLink(of: column) { links.insert($0) }
                }
            }
        }
        for table in changes.tables.values {
            for column in table.definition.linkColumns {
                table.forEachNewLink(of: column) { links.insert($0) }
            }
        }
        return links
    }
}

extension TableDefinition {
    /// The columns whose values may be or contain links.
    var linkColumns: [ColumnDefinition] {
        columns.filter { $0.type == .link || $0.countsBacklinks }
    }

    /// The primary key of one of some rows; nil without one.
    package func primaryKey(of key: Int64, at index: Int, in rows: ChangeSet.Rows) -> ScanValue? {
        guard let primaryKey else { return nil }
        if usesPrimaryKeyAsRowKey { return .integer(key) }
        if case .plain(let value)? = rows.columns[primaryKey]?[index] { return value }
        return nil
    }
}

extension Catalog {
    /// Some tables, and those that their columns link to.
    fileprivate func part(with ids: Set<TableID>) -> Catalog {
        var (found, work) = (ids, Array(ids))
        while let id = work.popLast() {
            for target in self[id]?.columns.compactMap(\.target) ?? []
            where found.insert(target).inserted {
                work.append(target)
            }
        }
        var part = self
        part.tables = tables.filter { found.contains($0.id) }
        return part
    }
}
