/// Objects of a version, read by names and primary keys.
package struct SharedRows {
    package let source: TableSource
    private let positions: [String: Int]

    /// O(tables).
    package init(_ source: TableSource) {
        self.source = source
        positions = source.currentCatalog.positionsByName
    }

    private var catalog: Catalog { source.currentCatalog }

    package func table(_ name: String) -> TableDefinition? {
        guard let position = positions[name] else { return nil }
        let table = catalog.tables[position]
        return table.isInternal ? nil : table
    }

    /// The row of an object; nil without it.
    package func row(of object: SharedReference, in table: TableDefinition) throws(StorageError)
        -> Int64?
    {
        guard let key = table.keyValue(object.key) else { return nil }
        return try source.rowKey(forPrimaryKey: key, in: table.id)
    }

    /// The object that a row is; nil for a row without a primary key, and for one that is gone.
    package func object(_ row: Int64, of table: TableDefinition) -> SharedReference? {
        guard let column = table.sharedKey else { return nil }
        if table.usesPrimaryKeyAsRowKey { return SharedReference(table.name, .integer(row)) }
        let view = source.table(table.id)
        guard let place = view.locate(RowKey(rawValue: row)),
            case .plain(let key) = StoredValue(column, place.cluster, row: place.row, of: view),
            let value = SharedValue(key)
        else { return nil }
        return SharedReference(table.name, value)
    }

    /// The value of a row's column; the initial one for a row that is gone.
    ///
    /// - Parameter depth: How deep the row is in others. What is too deep is null.
    package func value(
        _ row: Int64, _ column: ColumnDefinition, of table: TableDefinition, depth: Int = 0
    ) -> SharedValue {
        let view = source.table(table.id)
        guard view.definition[column.id] != nil, let place = view.locate(RowKey(rawValue: row))
        else { return column.initialShared }
        let stored = StoredValue(column, place.cluster, row: place.row, of: view)
        return shared(stored, column, depth)
    }

    /// The values of a row that are not the initial ones, but for the primary key.
    package func values(_ row: Int64, of table: TableDefinition, depth: Int = 0)
        -> [String: SharedValue]
    {
        var values: [String: SharedValue] = [:]
        for column in table.columns where column.id != table.primaryKey {
            let value = value(row, column, of: table, depth: depth)
            if value != column.initialShared { values[column.name] = value }
        }
        return values
    }

    /// Calls `body` with each object of each class that can be shared, and its row.
    package func forEachObject(
        _ body: (SharedReference, Int64, TableDefinition) throws -> Void
    ) rethrows {
        for table in catalog.classTables where table.sharedKey != nil {
            for row in source.table(table.id).allKeys {
                if let object = object(row, of: table) { try body(object, row, table) }
            }
        }
    }

    // MARK: Values

    func shared(_ value: StoredValue, _ column: ColumnDefinition, _ depth: Int = 0) -> SharedValue {
        switch value {
        case .plain(.link(let key)): return linked(column, key.rawValue, depth)
        case .plain(let plain): return SharedValue(plain) ?? .null
        case .mixed(let value): return shared(value)
        case .list(let elements): return .list(elements.map { shared($0, column, depth) })
        case .set(let elements): return .set(Set(elements.map { shared($0, column, depth) }))
        case .map(let entries):
            return .map(
                Dictionary(entries.map { ($0.key, shared($0.value, column, depth)) }) { $1 })
        }
    }

    private func linked(_ column: ColumnDefinition, _ row: Int64, _ depth: Int) -> SharedValue {
        guard let target = column.target.flatMap({ catalog[$0] }) else { return .null }
        if target.isOwned {
            if depth == SharedValue.greatestDepth { return .null }
            return .object(values(row, of: target, depth: depth + 1))
        }
        return object(row, of: target).map { .link($0) } ?? .null
    }

    private func shared(_ value: MixedValue) -> SharedValue {
        switch value {
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .float(let value): .float(value.bitPattern)
        case .double(let value): .double(value.bitPattern)
        case .timestamp(let value): .timestamp(value.bitPattern)
        case .decimal(let low, let high): .decimal(low, high)
        case .text(let bytes): .text(bytes)
        case .bytes(let bytes): .bytes(bytes)
        case .fixed(let value): .fixed(value)
        case .link(let target):
            catalog[target.table].flatMap { object(target.key, of: $0) }.map { .anyLink($0) }
                ?? .null
        case .list(let values, _): .list(values.map { $0.map(shared) ?? .null })
        case .map(let entries, _):
            .map(
                Dictionary(entries.map { ($0.key, $0.value.map(shared) ?? .null) }) { $1 })
        }
    }
}

extension SharedValue {
    /// Nil for a link, and for what only mixed values have.
    init?(_ value: ScanValue) {
        switch value {
        case .null: self = .null
        case .integer(let value): self = .integer(value)
        case .boolean(let value): self = .boolean(value)
        case .float(let value): self = .float(value.bitPattern)
        case .double(let value): self = .double(value.bitPattern)
        case .timestamp(let value): self = .timestamp(value.bitPattern)
        case .text(let bytes): self = .text(ContiguousArray(bytes))
        case .bytes(let bytes): self = .bytes(ContiguousArray(bytes))
        case .fixed(let value): self = .fixed(value)
        case .decimal(let low, let high): self = .decimal(low, high)
        case .link, .object, .nested: return nil
        }
    }
}

extension TableDefinition {
    /// The column of a primary key that can be shared; nil without one.
    package var sharedKey: ColumnDefinition? {
        guard !isOwned, let column = primaryKey.flatMap({ self[$0] }), !column.isNullable else {
            return nil
        }
        return column
    }

    /// A primary key of the table's type; nil for one of another type.
    func keyValue(_ key: SharedValue) -> ScanValue? {
        switch (key, sharedKey?.type) {
        case (.integer(let value), .integer): .integer(value)
        case (.text(let bytes), .text): .text(Array(bytes))
        case (.fixed(let value), let type) where value.kind == type: .fixed(value)
        default: nil
        }
    }
}

extension ColumnDefinition {
    package var initialShared: SharedValue {
        switch collection?.shape {
        case .list: .list([])
        case .set: .set([])
        case .map: .map([:])
        case nil:
            switch initialValue {
            case .plain(let value): SharedValue(value) ?? .null
            default: .null
            }
        }
    }
}
