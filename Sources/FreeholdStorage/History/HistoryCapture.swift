/// Finds what a commit changes, for the history: before anything is written.
///
/// Dirty clusters are compared with the stored ones column by column, as for observers. So an
/// assignment of an equal value is no change, and the cost is that of the changed clusters.
struct HistoryCapture {
    private let writeSet: WriteSet
    private let policy: HistoryPolicy
    private let difference: VersionDifference
    private var targets: [TableID: HistoryEntry.Target] = [:]
    /// The rows of `targets` whose primary keys are to be read.
    private var referenced: [TableID: Set<Int64>] = [:]

    init(_ writeSet: WriteSet, _ policy: HistoryPolicy) throws(StorageError) {
        self.writeSet = writeSet
        self.policy = policy
        difference = try VersionDifference(from: writeSet.base, to: writeSet)
    }

    /// The tables with changes, and what their owners and links refer to.
    consuming func capture() throws(StorageError) -> (
        tables: [HistoryEntry.Table], targets: [TableID: HistoryEntry.Target]
    ) {
        var tables: [HistoryEntry.Table] = []
        let replaced = replacingColumns()
        for id in difference.changedTables.union(replaced.keys).sorted() {
            guard let definition = writeSet.catalog[id] ?? writeSet.base.catalog[id],
                policy.records(definition.name)
            else { continue }
            var changes = difference.changes(of: id)
            if let columns = replaced[id] { changes = comparing(columns, of: id, changes) }
            for (definition, changes) in parts(of: changes, definition) {
                if let table = try table(definition, changes) { tables.append(table) }
            }
        }
        for (id, rows) in referenced { readPrimaryKeys(of: rows, in: id) }
        return (tables, targets)
    }

    // MARK: Replaced columns

    /// The columns that a migration gave to properties in place of others, by table.
    private func replacingColumns() -> [TableID: [ColumnID]] {
        if writeSet.catalog == writeSet.base.catalog { return [:] }
        var found: [TableID: [ColumnID]] = [:]
        for definition in writeSet.catalog.classTables {
            guard let old = writeSet.base.catalog[definition.id] else { continue }
            let columns = definition.columns.filter { replacedColumn(by: $0, in: old) != nil }
            if !columns.isEmpty { found[definition.id] = columns.map(\.id) }
        }
        return found
    }

    /// The old column of a property that a migration gave a new one: of the same name and another
    /// type, or renamed.
    private func replacedColumn(by column: ColumnDefinition, in old: TableDefinition)
        -> ColumnDefinition?
    {
        if old[column.id] != nil { return nil }
        let source = writeSet.moved[old.id]?.first { $0.value == column.id }?.key
        return source.flatMap { old[$0] } ?? old[column.name]
    }

    /// The changes of a table with all rows that both versions have as modified in some columns:
    /// a row with the default value there may have had another one in the replaced column.
    private func comparing(_ columns: [ColumnID], of id: TableID, _ changes: TableChanges)
        -> TableChanges
    {
        let keys = ContiguousArray(
            writeSet.base.table(id).allKeys.lazy.filter {
                !changes.deletions.containsSorted($0)
            })
        var modifications = changes.modifications
        for column in columns { modifications[column] = keys }
        return TableChanges(
            deletions: changes.deletions, insertions: changes.insertions,
            modifications: modifications)
    }

    // MARK: A table

    /// The changes of a table, with the deletions by themselves if these rows had another primary
    /// key than the table has now.
    private func parts(of changes: TableChanges, _ definition: TableDefinition)
        -> [(TableDefinition, TableChanges)]
    {
        guard !changes.deletions.isEmpty, var old = writeSet.base.catalog[definition.id],
            old.primaryKey != definition.primaryKey
                || old.usesPrimaryKeyAsRowKey != definition.usesPrimaryKeyAsRowKey
        else { return [(definition, changes)] }
        old.name = definition.name
        return [
            (old, TableChanges(deletions: changes.deletions)),
            (
                definition,
                TableChanges(
                    insertions: changes.insertions, modifications: changes.modifications)
            ),
        ]
    }

    /// Nil without changes.
    private mutating func table(_ definition: TableDefinition, _ changes: TableChanges)
        throws(StorageError) -> HistoryEntry.Table?
    {
        let id = definition.id
        let old = writeSet.base.catalog[id].map { _ in writeSet.base.table(id) }
        let new = writeSet.catalog[id].map { _ in writeSet.table(id) }
        var table = HistoryEntry.Table(name: definition.name)
        func place(of column: ColumnDefinition) -> Int {
            if let known = table.columns.firstIndex(where: { $0.definition.id == column.id }) {
                return known
            }
            table.columns.append(HistoryEntry.Column(definition: column))
            return table.columns.count - 1
        }
        table.isOwned = definition.isOwned
        table.usesPrimaryKeyAsRowKey = definition.usesPrimaryKeyAsRowKey
        table.deleted = HistoryKeys(changes.deletions)
        table.inserted = HistoryKeys(changes.insertions)
        for (column, keys) in changes.modifications.sorted(by: { $0.key < $1.key }) {
            guard let column = definition[column] else { continue }
            let replaced = old.flatMap { replacedColumn(by: column, in: $0.definition) }
            var keys = keys
            if let replaced {
                keys = rows(keys, whereDiffers: column, in: new, from: replaced, in: old)
                if keys.isEmpty { continue }
            }
            var cells = HistoryEntry.Cells(column: place(of: column), keys: HistoryKeys(keys))
            if policy.keepsValues {
                cells.oldColumn = replaced.map { place(of: $0) }
                cells.old = values(of: replaced ?? column, keys, in: old)
                cells.new = values(of: column, keys, in: new)
            }
            table.modified.append(cells)
        }
        table.modifiedRows = HistoryKeys(union: table.modified.map(\.keys))
        if table.changeCount == 0 { return nil }
        let modifiedRows = ContiguousArray(table.modifiedRows)
        if let column = definition.primaryKey.flatMap({ definition[$0] }),
            !definition.usesPrimaryKeyAsRowKey
        {
            table.primaryKey = place(of: column)
            table.primaryKeys = values(of: column, changes.deletions, in: old)
            table.primaryKeys += values(of: column, changes.insertions, in: new)
            table.primaryKeys += values(of: column, modifiedRows, in: new)
        }
        if !changes.deletions.isEmpty, let old {
            let preserved = policy.preserved[definition.name] ?? []
            let current = writeSet.catalog[id] ?? definition
            let moved = writeSet.moved[id] ?? [:]
            for column in old.definition.columns
            where policy.keepsValues || preserved.contains(column.name)
                || preserved.contains(current[moved[column.id] ?? column.id]?.name ?? column.name)
            {
                table.deletedValues.append(
                    HistoryEntry.Values(
                        column: place(of: column),
                        values: values(of: column, changes.deletions, in: old)))
            }
        }
        if policy.keepsValues, !changes.insertions.isEmpty {
            for column in definition.columns {
                table.insertedValues.append(
                    HistoryEntry.Values(
                        column: place(of: column),
                        values: values(of: column, changes.insertions, in: new)))
            }
        }
        if definition.isOwned {
            table.owners = try owners(of: id, changes.deletions, in: writeSet.base)
            table.owners += try owners(of: id, changes.insertions, in: writeSet)
            table.owners += try owners(of: id, modifiedRows, in: writeSet)
        }
        noteLinks(of: table)
        return table
    }

    /// Those of some rows whose value is another one than that of the replaced column.
    private func rows(
        _ keys: ContiguousArray<Int64>, whereDiffers column: ColumnDefinition,
        in new: TableView?, from replaced: ColumnDefinition, in old: TableView?
    ) -> ContiguousArray<Int64> {
        let before = values(of: replaced, keys, in: old)
        let now = values(of: column, keys, in: new)
        // Rows of two classes may have one key.
        let isRetargeted =
            replaced.hasTarget && column.hasTarget && replaced.target != column.target
        return ContiguousArray(
            keys.indices.filter { index in
                if before[index] != now[index] { return true }
                if !isRetargeted { return false }
                var hasLink = false
                before[index].forEachLink(of: replaced) { _ in hasLink = true }
                return hasLink
            }.map { keys[$0] })
    }

    /// The values of rows in a version; what an older row has in a column that the version lacks.
    private func values(
        of column: ColumnDefinition, _ keys: ContiguousArray<Int64>, in view: TableView?
    ) -> ContiguousArray<StoredValue> {
        guard let view, view.definition[column.id] != nil else {
            return ContiguousArray(repeating: column.initialValue, count: keys.count)
        }
        var values = ContiguousArray<StoredValue>()
        values.reserveCapacity(keys.count)
        var finder = RowFinder(view)
        for key in keys {
            guard let (cluster, row) = finder.find(key) else {
                values.append(column.initialValue)
                continue
            }
            values.append(StoredValue(column, cluster, row: row, of: view))
        }
        return values
    }

    // MARK: Owners and links

    /// The owner of each of some rows. O(rows and their owners), and O(dirty rows).
    private mutating func owners(
        of table: TableID, _ keys: ContiguousArray<Int64>, in source: TableSource
    ) throws(StorageError) -> ContiguousArray<HistoryEntry.Owner?> {
        if keys.isEmpty { return [] }
        var found: [Int64: HistoryEntry.Owner] = [:]
        let wanted = Set(keys)
        for definition in source.currentCatalog.tables {
            for column in definition.columns where column.hasTarget && column.target == table {
                let view = source.table(definition.id)
                var rows: Set<Int64> = []
                try view.forEachRow(linkingBy: column.id, to: table, keys) { rows.insert($0) }
                for row in rows {
                    view.forEachLink(of: column.id, in: CollectionOfOne(row), onlyOf: table) {
                        if wanted.contains($0) {
                            found[$0] = HistoryEntry.Owner(table: definition.id, row: row)
                        }
                    }
                }
            }
        }
        for owner in found.values {
            note(LinkTarget(table: owner.table, key: owner.row))
        }
        return ContiguousArray(keys.map { found[$0] })
    }

    private mutating func noteLinks(of table: HistoryEntry.Table) {
        for column in table.columns {
            if let target = column.definition.target { noteTarget(target) }
        }
        var found: [LinkTarget] = []
        func look(_ column: Int, _ values: ContiguousArray<StoredValue>) {
            let definition = table.columns[column].definition
            guard definition.hasTarget || definition.countsBacklinks else { return }
            for value in values { value.forEachLink(of: definition) { found.append($0) } }
        }
        for cells in table.modified {
            look(cells.oldColumn ?? cells.column, cells.old)
            look(cells.column, cells.new)
        }
        for values in table.deletedValues + table.insertedValues {
            look(values.column, values.values)
        }
        for link in found { note(link) }
    }

    private mutating func noteTarget(_ id: TableID) {
        guard targets[id] == nil, let definition = writeSet.catalog[id] ?? writeSet.base.catalog[id]
        else { return }
        targets[id] = HistoryEntry.Target(
            name: definition.name, usesPrimaryKeyAsRowKey: definition.usesPrimaryKeyAsRowKey)
    }

    private mutating func note(_ link: LinkTarget) {
        noteTarget(link.table)
        guard let target = targets[link.table], !target.usesPrimaryKeyAsRowKey else { return }
        referenced[link.table, default: []].insert(link.key)
    }

    private mutating func readPrimaryKeys(of rows: Set<Int64>, in id: TableID) {
        guard let definition = writeSet.catalog[id] ?? writeSet.base.catalog[id],
            let column = definition.primaryKey.flatMap({ definition[$0] })
        else { return }
        let sources: [TableSource] = [writeSet, writeSet.base]
        let views = sources.compactMap { source in
            source.currentCatalog[id]?[column.id].map { _ in source.table(id) }
        }
        for row in rows {
            for view in views {
                guard let place = view.locate(RowKey(rawValue: row)) else { continue }
                targets[id]?.primaryKeys[row] = StoredValue(
                    column, place.cluster, row: place.row, of: view)
                break
            }
        }
    }
}
