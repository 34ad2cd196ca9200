/// Tables that Freehold keeps for itself, in the same databases as those of classes. No class
/// has such a name.
extension TableDefinition {
    /// Whether the table is not a class's, so that whatever lists classes leaves it out.
    ///
    /// Bytes are compared, because each commit asks this of all tables.
    package var isInternal: Bool { Self.isInternal(name) }

    /// Whether a table of that name is not a class's.
    package static func isInternal(_ name: String) -> Bool {
        name.utf8.starts(with: internalPrefix.utf8)
    }

    /// What the names of internal tables begin with.
    package static let internalPrefix = "Freehold."
    /// The only column of those that have records of bytes.
    package static let recordColumn = ColumnID(rawValue: 1)
    static let historyName = "Freehold.History"
    /// In a snapshot of an upstream, until it is opened as a shared file.
    package static let sharedSnapshotName = "Freehold.SharedSnapshot"
    /// The state of sharing: which realm, which commits.
    package static let sharingName = "Freehold.Sharing"
    package static let sharingPrefix = "Freehold.Sharing."
    /// The commits that wait to be pushed.
    package static let sharingOutboxName = "Freehold.Sharing.Outbox"
    /// The last commit of each client that is in the file.
    package static let sharingClientsName = "Freehold.Sharing.Clients"
    /// What the program is to be told of.
    package static let sharingRejectionsName = "Freehold.Sharing.Rejections"
}

extension Catalog {
    /// The tables of classes. O(tables).
    package var classTables: [TableDefinition] { tables.filter { !$0.isInternal } }

    /// The table of the history; nil if the file keeps none. O(tables).
    package var history: TableDefinition? { self[TableDefinition.historyName] }

    /// Whether the file is shared with other machines. O(tables).
    package var isShared: Bool {
        self[TableDefinition.sharingOutboxName] != nil
            || self[TableDefinition.sharedSnapshotName] != nil
    }

    /// Whether the file is a snapshot of an upstream that no client has opened yet. O(tables).
    package var isSharedSnapshot: Bool { self[TableDefinition.sharedSnapshotName] != nil }

    /// The tables that each commit adds to, if the file has them. O(tables).
    package var writtenByCommits: (history: TableDefinition?, outbox: TableDefinition?) {
        var found: (history: TableDefinition?, outbox: TableDefinition?) = (nil, nil)
        for table in tables where table.isInternal {
            if table.name == TableDefinition.historyName { found.history = table }
            if table.name == TableDefinition.sharingOutboxName { found.outbox = table }
        }
        return found
    }
}
