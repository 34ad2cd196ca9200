/// Merges the changes that two sides made to one base.
///
/// What does not overlap merges silently: row by row, column by column; lists by their edits, sets
/// by their elements, maps by their keys, nested collections likewise. Equal changes are made
/// once. All else is a ``Conflict``.
///
/// Rules that are no plain comparison:
///
/// - **Links to deleted rows.** A link that became null, or left a collection, because its side
///   deleted the target is a consequence, not a change. It stands or falls with the deletion.
/// - **Owned rows** travel with their owner. One that its side replaced by another one counts as
///   edited, and keeps its place in the merge.
/// - **New rows** of my side get other row keys where theirs has used these (``newRows``), and
///   every link of my side follows.
/// - **Primary keys.** Two new rows with the same one are one row, if all their values are equal.
///   Rows of a table with automatic keys are two, and mine get other keys.
/// - **Counters** add the differences of both sides.
///
/// Needs the change sets and a write set that holds theirs. Costs what the changes cost.
package struct ThreeWayMerge: Sendable {
    /// The conflicts that were not settled. There ``changes`` keep what theirs has.
    package let conflicts: [Conflict]
    /// What makes theirs the merged version.
    package let changes: ChangeSet
    /// The rows of my side with other keys in the merged version: new rows whose keys were taken,
    /// and those that are the same row as one of theirs.
    package let newRows: [TableID: [Int64: Int64]]
    /// The new rows of my side that the merged version lacks.
    package let droppedRows: [TableID: Set<Int64>]
    /// The rows that my side deleted, and that the merged version has.
    package let keptRows: [TableID: Set<Int64>]

    /// - Parameters:
    ///   - base: The version that both sides began with.
    ///   - mine, theirs: The two sides. Theirs is what `target` holds.
    ///   - target: Is read, and not changed: see ``WriteSet/apply(_:deletingRows:)``.
    ///   - automaticKeys: The tables whose integer primary keys were assigned automatically.
    ///   - counters: The integers in which both sides' differences are added.
    ///   - resolve: Settles a conflict; nil leaves it. Called once for each, in no particular
    ///     order.
    package init(
        base: TableSource, mine: TableSource, theirs: TableSource, into target: WriteSet,
        automaticKeys: Set<TableID> = [], counters: Counters = Counters(),
        resolving resolve: @escaping (Conflict) -> Resolution? = { _ in nil }
    ) throws(StorageError) {
        let changes = ChangeSet(try VersionDifference(from: base, to: mine))
        let tables = Self.tablesToRead(for: changes, in: base.currentCatalog)
        let others = ChangeSet(
            try VersionDifference(from: base, to: theirs), tables: tables, toMergeWith: changes)
        try self.init(
            mine: changes, theirs: others, into: target, automaticKeys: automaticKeys,
            counters: counters, resolving: resolve)
    }

    /// - Parameter theirs: May lack all tables but ``tablesToRead(for:in:)``.
    package init(
        mine: ChangeSet, theirs: ChangeSet, into target: WriteSet,
        automaticKeys: Set<TableID> = [], counters: Counters = Counters(),
        resolving resolve: @escaping (Conflict) -> Resolution? = { _ in nil }
    ) throws(StorageError) {
        let merger = Merger(
            mine: mine, theirs: theirs, target: target, automaticKeys: automaticKeys,
            counters: counters, resolve: resolve)
        try merger.merge()
        conflicts = merger.conflicts
        changes = merger.output.changeSet(in: target)
        newRows = merger.newRows.filter { !$0.value.isEmpty }
        droppedRows = merger.droppedRows
        keptRows = merger.kept.reduce(into: [:]) { $0[$1.table, default: []].insert($1.key) }
    }

    /// Changes that need no merge: theirs changed nothing that matters to them.
    init(unmerged changes: ChangeSet) {
        conflicts = []
        self.changes = changes
        newRows = [:]
        droppedRows = [:]
        keptRows = [:]
    }

    /// The tables of which a merge must know what theirs changed: those that my side changed or
    /// linked to, those whose rows own such rows or are owned by them, and those whose rows may
    /// link to any of these. O(changes + columns of the catalog).
    package static func tablesToRead(for changes: ChangeSet, in catalog: Catalog) -> Set<TableID> {
        var found: Set<TableID> = []
        for (id, table) in changes.tables {
            found.insert(id)
            for column in table.definition.columns {
                if let target = column.target {
                    found.insert(target)
                } else if column.countsBacklinks {
                    table.forEachNewLink(of: column) { found.insert($0.table) }
                }
            }
        }
        // An owned row is changed, deleted and restored together with its owner.
        var isGrowing = true
        while isGrowing {
            let count = found.count
            for table in catalog.tables {
                for column in table.columns {
                    guard let target = column.target, catalog[target]?.isOwned ?? false else {
                        continue
                    }
                    if found.contains(target) { found.insert(table.id) }
                    if found.contains(table.id) { found.insert(target) }
                }
            }
            isGrowing = found.count > count
        }
        // A deleted row that returns gets back its links, and deleting one takes new ones away.
        let targets = found
        for table in catalog.tables where !found.isEmpty {
            let mayLink = table.columns.contains { column in
                column.target.map { targets.contains($0) } ?? column.countsBacklinks
            }
            if mayLink { found.insert(table.id) }
        }
        return found
    }
}
