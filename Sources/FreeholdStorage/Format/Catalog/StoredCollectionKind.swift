/// The kind of collection that a column holds in each row. The raw values are part of the file
/// format.
package struct StoredCollectionKind: Hashable, Sendable {
    package enum Shape: UInt8, Sendable {
        /// Elements in any order, which the program chooses.
        case list = 1
        /// Distinct elements in ascending order.
        case set = 2
        /// Elements under distinct text keys, in ascending order of the keys.
        case map = 3
    }

    package let shape: Shape
    /// The type of the elements.
    package let type: ColumnType
    /// Whether an element can be null.
    package let isNullable: Bool

    package init(_ shape: Shape, of type: ColumnType, isNullable: Bool) {
        self.shape = shape
        self.type = type
        self.isNullable = isNullable
    }

    /// Whether elements may link to rows.
    package var carriesLinks: Bool { type == .link || type == .mixed }
}
