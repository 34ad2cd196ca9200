/// All changes of one write transaction, in memory, on top of a snapshot.
///
/// Reads inside the transaction go through ``table(_:)`` and see the changes. Committing encodes each touched column of
/// each touched cluster once (``Store/commit(_:)``); cancelling drops the write set. Confined to the thread, queue or
/// actor that runs the transaction, until it is handed to the writer thread for good.
package final class WriteSet: TableSource, @unchecked Sendable {
    // Sendable: handed over, never shared.

    package let base: Snapshot
    /// The catalog with this transaction's changes.
    package private(set) var catalog: Catalog
    package let layout: StorageLayout
    let ticket: WriteTicket
    /// How many versions may be alive when this is committed; nil for any number.
    package var maximumNumberOfActiveVersions: UInt?

    package let counters = ChangeCounters()
    /// Changes whenever positions, rows or pointers handed out before may be stale.
    package var layoutGeneration: UInt64 { counters.layout }
    /// Changes with every change of a value or row.
    package var changeCount: UInt64 { counters.values }

    private(set) var tables: [TableID: MutableTable] = [:]
    /// Indexes that did not exist in the base; built from all rows at the commit.
    private(set) var addedIndexes: Set<IndexPlace> = []
    /// Indexes of the base whose entries the commit deletes.
    private(set) var removedIndexes: Set<IndexPlace> = []

    struct IndexPlace: Hashable {
        let table: TableID
        let column: ColumnID
    }

    init(base: Snapshot, ticket: WriteTicket, layout: StorageLayout) {
        self.base = base
        self.ticket = ticket
        self.layout = layout
        catalog = base.catalog
    }

    override package func table(_ id: TableID) -> TableView { mutableTable(id) }

    /// The table with this id, which must be in the catalog. O(1) once it was asked for.
    package func mutableTable(_ id: TableID) -> MutableTable {
        if let table = tables[id] { return table }
        guard let definition = catalog[id] else { preconditionFailure("table \(id.rawValue) is not in the catalog") }
        let stored = base.catalog[id] == nil ? nil : base.table(id)
        let table = MutableTable(
            definition, base: stored, nextKey: base.facts(of: id).nextRowKey, writeSet: self, layout: layout)
        tables[id] = table
        return table
    }

    /// Whether a commit would write anything.
    package var hasChanges: Bool {
        catalog != base.catalog || tables.values.contains { $0.isChanged }
    }

    /// A write set that goes on from this one, which nobody changes afterwards: reads of both may run on different threads.
    ///
    /// Several transactions that share one commit are a chain of forks: cancelling one drops its fork, committing the last one commits
    /// all. The ticket is shared, so only one of the chain may be committed. O(tables + clusters touched since the last fork).
    package func fork() -> WriteSet {
        let fork = WriteSet(base: base, ticket: ticket, layout: layout)
        fork.catalog = catalog
        fork.maximumNumberOfActiveVersions = maximumNumberOfActiveVersions
        fork.addedIndexes = addedIndexes
        fork.removedIndexes = removedIndexes
        for (id, table) in tables {
            table.seal()
            fork.tables[id] = MutableTable(continuing: table, in: fork)
        }
        return fork
    }

    // MARK: The schema

    private func definition(_ table: TableID) -> Int {
        guard let index = catalog.tables.firstIndex(where: { $0.id == table }) else {
            preconditionFailure("table \(table.rawValue) is not in the catalog")
        }
        precondition(tables[table]?.isChanged != true, "a table's columns change before its rows do")
        tables[table] = nil
        counters.layout &+= 1
        return index
    }

    /// Adds a table without columns.
    ///
    /// - Parameter isOwned: See ``TableDefinition/isOwned``.
    package func createTable(named name: String, isOwned: Bool = false) -> TableID {
        let id = TableID(rawValue: catalog.nextTableID)
        catalog.nextTableID += 1
        catalog.tables.append(TableDefinition(id: id, name: name, columns: [], primaryKey: nil, isOwned: isOwned, nextColumnID: 1))
        return id
    }

    /// Adds a column, null or zero in every row. O(1), however many rows there are.
    package func addColumn(
        to table: TableID, named name: String, type: ColumnType, isNullable: Bool, isIndexed: Bool, target: TableID? = nil
    ) -> ColumnID {
        let index = definition(table)
        let id = ColumnID(rawValue: catalog.tables[index].nextColumnID)
        catalog.tables[index].nextColumnID += 1
        let column = ColumnDefinition(id: id, name: name, type: type, isNullable: isNullable, isIndexed: isIndexed, target: target)
        catalog.tables[index].columns.append(column)
        if column.isIndexed, !column.countsBacklinks { addedIndexes.insert(IndexPlace(table: table, column: id)) }
        return id
    }

    /// Adds a column of collections, empty in every row. O(1), however many rows there are.
    package func addColumn(
        to table: TableID, named name: String, elements: ElementKind, target: TableID? = nil
    ) -> ColumnID {
        let index = definition(table)
        let id = ColumnID(rawValue: catalog.tables[index].nextColumnID)
        catalog.tables[index].nextColumnID += 1
        catalog.tables[index].columns.append(ColumnDefinition(id: id, name: name, elements: elements, target: target))
        return id
    }

    /// Names the primary key of a table that has no rows yet.
    package func setPrimaryKey(_ column: ColumnID?, of table: TableID) {
        let index = definition(table)
        catalog.tables[index].primaryKey = column
        guard let column else { return }
        let place = IndexPlace(table: table, column: column)
        if catalog.tables[index].usesPrimaryKeyAsRowKey { addedIndexes.remove(place) } else { addedIndexes.insert(place) }
    }

    /// Adds or removes the ordered index of a column. Adding is O(rows log rows), at the commit.
    package func setIndexed(_ isIndexed: Bool, column: ColumnID, of table: TableID) {
        changeIndex(of: column, table) { $0.isIndexed = isIndexed }
    }

    /// Adds or removes the full-text index of a column of text, which has no ordered one then. Adding is O(text), at the commit.
    package func setFullText(_ isFullText: Bool, column: ColumnID, of table: TableID) {
        changeIndex(of: column, table) { $0.isFullText = isFullText }
    }

    private func changeIndex(of column: ColumnID, _ table: TableID, _ change: (inout ColumnDefinition) -> Void) {
        let index = definition(table)
        guard let position = catalog.tables[index].columns.firstIndex(where: { $0.id == column }) else { return }
        change(&catalog.tables[index].columns[position])
        let new = catalog.tables[index].columns[position]
        let old = base.catalog[table]?[column]
        let had = (ordered: old?.isIndexed ?? false, words: old?.isFullText ?? false)
        let has = (ordered: new.isIndexed, words: new.isFullText)
        let place = IndexPlace(table: table, column: column)
        addedIndexes.remove(place)
        removedIndexes.remove(place)
        if had == has { return }
        if had.ordered || had.words { removedIndexes.insert(place) }
        if has.ordered || has.words { addedIndexes.insert(place) }
    }

    package func setSchemaVersion(_ version: UInt64) { catalog.schemaVersion = version }
}
