/// One table, as stored in the catalog.
package struct TableDefinition: Hashable, Sendable {
    package let id: TableID
    package var name: String
    /// In ascending order of their ids.
    package var columns: [ColumnDefinition]
    package var primaryKey: ColumnID?
    /// Whether each row is the target of exactly one link, its owner's, and is deleted with its
    /// owner.
    package var isOwned = false
    /// Whether rows have their own keys although the primary key is a non-nullable integer: it
    /// was added, or changed its values, when the table had rows.
    package var hasOwnKeys = false
    /// The id for the next new column; ids of removed columns are not reused.
    package var nextColumnID: UInt16

    /// The most columns that a table ever had: their ids have two bytes.
    package static let mostColumns = Int(UInt16.max) - 1
    /// Whether the table can have another column.
    package var hasRoomForColumn: Bool { Int(nextColumnID) <= Self.mostColumns }

    package init(
        id: TableID, name: String, columns: [ColumnDefinition], primaryKey: ColumnID?,
        isOwned: Bool = false, nextColumnID: UInt16
    ) {
        self.id = id
        self.name = name
        self.columns = columns
        self.primaryKey = primaryKey
        self.isOwned = isOwned
        self.nextColumnID = nextColumnID
    }

    /// The column with an id. O(log columns).
    package subscript(id: ColumnID) -> ColumnDefinition? { position(of: id).map { columns[$0] } }

    package subscript(name: String) -> ColumnDefinition? { columns.first { $0.name == name } }

    /// The index of a column in `columns`. O(log columns).
    func position(of id: ColumnID) -> Int? {
        let position = columns.indices.partitionPoint { columns[$0].id < id }
        return position < columns.count && columns[position].id == id ? position : nil
    }

    /// Whether the primary key is the row key itself: a non-nullable integer primary key,
    /// unless ``hasOwnKeys``.
    ///
    /// Such a column is not stored separately: its ``ColumnView`` is that of the row keys.
    package var usesPrimaryKeyAsRowKey: Bool {
        guard !hasOwnKeys, let primaryKey, let column = self[primaryKey] else { return false }
        return column.type == .integer && !column.isNullable
    }

    /// The columns with an ordered or word index, including the primary key if it has its own
    /// index.
    package var indexedColumns: [ColumnDefinition] {
        columns.filter { column in
            if column.id == primaryKey { return !usesPrimaryKeyAsRowKey }
            return column.isIndexed || column.isFullText
        }
    }
}
