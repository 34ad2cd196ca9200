/// One column of a table, as stored in the catalog.
package struct ColumnDefinition: Hashable, Sendable {
    package let id: ColumnID
    package var name: String
    /// The type of the values; `bytes` in a column of collections, whose values are
    /// ``CollectionCell``s.
    package var type: ColumnType
    /// The kind of the collections and their elements; nil in a column of single values.
    package var collection: StoredCollectionKind?
    package var isNullable: Bool
    /// Whether the column has an ordered index. A column that can hold links always has one: it
    /// stores the backlinks.
    package var isIndexed: Bool
    /// Whether the column, of text, has a word index instead of an ordered one.
    package var isFullText = false
    /// The table that links point to; nil for every other type, and for mixed values, which can
    /// link to any table.
    package var target: TableID?

    package init(
        id: ColumnID, name: String, type: ColumnType, isNullable: Bool, isIndexed: Bool,
        target: TableID? = nil
    ) {
        self.id = id
        self.name = name
        self.type = type
        self.isNullable = isNullable
        self.target = target
        self.isIndexed = isIndexed || type == .link || type == .mixed
    }

    /// Creates a column of collections, which is empty in rows older than the column.
    package init(
        id: ColumnID, name: String, collection: StoredCollectionKind, target: TableID? = nil
    ) {
        self.init(
            id: id, name: name, type: .bytes, isNullable: false, isIndexed: collection.carriesLinks,
            target: target)
        self.collection = collection
    }

    /// Whether one row may link to many rows, so that its backlinks count its links to each.
    package var countsBacklinks: Bool { collection?.carriesLinks ?? (type == .mixed) }

    /// Whether the column can be a primary key, for which each value must be found exactly.
    var canBePrimaryKey: Bool { collection == nil && !isFullText && type.canBePrimaryKey }

    /// Whether all links point to one table.
    var hasTarget: Bool { (collection?.type ?? type) == .link }
}
