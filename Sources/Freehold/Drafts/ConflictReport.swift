import FreeholdStorage

/// Translates what storage says of rows and columns into objects and properties.
struct ConflictReport {
    let core: RealmCore
    private let catalogs: [Catalog]
    /// The sources of primary keys, in the order in which they are asked.
    private let primaryKeys: [(LinkTarget) -> ScanValue?]
    private let theirs: TableSource
    /// The owners of embedded objects, in the order in which they are asked.
    private let owners: [(LinkTarget) -> (row: LinkTarget, column: ColumnID)?]
    /// The keys that new rows of the draft get in a merge, and these by those.
    private let newRows: [TableID: [Int64: Int64]]
    private let originalRows: [TableID: [Int64: Int64]]
    /// Whether the draft adds a row, by its key in the draft.
    private let isAdded: (LinkTarget) -> Bool
    /// The row with a primary key among those that the draft adds.
    private let addedRow: (ScanValue, TableID) -> Int64?

    /// - Parameter rows: Has primary keys of rows that are in none of the versions.
    init(
        _ core: RealmCore, base: TableSource, mine: TableSource, theirs: TableSource,
        newRows: [TableID: [Int64: Int64]] = [:], rows: ChangeSet? = nil
    ) {
        self.core = core
        self.theirs = theirs
        catalogs = [base, mine, theirs].map(\.currentCatalog)
        self.newRows = newRows
        let originalRows = newRows.mapValues { rows in
            Dictionary(rows.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        }
        self.originalRows = originalRows
        func isAdded(_ row: LinkTarget) -> Bool {
            mine.has(row.key, row.table) && !base.has(row.key, row.table)
        }
        self.isAdded = isAdded
        addedRow = { key, table in
            guard mine.currentCatalog[table] != nil,
                let row = try? mine.rowKey(forPrimaryKey: key, in: table)
            else { return nil }
            return isAdded(LinkTarget(table: table, key: row)) ? row : nil
        }
        primaryKeys =
            [
                { row in
                    originalRows[row.table]?[row.key].flatMap { mine.primaryKey(of: $0, row.table) }
                }
            ]
            + [base, theirs, mine].map { source in { source.primaryKey(of: $0.key, $0.table) } }
            + [{ row in rows?.primaryKey(of: row) }]
        owners =
            [
                { row in
                    originalRows[row.table]?[row.key].flatMap { key in
                        mine.knownOwner(of: LinkTarget(table: row.table, key: key)).map {
                            let key = newRows[$0.row.table]?[$0.row.key] ?? $0.row.key
                            return (LinkTarget(table: $0.row.table, key: key), $0.column)
                        }
                    }
                }
            ]
            + [base, theirs, mine].map { source in { source.knownOwner(of: $0) } }
    }

    /// - Parameters:
    ///   - edits: Archived edits.
    ///   - theirs: The version that they are restored on.
    init(_ core: RealmCore, restoring edits: ResolvedEdits, on theirs: TableSource) {
        self.core = core
        self.theirs = theirs
        catalogs = [theirs.currentCatalog]
        (newRows, originalRows) = ([:], [:])
        isAdded = { edits.changes.tables[$0.table]?.inserted.contains($0.key) ?? false }
        addedRow = { key, table in
            guard let rows = edits.changes.tables[table]?.inserted,
                let definition = theirs.currentCatalog[table]
            else { return nil }
            return rows.keys.enumerated().first {
                definition.primaryKey(of: $1, at: $0, in: rows) == key
            }?.element
        }
        func primaryKey(_ row: LinkTarget, in rows: ChangeSet.Rows?) -> ScanValue? {
            guard let rows, let index = rows.index(of: row.key) else { return nil }
            return theirs.currentCatalog[row.table]?.primaryKey(of: row.key, at: index, in: rows)
        }
        primaryKeys = [
            { primaryKey($0, in: edits.base.tables[$0.table]?.rows) },
            { theirs.primaryKey(of: $0.key, $0.table) },
            { primaryKey($0, in: edits.changes.tables[$0.table]?.inserted) },
        ]
        let known = edits.base.owners
        owners = [{ known[$0] }, { theirs.knownOwner(of: $0) }]
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
            property: propertyAndPath(conflict),
            base: value(conflict.base), mine: value(conflict.mine), theirs: value(conflict.theirs),
            changed: conflict.places.map { place in
                let object = name(LinkTarget(table: place.table, key: place.row))
                let path = object.owner ?? object.description
                return "\(path).\(property(place.table, place.column))"
            })
    }

    /// Conflicts in the order of their classes' names, then of objects, then of properties as
    /// they are declared.
    func sorted(_ conflicts: [Conflict]) -> [Conflict] {
        func ordinal(_ conflict: Conflict) -> Int {
            guard let column = conflict.column else { return -1 }
            return core.schema[conflict.table]?.columns.firstIndex(of: column)
                ?? Int(column.rawValue) + 1_000_000
        }
        let keys = conflicts.map {
            (className($0.table), $0.row ?? .min, ordinal($0), path($0.path))
        }
        return conflicts.indices.sorted { keys[$0] < keys[$1] }.map { conflicts[$0] }
    }

    // MARK: Names

    func definition(_ table: TableID) -> TableDefinition? {
        for catalog in catalogs {
            if let definition = catalog[table] { return definition }
        }
        return nil
    }

    func className(_ table: TableID) -> String {
        core.schema[table]?.schema.className ?? definition(table)?.name ?? "table \(table.rawValue)"
    }

    private func property(_ table: TableID, _ column: ColumnID) -> String {
        if let descriptor = descriptor(table, column) { return descriptor.name }
        return definition(table)?[column]?.name ?? "column \(column.rawValue)"
    }

    /// The declared property of a column.
    func descriptor(_ table: TableID, _ column: ColumnID) -> PropertyDescriptor? {
        guard let bound = core.schema[table], let ordinal = bound.columns.firstIndex(of: column)
        else { return nil }
        return bound.schema.properties[ordinal]
    }

    /// The property of a conflict, with the path into its value.
    func propertyAndPath(_ conflict: Conflict) -> String? {
        conflict.column.map { property(conflict.table, $0) + path(conflict.path) }
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
        let primaryKey = primaryKeys.lazy.compactMap { $0(target) }.first
        let isOwned = definition(target.table)?.isOwned ?? false
        return DraftObject(
            className: className(target.table),
            primaryKey: primaryKey.map { DraftValue(primaryKey: $0) }, row: target.key,
            owner: isOwned ? owner(of: target) : nil)
    }

    /// The object and the property that an embedded object belongs to.
    private func owner(of target: LinkTarget) -> String? {
        owners.lazy.compactMap { $0(target) }.first.map { row, column in
            let owner = name(row)
            return "\(owner.owner ?? owner.description).\(property(row.table, column))"
        }
    }

    /// The row that a program names, with the key that it has in the merge; nil if there is none,
    /// or of another class.
    func row(_ object: DraftObject, of table: TableID) -> Int64? {
        guard className(table) == object.className, theirs.currentCatalog[table] != nil else {
            return nil
        }
        if let primaryKey = object.primaryKey {
            guard let column = definition(table)?.primaryKey,
                let type = definition(table)?[column]?.type,
                case .plain(let key)? = primaryKey.storedScalar(type)
            else { return nil }
            if let row = try? theirs.rowKey(forPrimaryKey: key, in: table) { return row }
            return addedRow(key, table).map { newRows[table]?[$0] ?? $0 }
        }
        if theirs.has(object.row, table) || originalRows[table]?[object.row] != nil {
            return object.row
        }
        let row = LinkTarget(table: table, key: object.row)
        return newRows[table]?[object.row] == nil && isAdded(row) ? object.row : nil
    }
}

extension ChangeSet {
    /// The primary key of a row that is added or deleted.
    fileprivate func primaryKey(of row: LinkTarget) -> ScanValue? {
        guard let table = tables[row.table] else { return nil }
        if table.definition.usesPrimaryKeyAsRowKey { return .integer(row.key) }
        return [table.inserted, table.deleted].lazy.compactMap { rows in
            rows.index(of: row.key).flatMap {
                table.definition.primaryKey(of: row.key, at: $0, in: rows)
            }
        }.first
    }
}

extension TableSource {
    /// The owner of an owned row. Only a damaged file throws; the damage is reported where the
    /// file is read, and here the owner is missing from a text.
    fileprivate func knownOwner(of row: LinkTarget) -> (row: LinkTarget, column: ColumnID)? {
        if currentCatalog[row.table] == nil { return nil }
        return (try? owner(of: row)) ?? nil
    }

    fileprivate func has(_ row: Int64, _ table: TableID) -> Bool {
        currentCatalog[table] != nil && self.table(table).contains(RowKey(rawValue: row))
    }

    /// The primary key of a row; nil without a row or a primary key.
    fileprivate func primaryKey(of row: Int64, _ table: TableID) -> ScanValue? {
        guard let definition = currentCatalog[table],
            let column = definition.primaryKey.flatMap({ definition[$0] })
        else { return nil }
        let view = self.table(table)
        guard let (cluster, place) = view.locate(RowKey(rawValue: row)) else { return nil }
        if definition.usesPrimaryKeyAsRowKey { return .integer(row) }
        guard case .plain(let value) = StoredValue(column, cluster, row: place, of: view) else {
            return nil
        }
        return value
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
