/// Adds to a file's schema what commits mention.
struct SharedSchema {
    let writeSet: WriteSet

    init(_ writeSet: WriteSet) { self.writeSet = writeSet }

    /// Adds classes and properties that the file lacks, and returns whether there were any. Those
    /// that it has with other types stay. A class that has had the most properties that one can
    /// have gets no others.
    func add(_ classes: [String: SharedCommit.Class]) -> Bool {
        var isChanged = false
        let sorted = classes.sorted { $0.key < $1.key }
        for (name, definition) in sorted
        where writeSet.catalog[name] == nil && !TableDefinition.isInternal(name) {
            if definition.isEmbedded {
                _ = writeSet.createTable(named: name, isOwned: true)
                isChanged = true
                continue
            }
            guard let key = definition.primaryKey, let property = definition.properties[key],
                property.type.canBePrimaryKey, property.collection == nil, !property.isNullable
            else { continue }
            let table = writeSet.createTable(named: name)
            let column = writeSet.addColumn(
                to: table, named: key, type: property.type, isNullable: false,
                isIndexed: property.type != .integer)
            writeSet.setPrimaryKey(column, of: table)
            isChanged = true
        }
        for (name, definition) in sorted {
            guard let table = writeSet.catalog[name], !table.isInternal,
                table.isOwned == definition.isEmbedded
            else { continue }
            for (name, property) in definition.properties.sorted(by: { $0.key < $1.key })
            where table[name] == nil && property.canBeAdded {
                add(property, name, to: table.id)
                isChanged = true
            }
        }
        return isChanged
    }

    private func add(_ property: SharedCommit.Property, _ name: String, to table: TableID) {
        guard writeSet.catalog[table]?.hasRoomForColumn == true else { return }
        var target: TableID?
        if let name = property.target {
            guard let found = writeSet.catalog[name], !found.isInternal else { return }
            // An embedded object is in a list, a map, or a property of its own.
            if found.isOwned, property.collection?.shape == .set { return }
            target = found.id
        }
        if let kind = property.collection {
            _ = writeSet.addColumn(to: table, named: name, collection: kind, target: target)
        } else {
            _ = writeSet.addColumn(
                to: table, named: name, type: property.type, isNullable: property.isNullable,
                isIndexed: false, target: target)
        }
    }
}

extension SharedCommit.Property {
    package init(_ column: ColumnDefinition, in catalog: Catalog) {
        self.init(
            type: column.type, isNullable: column.isNullable, collection: column.collection,
            target: column.target.flatMap { catalog[$0]?.name })
    }

    /// Whether values of the property are such of a column.
    func fits(_ column: ColumnDefinition, in catalog: Catalog) -> Bool {
        column.type == type && column.collection?.shape == collection?.shape
            && column.collection?.type == collection?.type
            && column.target.flatMap { catalog[$0]?.name } == target
    }

    /// Whether there can be such a column.
    fileprivate var canBeAdded: Bool {
        if collection == nil, type == .link { return isNullable }
        return true
    }
}
