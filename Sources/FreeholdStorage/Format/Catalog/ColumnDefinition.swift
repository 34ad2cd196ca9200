/// One column of a table, as the catalog keeps it.
package struct ColumnDefinition: Hashable, Sendable {
    package let id: ColumnID
    package var name: String
    /// The type of the values; of a column of collections: `bytes`, which are ``CollectionCell``s.
    package var type: ColumnType
    /// What the elements are, in a column of collections.
    package var elements: StoredCollectionKind?
    package var isNullable: Bool
    /// Whether the column has an ordered index. What may link is always indexed: the index is
    /// the backlinks.
    package var isIndexed: Bool
    /// Whether the column, of text, has an index of its words in the place of an ordered one.
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

    /// A column of collections, empty in rows that are older than it.
    package init(id: ColumnID, name: String, elements: StoredCollectionKind, target: TableID? = nil) {
        self.init(
            id: id, name: name, type: .bytes, isNullable: false, isIndexed: elements.carriesLinks,
            target: target)
        self.elements = elements
    }

    /// Whether a row may link to any number of rows, so that its backlinks count how often it
    /// links to each.
    package var countsBacklinks: Bool { elements?.carriesLinks ?? (type == .mixed) }

    /// Whether its values can be those of a primary key, which one value finds exactly.
    var canBePrimaryKey: Bool {
        elements == nil && !isFullText && type.canBePrimaryKey
    }

    /// Whether all links point to one table.
    var hasTarget: Bool { (elements?.type ?? type) == .link }
}
