/// One column of a table, as the catalog keeps it.
package struct ColumnDefinition: Hashable, Sendable {
    package let id: ColumnID
    package var name: String
    package var type: ColumnType
    package var isNullable: Bool
    /// Whether the column has an ordered index. Links are always indexed: the index is their backlinks.
    package var isIndexed: Bool
    /// The table that links point to; nil for every other type.
    package var target: TableID?

    package init(id: ColumnID, name: String, type: ColumnType, isNullable: Bool, isIndexed: Bool, target: TableID? = nil) {
        self.id = id
        self.name = name
        self.type = type
        self.isNullable = isNullable
        self.isIndexed = isIndexed || type == .link
        self.target = target
    }
}
