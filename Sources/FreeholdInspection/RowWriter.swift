package import FreeholdImport
package import FreeholdStorage

/// Writes rows from JSON objects as ``RowEncoder`` makes them, in a transaction.
package struct RowWriter {
    package let writeSet: WriteSet
    private let decoder: ValueDecoder

    /// - Parameter findLink: See ``ValueDecoder/LinkFinder``.
    package init(_ writeSet: WriteSet, findLink: @escaping ValueDecoder.LinkFinder) {
        self.writeSet = writeSet
        decoder = ValueDecoder(writeSet.catalog, findLink: findLink)
    }

    // MARK: Rows

    /// Reads the primary key of an object; nil if the class has none, or the object does not say
    /// it.
    package func primaryKey(
        of members: Range<Int>, _ document: JSONDocument, _ table: TableDefinition
    ) throws -> ScanValue? {
        guard let column = table.primaryKey.flatMap({ table[$0] }),
            let id = document.member(of: members, named: RowEncoder.memberName(column.name))
        else { return nil }
        guard case .plain(let value) = try decoder.value(id, of: document, column) else {
            return nil
        }
        return value
    }

    /// The row with a primary key.
    package func row(withPrimaryKey value: ScanValue, in table: TableDefinition) throws -> Int64? {
        let rows = writeSet.mutableTable(table.id)
        if table.usesPrimaryKeyAsRowKey {
            guard case .integer(let key) = value, rows.contains(RowKey(rawValue: key)) else {
                return nil
            }
            return key
        }
        return try rows.rowKey(forPrimaryKey: value.indexKey)?.rawValue
    }

    /// Adds a row with a primary key, and zeros and nulls else.
    ///
    /// - Parameter key: The key for the row, if it is free and the primary key is not the key.
    package func addRow(
        primaryKey: ScanValue?, in table: TableDefinition, key: Int64? = nil
    ) throws -> Int64 {
        let rows = writeSet.mutableTable(table.id)
        if table.usesPrimaryKeyAsRowKey {
            guard case .integer(let value)? = primaryKey else {
                throw InspectionError(
                    "An object of \(table.name) needs its primary key, an integer.")
            }
            _ = rows.insertRow(RowKey(rawValue: value))
            return value
        }
        let free = key.flatMap { rows.hasRow(RowKey(rawValue: $0)) ? nil : $0 }
        let rowKey = free.map { RowKey(rawValue: $0) } ?? rows.nextRowKey()
        let row = rows.insertRow(rowKey)
        if let column = table.primaryKey.flatMap({ table[$0] }) {
            let value = primaryKey ?? (column.isNullable ? .null : ScanValue(zeroOf: column.type))
            if value != .null { row.set(column.id, of: column.type, to: .plain(value)) }
            rows.notePrimaryKey(value.indexKey, of: rowKey)
            if case .integer(let number) = value, table.hasOwnKeys {
                rows.raiseNextKey(above: number)
            }
        }
        return rowKey.rawValue
    }

    /// Sets the properties that an object has; others stay. The primary key is not set.
    package func set(
        _ members: Range<Int>, _ document: JSONDocument, row key: Int64, of table: TableDefinition
    ) throws {
        for member in document.members[members] {
            let name = document.name(of: member)
            if name.hasPrefix("$"), !name.hasPrefix("$$") { continue }
            let column = try table.inspected(property: ValueDecoder.name(name))
            if column.id == table.primaryKey { continue }
            do {
                try set(column, Int(member.value), document, row: key, of: table)
            } catch let error as InspectionError {
                throw InspectionError("\(table.name): \(error.message)", remedy: error.remedy)
            }
        }
    }

    /// Sets one property, not the primary key.
    package func set(
        _ column: ColumnDefinition, _ id: JSONDocument.ID, _ document: JSONDocument,
        row key: Int64, of table: TableDefinition
    ) throws {
        let rows = writeSet.mutableTable(table.id)
        let rowKey = RowKey(rawValue: key)
        if let target = column.target.flatMap({ writeSet.catalog[$0] }), target.isOwned {
            return try setOwned(column, id, document, row: rowKey, in: rows, target)
        }
        guard let kind = column.collection else {
            let value = try decoder.value(id, of: document, column)
            rows.mutableRow(rowKey)?.set(column.id, of: column.type, to: value)
            return
        }
        if kind.shape == .map {
            guard case .object(let entries) = document[id] else {
                throw decoder.refusal(of: document, id, column, "an object, as a map is")
            }
            let values = try document.members[entries].map {
                (document.name(of: $0), try decoder.value(Int($0.value), of: document, column))
            }
            guard let map = rows.mutableCollection(of: column.id, key: rowKey) else { return }
            map.removeAll()
            for (name, value) in values {
                try ValueDecoder.check(key: name)
                map.set(value, forKey: ContiguousArray(name.utf8))
            }
            rows.settleSmallElements(of: column.id, key: rowKey)
            return
        }
        guard case .array(let elements) = document[id] else {
            throw decoder.refusal(of: document, id, column, "an array, as a list is")
        }
        let values = try document.members[elements].map {
            try decoder.value(Int($0.value), of: document, column)
        }
        guard let collection = rows.mutableCollection(of: column.id, key: rowKey) else { return }
        collection.removeAll()
        for value in values {
            if column.collection?.type == .link, value.isNull { continue }
            if kind.shape == .list {
                collection.insert(value, at: collection.count)
                continue
            }
            let place = collection.find(value)
            if !place.isFound { collection.insert(value, at: place.index) }
        }
        rows.settleSmallElements(of: column.id, key: rowKey)
    }

    // MARK: Embedded objects

    private func setOwned(
        _ column: ColumnDefinition, _ id: JSONDocument.ID, _ document: JSONDocument, row: RowKey,
        in rows: MutableTable, _ target: TableDefinition
    ) throws {
        try deleteOwned(column, row, in: rows, target)
        guard let kind = column.collection else {
            let key = try addOwned(id, document, column, target)
            rows.mutableRow(row)?.set(
                column.id, of: .link,
                to: key.map { .plain(.link(RowKey(rawValue: $0))) } ?? .null)
            return
        }
        switch (kind.shape, document[id]) {
        case (.list, .array(let elements)):
            for member in document.members[elements] {
                guard let key = try addOwned(Int(member.value), document, column, target) else {
                    continue
                }
                guard let list = rows.mutableCollection(of: column.id, key: row) else { return }
                list.insert(.plain(.link(RowKey(rawValue: key))), at: list.count)
            }
        case (.map, .object(let entries)):
            for member in document.members[entries] {
                try ValueDecoder.check(key: document.name(of: member))
                let key = try addOwned(Int(member.value), document, column, target)
                rows.mutableCollection(of: column.id, key: row)?.set(
                    key.map { .plain(.link(RowKey(rawValue: $0))) } ?? .null,
                    forKey: ContiguousArray(document.name(of: member).utf8))
            }
        default:
            throw decoder.refusal(
                of: document, id, column, kind.shape == .map ? "an object" : "an array")
        }
        rows.settleSmallElements(of: column.id, key: row)
    }

    private func deleteOwned(
        _ column: ColumnDefinition, _ row: RowKey, in rows: MutableTable, _ target: TableDefinition
    ) throws {
        var owned: [Int64] = []
        rows.forEachLink(of: column.id, in: [row.rawValue]) { owned.append($0) }
        if !owned.isEmpty { try writeSet.deleteRows(owned, of: target.id) }
        if column.collection != nil {
            rows.mutableCollection(of: column.id, key: row)?.removeAll()
        }
    }

    /// Adds an embedded object; nil for null.
    private func addOwned(
        _ id: JSONDocument.ID, _ document: JSONDocument, _ column: ColumnDefinition,
        _ target: TableDefinition
    ) throws -> Int64? {
        switch document[id] {
        case .null: return nil
        case .object(let members):
            let key = try addRow(primaryKey: nil, in: target)
            try set(members, document, row: key, of: target)
            return key
        default:
            throw decoder.refusal(of: document, id, column, "an object of \(target.name), or null")
        }
    }
}
