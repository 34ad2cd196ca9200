/// The type of each column of a table by position, for hot code that must not search the
/// definition.
package struct ColumnKinds: Sendable {
    package struct Kind: Sendable {
        let type: ColumnType
        let isNullable: Bool
        /// Whether the column is an alias of the row keys and stored nowhere else.
        let isRowKey: Bool
    }

    /// Nil at the positions of removed columns.
    let byPosition: ContiguousArray<Kind?>
    private let indexed: ContiguousArray<Bool>
    /// The position of a primary key that is the row key; nil if rows have their own keys.
    let rowKeyAlias: Int?
    /// Whether the rows are the elements of a collection, which have no row keys and store
    /// values of any length inline.
    let isLeaf: Bool

    /// - Parameter retired: Columns that have left the definition, whose values remain readable
    ///   until the transaction ends.
    package init(_ definition: TableDefinition, retired: [ColumnDefinition] = []) {
        let alias = definition.usesPrimaryKeyAsRowKey ? definition.primaryKey?.position : nil
        var kinds = ContiguousArray<Kind?>(repeating: nil, count: Int(definition.nextColumnID))
        kinds[0] = Kind(type: .integer, isNullable: false, isRowKey: false)
        for column in definition.columns + retired {
            kinds[column.id.position] = Kind(
                type: column.type, isNullable: column.isNullable,
                isRowKey: column.id.position == alias)
        }
        byPosition = kinds
        var indexed = ContiguousArray<Bool>(repeating: false, count: kinds.count)
        for column in definition.indexedColumns where !column.isFullText {
            indexed[column.id.position] = true
        }
        self.indexed = indexed
        rowKeyAlias = alias
        isLeaf = false
    }

    /// Creates the columns of a leaf, at the positions that ``CollectionLeaf`` defines.
    init(leafOf kind: StoredCollectionKind) {
        let values = Kind(type: kind.type, isNullable: kind.isNullable, isRowKey: false)
        byPosition =
            kind.shape == .map
            ? [nil, values, Kind(type: .text, isNullable: false, isRowKey: false)] : [nil, values]
        indexed = []
        rowKeyAlias = nil
        isLeaf = true
    }

    var count: Int { byPosition.count }

    /// Whether the column has an ordered index. O(1).
    func isIndexed(_ column: ColumnID) -> Bool {
        column.position < indexed.count && indexed[column.position]
    }
}
