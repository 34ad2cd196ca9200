/// What leads from one state of the tables to another one, without either: a step of undo.
///
/// It knows what it expects of the state that it begins with. So it can be applied to any later
/// state, and what others changed in between is found (``merge(into:resolving:)``). Keeps no
/// version of the file. Any thread may use it.
package struct DetachedChanges: Sendable {
    package internal(set) var changes: ChangeSet
    /// What is expected of the rows that `changes` are about.
    var base: BaseExcerpt

    /// Compares two states. O(changes + elements of changed lists + rows that are linked to).
    ///
    /// - Parameters:
    ///   - start: The state that the changes are later applied to.
    ///   - end: The state that they lead to.
    /// - Throws: As ``VersionDifference/init(from:to:)``.
    package init(from start: TableSource, to end: TableSource) throws(StorageError) {
        changes = ChangeSet(try VersionDifference(from: start, to: end))
        base =
            changes.isEmpty
            ? BaseExcerpt(tables: [:])
            : try BaseExcerpt(of: start, for: changes, hasAllColumns: false)
    }

    package var isEmpty: Bool { changes.isEmpty }

    /// Whether the classes are still those that the changes were made with. Columns may have been
    /// added. O(columns).
    package func fits(_ catalog: Catalog) -> Bool {
        changes.tables.allSatisfy { id, table in
            catalog[id].map { table.definition.isPart(of: $0) } ?? false
        }
    }

    /// Merges the changes with those that others made since their beginning.
    ///
    /// Where others deleted a row, `mine` does not settle the conflict: its values are gone.
    ///
    /// - Parameters:
    ///   - target: Holds the later state. Is not changed: see ``WriteSet/apply(_:)``.
    ///   - automaticKeys: The tables whose added rows get other primary keys where these are taken.
    ///   - counters: The integers in which both sides' differences are added.
    ///   - resolve: Settles a conflict; nil leaves it. Here the changes' side is mine.
    package func merge(
        into target: WriteSet, automaticKeys: Set<TableID> = [],
        counters: Counters = Counters(),
        resolving resolve: @escaping (Conflict) -> Resolution? = { _ in nil }
    ) throws(StorageError) -> ThreeWayMerge {
        let theirs = try ChangeSet(of: target, since: base, for: changes)
        // Then rows return with their keys, which a merge may give to others.
        if theirs.isEmpty, canInsertRows(into: target) { return ThreeWayMerge(unmerged: changes) }
        return try ThreeWayMerge(
            mine: changes, theirs: theirs, into: target, automaticKeys: automaticKeys,
            counters: counters
        ) { conflict in
            let resolution = resolve(conflict)
            switch conflict.kind {
            case .deletedAndChanged(by: .theirs), .linkToDeleted(by: .theirs):
                return resolution == .mine ? nil : resolution
            default: return resolution
            }
        }
    }

    private func canInsertRows(into target: WriteSet) -> Bool {
        changes.tables.allSatisfy { id, table in
            if table.inserted.isEmpty { return true }
            let rows = target.table(id)
            return !table.inserted.keys.contains { rows.contains(RowKey(rawValue: $0)) }
        }
    }
}

extension TableDefinition {
    /// Whether values of this table can be stored in another one, which may have more columns.
    fileprivate func isPart(of other: TableDefinition) -> Bool {
        primaryKey == other.primaryKey && isOwned == other.isOwned
            && hasOwnKeys == other.hasOwnKeys
            && columns.allSatisfy { column in
                guard let known = other[column.id] else { return false }
                return known.type == column.type && known.collection == column.collection
                    && known.isNullable == column.isNullable && known.target == column.target
            }
    }
}
