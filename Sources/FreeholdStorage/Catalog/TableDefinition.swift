/// One table, as the catalog keeps it.
package struct TableDefinition: Hashable, Sendable {
    package let id: TableID
    package var name: String
    /// In ascending order of their ids.
    package var columns: [ColumnDefinition]
    package var primaryKey: ColumnID?
    /// Whether each row is the target of exactly one link, its owner's, and is deleted with its owner.
    package var isOwned = false
    /// The id that the next new column gets; ids of removed columns are not used again.
    package var nextColumnID: UInt16

    package init(id: TableID, name: String, columns: [ColumnDefinition], primaryKey: ColumnID?, isOwned: Bool = false, nextColumnID: UInt16) {
        self.id = id
        self.name = name
        self.columns = columns
        self.primaryKey = primaryKey
        self.isOwned = isOwned
        self.nextColumnID = nextColumnID
    }

    package subscript(id: ColumnID) -> ColumnDefinition? { columns.first { $0.id == id } }

    package subscript(name: String) -> ColumnDefinition? { columns.first { $0.name == name } }

    /// Whether the value of the primary key is the row key itself: a primary key of integers that cannot be null.
    ///
    /// Such a column is stored nowhere else: its ``ColumnView`` is that of the row keys.
    package var usesPrimaryKeyAsRowKey: Bool {
        guard let primaryKey, let column = self[primaryKey] else { return false }
        return column.type == .integer && !column.isNullable
    }

    /// Whether a row may have collections, or mixed values.
    var hasElements: Bool { columns.contains { $0.elements != nil || $0.type == .mixed } }

    /// Columns with an index, ordered or of words, the primary key included where it has one of its own.
    package var indexedColumns: [ColumnDefinition] {
        columns.filter { column in
            if column.id == primaryKey { return !usesPrimaryKeyAsRowKey }
            return column.isIndexed || column.isFullText
        }
    }
}
