import FreeholdStorage

/// Translates what storage says of rows and columns into objects and properties.
struct ConflictReport {
    private let core: RealmCore
    private let base: TableSource
    private let mine: TableSource
    private let theirs: TableSource
    private let rows: ChangeSet?

    /// - Parameter rows: Has primary keys of rows that are in none of the versions.
    init(
        _ core: RealmCore, base: TableSource, mine: TableSource, theirs: TableSource,
        rows: ChangeSet? = nil
    ) {
        self.core = core
        self.base = base
        self.mine = mine
        self.theirs = theirs
        self.rows = rows
    }

    func conflict(_ conflict: Conflict) -> DraftConflict.Conflict {
        let column = conflict.column.flatMap { definition(conflict.table)?[$0] }
        func value(_ stored: StoredValue?) -> DraftValue? {
            guard let stored, let column else { return nil }
            return DraftValue(stored, column) { name($0) }
        }
        return DraftConflict.Conflict(
            kind: DraftConflict.Kind(conflict.kind),
            object: conflict.row.map { name(LinkTarget(table: conflict.table, key: $0)) },
            property: conflict.column.map { property(conflict.table, $0) + path(conflict.path) },
            base: value(conflict.base), mine: value(conflict.mine), theirs: value(conflict.theirs),
            changed: conflict.places.map { place in
                let object = name(LinkTarget(table: place.table, key: place.row))
                let path = object.owner ?? object.description
                return "\(path).\(property(place.table, place.column))"
            })
    }

    /// Translates a decision. Nil if a value does not fit the property.
    func resolution(_ resolution: DraftConflict.Resolution, of conflict: Conflict) -> Resolution? {
        switch resolution {
        case .mine: return .mine
        case .theirs: return .theirs
        case .value(let value):
            guard let column = conflict.column.flatMap({ definition(conflict.table)?[$0] }) else {
                return nil
            }
            let isPart = !conflict.path.isEmpty
            return (isPart ? value.storedElement(for: column) : value.stored(for: column))
                .map { .value($0) }
        }
    }

    private func definition(_ table: TableID) -> TableDefinition? {
        base.currentCatalog[table] ?? mine.currentCatalog[table] ?? theirs.currentCatalog[table]
    }

    private func property(_ table: TableID, _ column: ColumnID) -> String {
        if let bound = core.schema[table], let ordinal = bound.columns.firstIndex(of: column) {
            return bound.schema.properties[ordinal].name
        }
        return definition(table)?[column]?.name ?? "column \(column.rawValue)"
    }

    private func path(_ steps: [Conflict.Step]) -> String {
        steps.map { step in
            switch step {
            case .key(let key): "[\"\(String(decoding: key, as: UTF8.self))\"]"
            case .index(let index): "[\(index)]"
            }
        }.joined()
    }

    /// The name of a row, with the primary key that the first side has that knows the row.
    func name(_ target: LinkTarget) -> DraftObject {
        let definition = definition(target.table)
        let className =
            core.schema[target.table]?.schema.className ?? definition?.name
            ?? "table \(target.table.rawValue)"
        for source in [base, theirs, mine] {
            if let key = primaryKey(target, in: source) {
                return DraftObject(className: className, primaryKey: key, row: target.key)
            }
        }
        return DraftObject(
            className: className, primaryKey: recordedPrimaryKey(target), row: target.key,
            owner: definition?.isOwned == true ? owner(of: target) : nil)
    }

    /// The owner of an embedded object, in the first side that knows the object.
    private func owner(of target: LinkTarget) -> String? {
        for source in [base, theirs, mine] where source.currentCatalog[target.table] != nil {
            // Only a damaged file throws. The damage is reported where the file is read; here the
            // owner is missing from a text.
            if let (row, column) = try? source.owner(of: target) {
                let owner = name(row)
                return "\(owner.owner ?? owner.description).\(property(row.table, column))"
            }
        }
        return nil
    }

    /// The primary key of a row that changes add or delete.
    private func recordedPrimaryKey(_ target: LinkTarget) -> DraftValue? {
        guard let table = rows?.tables[target.table] else { return nil }
        if table.definition.usesPrimaryKeyAsRowKey { return .int(Int(target.key)) }
        guard let column = table.definition.primaryKey.flatMap({ table.definition[$0] }) else {
            return nil
        }
        for rows in [table.inserted, table.deleted] {
            guard let index = rows.index(of: target.key), let values = rows.columns[column.id]
            else { continue }
            return DraftValue(values[index], column) {
                DraftObject(className: "", primaryKey: nil, row: $0.key)
            }
        }
        return nil
    }

    private func primaryKey(_ target: LinkTarget, in source: TableSource) -> DraftValue? {
        guard let definition = source.currentCatalog[target.table],
            let column = definition.primaryKey.flatMap({ definition[$0] })
        else { return nil }
        let table = source.table(target.table)
        guard let (cluster, row) = table.locate(RowKey(rawValue: target.key)) else { return nil }
        if definition.usesPrimaryKeyAsRowKey { return .int(Int(target.key)) }
        return DraftValue(StoredValue(column, cluster, row: row, of: table), column) {
            DraftObject(className: "", primaryKey: nil, row: $0.key)
        }
    }
}

extension DraftConflict.Kind {
    fileprivate init(_ kind: Conflict.Kind) {
        self =
            switch kind {
            case .value: .value
            case .list: .list
            case .deletedAndChanged(by: .mine): .deletedByMe
            case .deletedAndChanged(by: .theirs): .deletedByThem
            case .linkToDeleted(by: .mine): .linkedByThem
            case .linkToDeleted(by: .theirs): .linkedByMe
            case .createdTwice: .createdTwice
            case .notUnique: .notUnique
            case .movedTwice: .movedTwice
            case .missing: .missing
            }
    }
}
