/// Tables that Freehold keeps for itself, as a change of the transaction.
extension WriteSet {
    /// Adds a table whose only column, ``TableDefinition/recordColumn``, has records of bytes.
    @discardableResult
    package func createRecordTable(named name: String) -> TableID {
        let id = createTable(named: name)
        let column = addColumn(
            to: id, named: "bytes", type: .bytes, isNullable: false, isIndexed: false)
        precondition(
            column == TableDefinition.recordColumn, "The first column of a table has the id 1.")
        return id
    }

    /// Drops a table with its rows, to which no class links.
    package func dropInternalTable(_ id: TableID) {
        catalog.tables.removeAll { $0.id == id }
        tables[id] = nil
        counters.layout &+= 1
    }
}
