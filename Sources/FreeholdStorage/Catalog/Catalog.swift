/// The tables of a file at one version: names, columns and ids.
package struct Catalog: Hashable, Sendable {
    /// In ascending order of their ids.
    package var tables: [TableDefinition] = []
    /// The id that the next new table gets; ids of removed tables are not used again.
    package var nextTableID: UInt32 = 1
    /// The schema version that the program declares for its model; nil in a file that has none yet.
    package var schemaVersion: UInt64?

    package init() {}

    package subscript(id: TableID) -> TableDefinition? { tables.first { $0.id == id } }

    package subscript(name: String) -> TableDefinition? { tables.first { $0.name == name } }
}
