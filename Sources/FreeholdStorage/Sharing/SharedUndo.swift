/// Collects what takes a commit back, while it is applied.
struct SharedUndo {
    private let rows: SharedRows
    private var added: [SharedReference] = []
    private var restored: [SharedReference: [String: SharedValue]] = [:]
    private var cells: [SharedReference: [String: SharedValue]] = [:]

    init(_ rows: SharedRows) { self.rows = rows }

    mutating func inserted(_ object: SharedReference) { added.append(object) }

    /// Notes the value before the first change.
    mutating func changed(_ object: SharedReference, _ property: String, _ old: SharedValue) {
        if cells[object]?[property] == nil { cells[object, default: [:]][property] = old }
    }

    /// Notes rows that are about to be deleted, and what links to them.
    mutating func willDelete(_ doomed: [TableID: [Int64]]) throws(StorageError) {
        let catalog = rows.source.currentCatalog
        for (id, keys) in doomed {
            guard let table = catalog[id] else { continue }
            for key in keys {
                if let object = rows.object(key, of: table) {
                    restored[object] = rows.values(key, of: table)
                }
            }
        }
        for (id, keys) in doomed {
            for source in catalog.classTables {
                for column in source.columns
                where column.hasTarget ? column.target == id : column.countsBacklinks {
                    var linking: Set<Int64> = []
                    try rows.source.table(source.id).forEachRow(
                        linkingBy: column.id, to: id, keys
                    ) { linking.insert($0) }
                    for row in linking { try note(row, column, of: source, doomed) }
                }
            }
        }
    }

    /// Notes the value of the property that a cell belongs to.
    private mutating func note(
        _ row: Int64, _ column: ColumnDefinition, of table: TableDefinition,
        _ doomed: [TableID: [Int64]]
    ) throws(StorageError) {
        guard let owner = try SharedOwners(rows.source).top(row, column, of: table),
            doomed[owner.table.id]?.containsSorted(owner.row) != true,
            let object = rows.object(owner.row, of: owner.table)
        else { return }
        changed(object, owner.column.name, rows.value(owner.row, owner.column, of: owner.table))
    }

    func commit() -> SharedCommit {
        var commit = SharedCommit()
        commit.deleted = added
        commit.inserted = restored.map { SharedCommit.Insertion($0.key, $0.value) }
        commit.updated = cells.map { object, values in
            SharedCommit.Update(object, values.mapValues { .assign($0) })
        }
        commit.define(by: rows.source.currentCatalog)
        return commit
    }
}

/// The property of an object that an embedded row belongs to.
struct SharedOwners {
    private let source: TableSource

    init(_ source: TableSource) { self.source = source }

    struct Cell {
        var row: Int64
        var column: ColumnDefinition
        var table: TableDefinition
    }

    /// Follows owners up to one that is no embedded row. Nil without an owner.
    func top(_ row: Int64, _ column: ColumnDefinition, of table: TableDefinition)
        throws(StorageError) -> Cell?
    {
        var cell = Cell(row: row, column: column, table: table)
        var depth = 0
        while cell.table.isOwned {
            depth += 1
            guard depth <= SharedValue.greatestDepth,
                let owner = try owner(of: cell.row, in: cell.table)
            else { return nil }
            cell = owner
        }
        return cell
    }

    private func owner(of row: Int64, in table: TableDefinition) throws(StorageError) -> Cell? {
        try owners(of: [row], in: table.id).first
    }

    /// The cells that embedded rows belong to. O(rows + dirty rows).
    func owners(of rows: Set<Int64>, in table: TableID) throws(StorageError) -> [Cell] {
        var cells: [Cell] = []
        for definition in source.currentCatalog.tables {
            for column in definition.columns where column.hasTarget && column.target == table {
                try source.table(definition.id).forEachRow(
                    linkingBy: column.id, to: table, rows.sorted()
                ) { cells.append(Cell(row: $0, column: column, table: definition)) }
            }
        }
        return cells
    }
}

extension SharedCommit {
    /// Sets the definitions of the classes and properties that the commit mentions.
    package mutating func define(by catalog: Catalog) { classes = defined(by: catalog) }

    /// The definitions of the classes and properties that the commit mentions.
    func defined(by catalog: Catalog) -> [String: Class] {
        var classes: [String: Class] = [:]
        let positions = catalog.positionsByName
        func table(_ name: String) -> TableDefinition? {
            positions[name].map { catalog.tables[$0] }
        }
        var embedded: [TableID] = []
        func note(_ name: String) {
            guard classes[name] == nil, let table = table(name) else { return }
            var noted = Class(isEmbedded: table.isOwned, primaryKey: table.sharedKey?.name)
            if let key = table.sharedKey {
                noted.properties[key.name] = Property(key, in: catalog)
            }
            classes[name] = noted
            if table.isOwned { embedded.append(table.id) }
        }
        func note(_ property: String, of name: String) {
            guard classes[name]?.properties[property] == nil, let table = table(name),
                let column = table[property]
            else { return }
            classes[name]?.properties[property] = Property(column, in: catalog)
            if let target = column.target.flatMap({ catalog[$0] }) { note(target.name) }
        }
        func noteLinks(_ value: SharedValue) { value.forEachLink { note($0.className) } }
        for object in deleted { note(object.className) }
        for insertion in inserted {
            note(insertion.object.className)
            for (name, value) in insertion.values {
                note(name, of: insertion.object.className)
                noteLinks(value)
            }
        }
        for update in updated {
            note(update.object.className)
            for (name, change) in update.changes {
                note(name, of: update.object.className)
                change.forEachValue(noteLinks)
            }
        }
        // Embedded values have fields of any of their class's properties.
        while let id = embedded.popLast() {
            guard let table = catalog[id] else { continue }
            for column in table.columns { note(column.name, of: table.name) }
        }
        return classes
    }
}
