import FreeholdStorage

/// Makes the objects of a transaction those of another file: values that differ are set, objects
/// that are not there are deleted.
struct SharedTransition {
    private let applier: SharedApplier
    private let theirs: SharedRows?
    private static let batch = 1000

    init(_ applier: SharedApplier, to theirs: SharedRows?) {
        self.applier = applier
        self.theirs = theirs
    }

    func run() throws {
        let mine = SharedRows(applier.writeSet)
        var gone: [SharedReference] = []
        try mine.forEachObject { object, _, _ in
            guard let theirs, let table = theirs.table(object.className), table.sharedKey != nil,
                try theirs.row(of: object, in: table) != nil
            else {
                gone.append(object)
                return
            }
        }
        try apply(deleting: gone)
        guard let theirs else { return }
        var added: [SharedCommit.Insertion] = []
        try theirs.forEachObject { object, _, _ in
            if let table = mine.table(object.className), try mine.row(of: object, in: table) != nil
            {
                return
            }
            added.append(.init(object, [:]))
            if added.count >= Self.batch {
                try apply(inserting: added)
                added = []
            }
        }
        try apply(inserting: added)
        var changed: [SharedCommit.Update] = []
        try theirs.forEachObject { object, row, table in
            guard let own = mine.table(object.className), let place = try mine.row(of: object, in: own)
            else { return }
            let (old, new) = (mine.values(place, of: own), theirs.values(row, of: table))
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
        try apply(updating: changed)
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
