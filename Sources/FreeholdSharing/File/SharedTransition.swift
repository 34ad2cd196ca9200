import FreeholdStorage

/// Makes the objects of a transaction those of another version: values that differ are set, objects
/// that are not there are deleted. What is equal stays as it is: rows, embedded rows, elements.
struct SharedTransition {
    private let applier: SharedApplier
    private let mine: SharedRows
    private let theirs: SharedRows?
    private static let batch = 1000

    /// - Parameter theirs: Nil for a version without objects.
    init(_ applier: SharedApplier, to theirs: SharedRows?) {
        self.applier = applier
        mine = SharedRows(applier.writeSet)
        self.theirs = theirs
    }

    /// All objects of both sides. O(objects).
    func run() throws {
        var gone: [SharedReference] = []
        try mine.forEachObject { object, _, _ in
            if try place(of: object, in: theirs) == nil { gone.append(object) }
        }
        try apply(deleting: gone)
        guard let theirs else { return }
        var added: [SharedReference] = []
        try theirs.forEachObject { object, _, _ in
            if try place(of: object, in: mine) != nil { return }
            added.append(object)
            if added.count >= Self.batch { try insert(&added) }
        }
        try insert(&added)
        var changed: [SharedCommit.Update] = []
        try theirs.forEachObject { object, _, _ in try compare(object, &changed) }
        try apply(updating: changed)
    }

    /// Some objects only.
    ///
    /// - Parameter renewed: Those that were deleted on the way to the other version. If they are
    ///   there again, they are other objects, to which nothing links that linked before.
    func run(over objects: Set<SharedReference>, renewed: Set<SharedReference>) throws {
        var (gone, added): ([SharedReference], [SharedReference]) = ([], [])
        for object in objects {
            let isThere = try place(of: object, in: theirs) != nil
            let isHere = try place(of: object, in: mine) != nil
            let isRenewed = renewed.contains(object)
            if isHere, !isThere || isRenewed { gone.append(object) }
            if isThere, !isHere || isRenewed { added.append(object) }
        }
        try apply(deleting: gone)
        try insert(&added)
        var changed: [SharedCommit.Update] = []
        for object in objects { try compare(object, &changed) }
        try apply(updating: changed)
    }

    private func place(of object: SharedReference, in rows: SharedRows?) throws -> (
        row: Int64, table: TableDefinition
    )? {
        guard let rows, let table = rows.table(object.className), table.sharedKey != nil,
            let row = try rows.row(of: object, in: table)
        else { return nil }
        return (row, table)
    }

    /// Adds objects without values: those link to each other.
    private func insert(_ objects: inout [SharedReference]) throws {
        try apply(inserting: objects.map { .init($0, [:]) })
        objects = []
    }

    private func compare(_ object: SharedReference, _ changed: inout [SharedCommit.Update]) throws {
        guard let theirs, let (row, table) = try place(of: object, in: theirs),
            let (ownRow, own) = try place(of: object, in: mine)
        else { return }
        let (old, new) = (mine.values(ownRow, of: own), theirs.values(row, of: table))
        if old == new { return }
        var changes: [String: SharedCommit.Change] = [:]
        for column in own.columns where column.id != own.primaryKey {
            let value = new[column.name] ?? column.initialShared
            if old[column.name] ?? column.initialShared != value {
                changes[column.name] = .assign(value)
            }
        }
        if !changes.isEmpty { changed.append(.init(object, changes)) }
        if changed.count >= Self.batch {
            try apply(updating: changed)
            changed = []
        }
    }

    private func apply(
        deleting deleted: [SharedReference] = [], inserting: [SharedCommit.Insertion] = [],
        updating: [SharedCommit.Update] = []
    ) throws {
        var commit = SharedCommit()
        (commit.deleted, commit.inserted, commit.updated) = (deleted, inserting, updating)
        if commit.isEmpty { return }
        commit.define(by: applier.writeSet.catalog)
        _ = try applier.apply(commit)
    }
}

extension SharedCommit {
    /// A commit without changes that has all classes and properties of a file.
    init(defining catalog: Catalog) {
        self.init()
        for table in catalog.classTables where table.isOwned || table.sharedKey != nil {
            var definition = Class(isEmbedded: table.isOwned, primaryKey: table.sharedKey?.name)
            for column in table.columns {
                definition.properties[column.name] = Property(column, in: catalog)
            }
            classes[table.name] = definition
        }
    }
}
