/// What a column of collections holds in each row. The raw values are part of the file format.
package struct StoredCollectionKind: Hashable, Sendable {
    package enum Shape: UInt8, Sendable {
        /// Any elements in an order of their own.
        case list = 1
        /// Different elements in ascending order.
        case set = 2
        /// Elements under different texts, in ascending order of these.
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
