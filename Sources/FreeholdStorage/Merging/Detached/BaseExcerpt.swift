/// The part of a version that a merge with some changes needs, as a value: what is left of a base
/// whose version is gone.
///
/// It has the rows that the changes change, delete or newly link to, each with all values. With
/// an owned row come its owner and all rows that this owner owns, since they are deleted and
/// restored together. Its size is that of these rows.
///
/// ``ChangeSet/init(of:since:for:)`` compares it with another version.
package struct BaseExcerpt: Sendable {
    package struct Table: Sendable {
        package var definition: TableDefinition
        /// The key that the table would have given to its next row.
        package var nextRowKey: Int64
        package var rows: ChangeSet.Rows

        package init(
            _ definition: TableDefinition, nextRowKey: Int64,
            rows: ChangeSet.Rows = ChangeSet.Rows()
        ) {
            self.definition = definition
            self.nextRowKey = nextRowKey
            self.rows = rows
        }
    }

    /// The tables of the rows, and those that their values link to.
    package internal(set) var tables: [TableID: Table] = [:]

    package init(tables: [TableID: Table]) { self.tables = tables }

    /// Reads what a merge of changes needs of the version that they begin with. O(changes +
    /// values of the rows).
    ///
    /// - Parameter hasAllColumns: Whether to read the values of all columns. Otherwise the rows
    ///   have those that the changes are about: a row that others deleted then cannot return.
    package init(of base: TableSource, for changes: ChangeSet, hasAllColumns: Bool = true)
        throws(StorageError)
    {
        var rows = TouchedRows(base)
        for (id, table) in changes.tables where base.currentCatalog[id] != nil {
            rows.add(table.deleted.keys, of: id)
            for cells in table.columns.values { rows.add(cells.rows, of: id) }
        }
        for table in changes.tables.values {
            for column in table.definition.columns
            where column.type == .link || column.countsBacklinks {
                table.forEachNewLink(of: column) { rows.add([$0.key], of: $0.table) }
            }
        }
        try rows.addOwnersAndOwned()
        for id in Set(rows.keys.keys).union(changes.tables.keys) {
            guard let definition = base.currentCatalog[id] else { continue }
            let keys = ContiguousArray((rows.keys[id] ?? []).sorted())
            let columns = hasAllColumns ? definition.valueColumns : changes.columns(of: definition)
            tables[id] = Table(
                definition, nextRowKey: base.nextRowKey(of: id),
                rows: ChangeSet.Rows(keys, of: base.table(id), columns))
            for target in definition.columns.compactMap(\.target) where tables[target] == nil {
                guard let definition = base.currentCatalog[target] else { continue }
                tables[target] = Table(definition, nextRowKey: base.nextRowKey(of: target))
            }
        }
    }

    func contains(_ row: LinkTarget) -> Bool {
        tables[row.table]?.rows.contains(row.key) ?? false
    }
}

extension ChangeSet {
    /// The columns whose values the changes set or delete.
    fileprivate func columns(of definition: TableDefinition) -> [ColumnDefinition] {
        guard let table = tables[definition.id] else { return [] }
        if !table.deleted.isEmpty { return definition.valueColumns }
        return definition.valueColumns.filter { table.columns[$0.id] != nil }
    }
}

/// Collects rows of a version.
private struct TouchedRows {
    private let source: TableSource
    private(set) var keys: [TableID: Set<Int64>] = [:]
    private var new: [LinkTarget] = []

    init(_ source: TableSource) { self.source = source }

    /// Adds those rows that exist.
    mutating func add(_ rows: some Sequence<Int64>, of table: TableID) {
        guard source.currentCatalog[table] != nil else { return }
        let view = source.table(table)
        for row in rows where !(keys[table]?.contains(row) ?? false) {
            guard view.contains(RowKey(rawValue: row)) else { continue }
            keys[table, default: []].insert(row)
            new.append(LinkTarget(table: table, key: row))
        }
    }

    mutating func addOwnersAndOwned() throws(StorageError) {
        let catalog = source.currentCatalog
        var owners: [TableID: [(table: TableID, column: ColumnDefinition)]] = [:]
        for table in catalog.tables {
            for column in table.columns {
                guard let target = column.target, catalog[target]?.isOwned ?? false else {
                    continue
                }
                owners[target, default: []].append((table.id, column))
            }
        }
        while let row = new.popLast() {
            for (table, column) in owners[row.table] ?? [] {
                add(try source.rows(of: table, linkingBy: column, to: row), of: table)
            }
            let view = source.table(row.table)
            for column in view.definition.columns {
                guard let target = column.target, catalog[target]?.isOwned ?? false else {
                    continue
                }
                var found: [Int64] = []
                view.forEachLink(of: column.id, in: [row.key], onlyOf: target) { found.append($0) }
                add(found, of: target)
            }
        }
    }
}
