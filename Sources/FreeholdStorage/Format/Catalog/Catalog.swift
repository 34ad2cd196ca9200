/// The tables of a file at one version: names, columns and ids.
package struct Catalog: Hashable, Sendable {
    /// In ascending order of their ids.
    package var tables: [TableDefinition] = []
    /// The id for the next new table; ids of removed tables are not reused.
    package var nextTableID: UInt32 = 1
    /// The schema version that the program declares for its model; nil if the file has none
    /// yet.
    package var schemaVersion: UInt64?

    /// The longest name of a table or a column, in bytes: the length is stored in two.
    package static let longestName = Int(UInt16.max)

    package init() {}

    /// The table with an id. O(log tables).
    package subscript(id: TableID) -> TableDefinition? { position(of: id).map { tables[$0] } }

    /// The index of a table in `tables`. O(log tables).
    func position(of id: TableID) -> Int? {
        let position = tables.indices.partitionPoint { tables[$0].id < id }
        return position < tables.count && tables[position].id == id ? position : nil
    }

    /// The table with a name. O(tables); for many look-ups, use ``positionsByName`` once.
    package subscript(name: String) -> TableDefinition? { tables.first { $0.name == name } }

    /// The indexes of the tables in `tables`, by name. O(tables).
    package var positionsByName: [String: Int] {
        Dictionary(uniqueKeysWithValues: tables.indices.lazy.map { (tables[$0].name, $0) })
    }
}
