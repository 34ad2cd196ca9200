/// The tables of sharing, as a change of the transaction.
extension WriteSet {
    /// The columns of the clients' table: its primary key, and the last number of a commit.
    package static let sharingClient = ColumnID(rawValue: 1)
    package static let sharingSequence = ColumnID(rawValue: 2)

    /// Makes the commits from this one on keep what they change for other machines.
    package func beginSharing() {
        for name in [
            TableDefinition.sharingName, TableDefinition.sharingOutboxName,
            TableDefinition.sharingRejectionsName,
        ] where catalog[name] == nil {
            createRecordTable(named: name)
        }
        if catalog[TableDefinition.sharingClientsName] == nil {
            let id = createTable(named: TableDefinition.sharingClientsName)
            let client = addColumn(
                to: id, named: "client", type: .fixed16, isNullable: false, isIndexed: true)
            _ = addColumn(
                to: id, named: "sequence", type: .integer, isNullable: false, isIndexed: false)
            setPrimaryKey(client, of: id)
        }
    }

    /// Whether the file is shared. O(tables).
    package var isShared: Bool { catalog.isShared }

    /// Makes the file an ordinary one.
    package func endSharing() {
        isFromUpstream = true
        for table in catalog.tables
        where table.name == TableDefinition.sharingName
            || table.name.hasPrefix(TableDefinition.sharingPrefix)
        {
            dropInternalTable(table.id)
        }
    }
}

/// A column of a row.
package struct CellOfRow: Hashable, Sendable {
    package let table: TableID
    package let row: Int64
    package let column: ColumnID

    package init(table: TableID, row: Int64, column: ColumnID) {
        self.table = table
        self.row = row
        self.column = column
    }
}
