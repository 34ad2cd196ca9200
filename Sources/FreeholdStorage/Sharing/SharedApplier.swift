/// Does the commits of a log to a transaction: on every machine the same.
///
/// Total: what does not fit is left out, and reported. A property that the file lacks is added; an
/// object that is gone is not changed any more; a link to an object that is not there is null,
/// and no element of a list or a set. Adding an object that is there changes the properties that
/// the insertion names.
///
/// Tell it of all commits first (``prepare(for:)``), because columns are added before rows
/// change.
package final class SharedApplier {
    package let writeSet: WriteSet
    private var rows: SharedRows
    private let cells: SharedCells

    package init(_ writeSet: WriteSet) {
        self.writeSet = writeSet
        rows = SharedRows(writeSet)
        cells = SharedCells(writeSet)
    }

    /// What became of a commit.
    package struct Outcome: Sendable {
        /// The commit that takes it back; nil unless it was asked for.
        package var undo: SharedCommit?
        package var leftOut: [LeftOut] = []
    }

    /// What a commit would have done, and did not.
    package struct LeftOut: Sendable, Hashable {
        package enum Reason: UInt8, Sendable, Hashable {
            /// The object was deleted.
            case isGone = 1
            /// The file has no such class or property, or one of another type.
            case doesNotFit = 2
        }

        package var object: SharedReference
        /// Nil for all of the object.
        package var property: String?
        package var reason: Reason

        package init(object: SharedReference, property: String? = nil, reason: Reason) {
            self.object = object
            self.property = property
            self.reason = reason
        }
    }

    // MARK: Schema

    /// Adds the classes and properties that the file lacks. Call it before anything is applied.
    package func prepare(for commits: some Sequence<SharedCommit>) {
        let isChanged = SharedSchema(writeSet).add(Self.classes(of: commits))
        if isChanged { rows = SharedRows(writeSet) }
    }

    /// As ``prepare(for:)``, and gives the classes of a migrated snapshot their form there. What
    /// has another one loses its values.
    package func prepare(
        for commits: some Sequence<SharedCommit>, adopting migrated: Catalog
    ) throws(StorageError) {
        try SharedSchema(writeSet).adopt(migrated, adding: Self.classes(of: commits))
        rows = SharedRows(writeSet)
    }

    private static func classes(of commits: some Sequence<SharedCommit>)
        -> [String: SharedCommit.Class]
    {
        var wanted: [String: SharedCommit.Class] = [:]
        for commit in commits {
            for (name, definition) in commit.classes {
                if wanted[name] == nil {
                    wanted[name] = definition
                } else {
                    wanted[name]?.properties.merge(definition.properties) { first, _ in first }
                }
            }
        }
        return wanted
    }

    // MARK: Applying

    package func apply(_ commit: SharedCommit, recordingUndo: Bool = false) throws(StorageError)
        -> Outcome
    {
        var outcome = Outcome()
        var undo = SharedUndo(rows)
        let doomed = try doomedRows(commit.deleted)
        if recordingUndo { try undo.willDelete(doomed) }
        for (id, keys) in doomed.sorted(by: { $0.key < $1.key }) {
            try writeSet.deleteRows(keys, of: id)
        }
        var targets: [(row: Int64, table: TableDefinition)?] = []
        var isNew: [Bool] = []
        for insertion in commit.inserted {
            guard let table = fitting(insertion.object, in: commit) else {
                outcome.leftOut.append(
                    LeftOut(object: insertion.object, reason: .doesNotFit))
                targets.append(nil)
                isNew.append(false)
                continue
            }
            if let known = try rows.row(of: insertion.object, in: table) {
                targets.append((known, table))
                isNew.append(false)
            } else {
                targets.append((cells.addRow(insertion.object, in: table), table))
                isNew.append(true)
                undo.inserted(insertion.object)
            }
        }
        for (index, insertion) in commit.inserted.enumerated() {
            guard let (row, table) = targets[index] else { continue }
            for (name, value) in insertion.values {
                guard let column = fitting(name, of: table, in: commit),
                    column.id != table.primaryKey, cells.fits(value, column)
                else {
                    outcome.leftOut.append(
                        LeftOut(object: insertion.object, property: name, reason: .doesNotFit))
                    continue
                }
                let old =
                    isNew[index]
                    ? column.initialShared : rows.value(row, column, of: table)
                if recordingUndo, !isNew[index] { undo.changed(insertion.object, name, old) }
                try set(row, column, of: table, from: old, to: value)
            }
        }
        for update in commit.updated {
            guard let table = fitting(update.object, in: commit) else {
                outcome.leftOut.append(LeftOut(object: update.object, reason: .doesNotFit))
                continue
            }
            guard let row = try rows.row(of: update.object, in: table) else {
                outcome.leftOut.append(LeftOut(object: update.object, reason: .isGone))
                continue
            }
            for (name, change) in update.changes {
                guard let column = fitting(name, of: table, in: commit),
                    column.id != table.primaryKey
                else {
                    outcome.leftOut.append(
                        LeftOut(object: update.object, property: name, reason: .doesNotFit))
                    continue
                }
                let old = rows.value(row, column, of: table)
                guard let new = change.applied(to: old), cells.fits(new, column) else {
                    outcome.leftOut.append(
                        LeftOut(object: update.object, property: name, reason: .doesNotFit))
                    continue
                }
                if recordingUndo { undo.changed(update.object, name, old) }
                try set(row, column, of: table, from: old, to: new)
            }
        }
        if recordingUndo { outcome.undo = undo.commit() }
        return outcome
    }

    private func doomedRows(_ objects: [SharedReference]) throws(StorageError) -> [TableID: [Int64]]
    {
        var doomed: [TableID: [Int64]] = [:]
        for object in objects {
            guard let table = rows.table(object.className),
                let row = try rows.row(of: object, in: table)
            else { continue }
            doomed[table.id, default: []].append(row)
        }
        return doomed.mapValues { $0.sorted() }
    }

    private func set(
        _ row: Int64, _ column: ColumnDefinition, of table: TableDefinition,
        from old: SharedValue, to new: SharedValue
    ) throws(StorageError) {
        var absent: Set<SharedReference> = []
        var failure: StorageError?
        new.forEachLink { target in
            do throws(StorageError) {
                if try !exists(target) { absent.insert(target) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        let new = absent.isEmpty ? new : new.withoutLinks { absent.contains($0) }
        if new != old { try cells.set(row, column, of: table, from: old, to: new) }
    }

    private func exists(_ object: SharedReference) throws(StorageError) -> Bool {
        guard let table = rows.table(object.className) else { return false }
        return try rows.row(of: object, in: table) != nil
    }

    // MARK: Fitting

    /// The table of an object; nil unless the file's class is the one of the commit.
    private func fitting(_ object: SharedReference, in commit: SharedCommit) -> TableDefinition? {
        guard let table = rows.table(object.className), let key = table.sharedKey,
            let definition = commit.classes[object.className], !definition.isEmbedded,
            definition.primaryKey == key.name, table.keyValue(object.key) != nil
        else { return nil }
        return table
    }

    private func fitting(_ name: String, of table: TableDefinition, in commit: SharedCommit)
        -> ColumnDefinition?
    {
        guard let column = table[name],
            let property = commit.classes[table.name]?.properties[name],
            property.fits(column, in: writeSet.catalog)
        else { return nil }
        return column
    }
}
