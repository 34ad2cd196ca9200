/// Tables that Freehold keeps for itself, in the same databases as those of classes. No class
/// has such a name.
extension TableDefinition {
    /// Whether the table is not a class's, so that whatever lists classes leaves it out.
    package var isInternal: Bool { name.hasPrefix(Self.internalPrefix) }

    /// What the names of internal tables begin with.
    package static let internalPrefix = "Freehold."
    static let historyName = "Freehold.History"
}

extension Catalog {
    /// The tables of classes. O(tables).
    package var classTables: [TableDefinition] { tables.filter { !$0.isInternal } }

    /// The table of the history; nil if the file keeps none. O(tables).
    package var history: TableDefinition? { self[TableDefinition.historyName] }
}
