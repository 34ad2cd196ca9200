package final class WriteSet: TableSource, @unchecked Sendable {
    package var base: Snapshot { fatalError() }
    package var catalog: Catalog { fatalError() }
    package private(set) var layoutGeneration: UInt64 = 0
    override package func table(_ id: TableID) -> TableView { mutableTable(id) }
    package func mutableTable(_ id: TableID) -> MutableTable { fatalError() }
    package var hasChanges: Bool { fatalError() }
    // Schema changes that lose nothing. The ids are assigned here.
    package func createTable(named name: String) -> TableID { fatalError() }
    package func addColumn(to table: TableID, named name: String, type: ColumnType, isNullable: Bool, isIndexed: Bool, target: TableID?) -> ColumnID { fatalError() }
    package func setPrimaryKey(_ column: ColumnID?, of table: TableID) { fatalError() }
    package func setIndexed(_ isIndexed: Bool, column: ColumnID, of table: TableID) { fatalError() }
    package func setSchemaVersion(_ version: UInt64) { fatalError() }
}
