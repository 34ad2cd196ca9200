/// Gives a file the classes of a migrated snapshot.
extension SharedSchema {
    /// Gives each class of a migrated snapshot the form that it has there, and adds classes. Those
    /// that the snapshot lacks stay. Call it before anything else in the transaction.
    ///
    /// Properties of another form lose their values, and a class with another primary key its
    /// objects: the snapshot's take their place. All columns change before any row does, as a
    /// write set wants it.
    func adopt(_ theirs: Catalog, adding classes: [String: SharedCommit.Class])
        throws(StorageError)
    {
        var emptied: [(table: TableID, key: ColumnID?)] = []
        for table in theirs.classTables {
            guard let own = writeSet.catalog[table.name] else { continue }
            if own.isOwned != table.isOwned || !hasSameKey(own, table, theirs) {
                emptied.append((own.id, replaceColumns(of: own, by: table)))
                continue
            }
            for column in own.columns
            where !table.columns.contains(where: { isSame(column, $0, theirs) }) {
                writeSet.retireColumn(column.id, of: own.id)
            }
        }
        _ = add(classes)
        for (table, _) in emptied {
            try writeSet.deleteRows(Array(writeSet.base.table(table).allKeys), of: table)
        }
        try writeSet.deleteRowsOfRetiredColumns()
        for case (let table, let key?) in emptied {
            // It has no rows, so that nothing can be refused.
            _ = writeSet.adoptPrimaryKey(key, of: table)
        }
    }

    /// Removes all columns of a class, and adds that of the new primary key, if it has one.
    private func replaceColumns(of own: TableDefinition, by table: TableDefinition) -> ColumnID? {
        writeSet.releasePrimaryKey(of: own.id)
        for column in own.columns { writeSet.retireColumn(column.id, of: own.id) }
        writeSet.setOwned(table.isOwned, own.id)
        guard writeSet.catalog[own.id]?.hasRoomForColumn == true else { return nil }
        return table.sharedKey.map { key in
            writeSet.addColumn(
                to: own.id, named: key.name, type: key.type, isNullable: false,
                isIndexed: key.type != .integer)
        }
    }

    private func hasSameKey(
        _ own: TableDefinition, _ table: TableDefinition, _ theirs: Catalog
    ) -> Bool {
        switch (own.sharedKey, table.sharedKey) {
        case (nil, nil): true
        case (let old?, let new?): isSame(old, new, theirs)
        default: false
        }
    }

    private func isSame(_ own: ColumnDefinition, _ other: ColumnDefinition, _ theirs: Catalog)
        -> Bool
    {
        own.name == other.name && own.type == other.type && own.isNullable == other.isNullable
            && own.collection == other.collection
            && own.target.flatMap { writeSet.catalog[$0]?.name }
                == other.target.flatMap { theirs[$0]?.name }
    }
}
