/// Changes of the catalog.
///
/// Columns must be added to a table before its rows change, because its clusters have a place
/// for each column. All other changes may happen at any time: a renamed or removed column keeps
/// its place.
///
/// The commit derives the indexes to build and delete from the two catalogs, so nothing is
/// recorded here.
extension WriteSet {
    private func position(of table: TableID) -> Int {
        guard let index = catalog.position(of: table) else {
            preconditionFailure("table \(table.rawValue) is not in the catalog")
        }
        return index
    }

    /// The position of a table whose rows have not changed yet, and of which no view is in use.
    private func clean(_ table: TableID) -> Int {
        let index = position(of: table)
        precondition(
            tables[table]?.isChanged != true, "a table's columns are added before its rows change")
        tables[table] = nil
        counters.layout &+= 1
        return index
    }

    /// Updates a table in use to the catalog's definition. The places of its columns stay the
    /// same.
    private func redefine(_ table: TableID, _ index: Int) {
        counters.layout &+= 1
        tables[table]?.definition = catalog.tables[index]
        tables[table]?.retired = retired[table] ?? []
    }

    // MARK: Tables

    /// Adds a table without columns.
    ///
    /// - Parameter isOwned: See ``TableDefinition/isOwned``.
    package func createTable(named name: String, isOwned: Bool = false) -> TableID {
        let id = TableID(rawValue: catalog.nextTableID)
        catalog.nextTableID += 1
        catalog.tables.append(
            TableDefinition(
                id: id, name: name, columns: [], primaryKey: nil, isOwned: isOwned, nextColumnID: 1)
        )
        return id
    }

    /// Removes a table without rows if no column of another table links to it. The commit
    /// deletes its stored data. O(tables and columns).
    ///
    /// - Returns: Whether it was removed.
    package func removeTable(_ table: TableID) -> Bool {
        let isTarget = catalog.tables.contains { other in
            other.id != table && other.columns.contains { $0.target == table }
        }
        if isTarget { return false }
        let index = position(of: table)
        precondition(
            mutableTable(table).count == 0, "a table's rows are deleted before the table is")
        catalog.tables.remove(at: index)
        retired[table] = nil
        tables[table] = nil
        counters.layout &+= 1
        return true
    }

    /// Sets whether the rows of a table are owned by the rows that link to them. If so, each
    /// must be the target of exactly one link: ``ownership(of:)``.
    package func setOwned(_ isOwned: Bool, _ table: TableID) {
        let index = position(of: table)
        catalog.tables[index].isOwned = isOwned
        redefine(table, index)
    }

    // MARK: Columns

    /// Adds a column, null or zero in every row. O(1), regardless of the number of rows.
    package func addColumn(
        to table: TableID, named name: String, type: ColumnType, isNullable: Bool, isIndexed: Bool,
        target: TableID? = nil
    ) -> ColumnID {
        add(to: table) {
            ColumnDefinition(
                id: $0, name: name, type: type, isNullable: isNullable, isIndexed: isIndexed,
                target: target)
        }
    }

    /// Adds a column of collections, empty in every row. O(1), regardless of the number of
    /// rows.
    package func addColumn(
        to table: TableID, named name: String, collection: StoredCollectionKind,
        target: TableID? = nil
    ) -> ColumnID {
        add(to: table) {
            ColumnDefinition(id: $0, name: name, collection: collection, target: target)
        }
    }

    private func add(to table: TableID, _ column: (ColumnID) -> ColumnDefinition) -> ColumnID {
        let index = clean(table)
        let id = ColumnID(rawValue: catalog.tables[index].nextColumnID)
        catalog.tables[index].nextColumnID += 1
        catalog.tables[index].columns.append(column(id))
        return id
    }

    /// Removes a column from its table. O(1).
    ///
    /// Until the transaction ends, its values can be read by its id, and
    /// ``restoreColumn(_:of:named:)`` restores it. The commit deletes its index, long values
    /// and collection nodes, in O(their number). Values in clusters are not rewritten, however
    /// many there are: readers skip them, and each cluster loses them when it is next written.
    package func retireColumn(_ column: ColumnID, of table: TableID) {
        let index = position(of: table)
        guard let place = catalog.tables[index].position(of: column) else {
            preconditionFailure("column \(column.rawValue) is not in the catalog")
        }
        precondition(
            catalog.tables[index].primaryKey != column,
            "the primary key is none any more before its column is removed")
        let removed = catalog.tables[index].columns.remove(at: place)
        var others = retired[table] ?? []
        others.insert(removed, at: others.firstIndex { $0.id > column } ?? others.count)
        retired[table] = others
        redefine(table, index)
    }

    /// Restores a retired column, under any name that the table does not use. O(columns).
    package func restoreColumn(_ column: ColumnID, of table: TableID, named name: String) {
        let index = position(of: table)
        precondition(catalog.tables[index][name] == nil, "the table has a column '\(name)'")
        guard let place = retired[table]?.firstIndex(where: { $0.id == column }),
            var restored = retired[table]?.remove(at: place)
        else { preconditionFailure("column \(column.rawValue) was not retired") }
        restored.name = name
        let columns = catalog.tables[index].columns
        catalog.tables[index].columns.insert(
            restored, at: columns.firstIndex { $0.id > column } ?? columns.count)
        redefine(table, index)
    }

    /// A column that this transaction removed from a table, by its last name.
    package func retiredColumn(named name: String, of table: TableID) -> ColumnDefinition? {
        retired[table]?.first { $0.name == name }
    }

    /// Notes that a property was renamed whose values had to move to another column, so that the
    /// history takes the two for one.
    package func noteMove(of column: ColumnID, to target: ColumnID, in table: TableID) {
        // The values of a property that was moved there before are lost.
        var columns = (moved[table] ?? [:]).filter { $0.value != target }
        columns[column] = target
        moved[table] = columns
    }

    // MARK: Indexes

    /// Adds or removes the ordered index of a column. Adding is O(rows log rows), at the commit.
    package func setIndexed(_ isIndexed: Bool, column: ColumnID, of table: TableID) {
        changeIndex(of: column, table) { $0.isIndexed = isIndexed }
    }

    /// Adds or removes the full-text index of a text column, which then has no ordered index.
    /// Adding is O(text), at the commit.
    package func setFullText(_ isFullText: Bool, column: ColumnID, of table: TableID) {
        changeIndex(of: column, table) { $0.isFullText = isFullText }
    }

    private func changeIndex(
        of column: ColumnID, _ table: TableID, _ change: (inout ColumnDefinition) -> Void
    ) {
        let index = position(of: table)
        guard let place = catalog.tables[index].position(of: column) else { return }
        change(&catalog.tables[index].columns[place])
        redefine(table, index)
    }

    package func setSchemaVersion(_ version: UInt64?) { catalog.schemaVersion = version }

    // MARK: Primary keys

    /// Sets the primary key of a table that has no rows yet.
    package func setPrimaryKey(_ column: ColumnID?, of table: TableID) {
        let index = clean(table)
        catalog.tables[index].primaryKey = column
        catalog.tables[index].hasOwnKeys = false
    }

    /// Removes a table's primary key until ``adoptPrimaryKey(_:of:takesRowKeys:)``, so that the
    /// column's values can be set, even if they are the row keys. Call it before the table's
    /// rows change. O(1).
    package func releasePrimaryKey(of table: TableID) {
        let index = clean(table)
        catalog.tables[index].primaryKey = nil
        catalog.tables[index].hasOwnKeys = false
    }

    func definePrimaryKey(_ column: ColumnID?, hasOwnKeys: Bool, of table: TableID) {
        let index = position(of: table)
        catalog.tables[index].primaryKey = column
        catalog.tables[index].hasOwnKeys = hasOwnKeys
        redefine(table, index)
    }
}
