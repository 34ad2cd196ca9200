/// The state of a merge, in the order in which its parts are settled: schemas, owned rows that
/// were replaced, deletions, new rows, values, owners.
///
/// Rows are named by their keys in the base. Of new rows, theirs have their own keys, and mine
/// those that they get in the merged version. An owned row that theirs replaced has another key in
/// their version (``replacedByTheirs``).
final class Merger {
    @exclusivity(unchecked) var mine: ChangeSet
    @exclusivity(unchecked) var theirs: ChangeSet
    let target: WriteSet
    let automaticKeys: Set<TableID>
    let counters: Counters
    private let resolve: (Conflict) -> Resolution?

    var conflicts: [Conflict] = []
    var output = MergeOutput()
    var newRows: [TableID: [Int64: Int64]] = [:]
    var droppedRows: [TableID: Set<Int64>] = [:]

    /// Owned rows of the base and the new rows that one side put into their place.
    var replacedByMine: [TableID: [Int64: Int64]] = [:]
    var replacedByTheirs: [TableID: [Int64: Int64]] = [:]
    /// Rows that my side deleted, and that stay.
    var kept: Set<LinkTarget> = []
    /// Rows that their side deleted, and that return.
    var restored: Set<LinkTarget> = []
    /// Rows of my side that are rows of theirs, by the keys of theirs: my key, and whether the row
    /// gets my values.
    var united: [LinkTarget: (key: Int64, getsMyValues: Bool)] = [:]

    init(
        mine: ChangeSet, theirs: ChangeSet, target: WriteSet, automaticKeys: Set<TableID>,
        counters: Counters, resolve: @escaping (Conflict) -> Resolution?
    ) {
        self.mine = mine
        self.theirs = theirs
        self.target = target
        self.automaticKeys = automaticKeys
        self.counters = counters
        self.resolve = resolve
    }

    func merge() throws(StorageError) {
        removeWhatTargetLacks()
        replacedByMine = OwnedReplacements.unify(&mine)
        replacedByTheirs = OwnedReplacements.unify(&theirs)
        try settleDeletions()
        try settleNewRows()
        mergeValues()
        insertRows()
        settleOwners()
        nameRows()
    }

    var catalog: Catalog { target.catalog }

    var minesTables: [TableID] { mine.tables.keys.sorted() }

    // MARK: Conflicts

    /// Asks for a resolution, and remembers the conflict without one.
    func settle(_ conflict: Conflict) -> Resolution? {
        let resolution = resolve(conflict)
        if resolution == nil { conflicts.append(conflict) }
        return resolution
    }

    /// Whether my side wins a conflict that has only two outcomes.
    func mineWins(_ conflict: Conflict) -> Bool {
        switch settle(conflict) {
        case .mine: return true
        case .theirs, nil: return false
        case .value: preconditionFailure("A conflict of whole rows is settled by one of the sides.")
        }
    }

    // MARK: Rows

    func isDeletedByMine(_ row: LinkTarget) -> Bool {
        mine.tables[row.table]?.deleted.contains(row.key) ?? false
    }

    func isDeletedByTheirs(_ row: LinkTarget) -> Bool {
        theirs.tables[row.table]?.deleted.contains(row.key) ?? false
    }

    /// Whether the merged version lacks a row of the base.
    func isGone(_ row: LinkTarget) -> Bool {
        if isDeletedByTheirs(row) { return !restored.contains(row) }
        return isDeletedByMine(row) && !kept.contains(row)
    }

    /// The key of a row of the base in their version.
    func key(_ row: Int64, in table: TableID) -> Int64 {
        replacedByTheirs.isEmpty ? row : replacedByTheirs[table]?[row] ?? row
    }

    /// A value as the merged version can have it: without links to rows that are gone.
    func fitted(_ value: StoredValue, _ column: ColumnDefinition) -> StoredValue {
        guard needsFitting(column) else { return value }
        return value.mappingLinks(of: column, target(of:))
    }

    /// A value with the keys of their version.
    func named(_ value: StoredValue, _ column: ColumnDefinition) -> StoredValue {
        guard let table = column.target, replacedByTheirs[table] != nil else { return value }
        return value.mappingLinks(of: column) {
            LinkTarget(table: $0.table, key: key($0.key, in: $0.table))
        }
    }

    func needsFitting(_ column: ColumnDefinition) -> Bool {
        (column.type == .link || column.countsBacklinks)
            && (hasDeletions || !replacedByTheirs.isEmpty)
    }

    func target(of link: LinkTarget) -> LinkTarget? {
        isGone(link)
            ? nil : LinkTarget(table: link.table, key: key(link.key, in: link.table))
    }

    var hasDeletions: Bool { mine.hasDeletions || theirs.hasDeletions }

    /// Compares new rows of my side with new rows of theirs.
    var contentComparison: ContentComparison {
        ContentComparison(
            first: { [mine] in mine.tables[$0]?.inserted },
            second: { [theirs] in theirs.tables[$0]?.inserted }, catalog: catalog)
    }

    // MARK: Schemas

    /// Removes what my side changed in tables and columns that their version does not have, and
    /// reports each.
    private func removeWhatTargetLacks() {
        for id in minesTables {
            guard var table = mine.tables[id] else { continue }
            guard let definition = catalog[id] else {
                loseMine(Conflict(kind: .missing, table: id))
                mine.tables[id] = nil
                continue
            }
            var missing: Set<ColumnID> = []
            for column in table.definition.columns {
                let known = definition[column.id]
                if known?.type == column.type, known?.collection == column.collection { continue }
                missing.insert(column.id)
                let isUsed =
                    table.columns[column.id] != nil
                    || table.inserted.columns[column.id]?.contains { $0 != column.initialValue }
                        ?? false
                if isUsed {
                    loseMine(Conflict(kind: .missing, table: id, column: column.id))
                }
                table.columns[column.id] = nil
            }
            if !missing.isEmpty {
                table.inserted = ChangeSet.Rows(
                    keys: table.inserted.keys,
                    columns: table.inserted.columns.filter { !missing.contains($0.key) })
            }
            table.definition = definition
            mine.tables[id] = table.isEmpty ? nil : table
        }
        for id in theirs.tables.keys {
            if let definition = catalog[id] { theirs.tables[id]?.definition = definition }
        }
    }

    private func loseMine(_ conflict: Conflict) {
        switch settle(conflict) {
        case .theirs, nil: break
        case .mine, .value:
            preconditionFailure("What their version has no column for cannot be kept.")
        }
    }
}

extension ChangeSet {
    var hasDeletions: Bool { tables.values.contains { !$0.deleted.isEmpty } }
}
