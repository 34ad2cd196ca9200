/// Identifies a table for the life of the file; never reused.
@usableFromInline
package struct TableID: Hashable, Comparable, Sendable {
    @usableFromInline package let rawValue: UInt32

    @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }

    @inlinable package static func < (a: TableID, b: TableID) -> Bool { a.rawValue < b.rawValue }
}

/// Identifies a column inside its table for the life of the file; never reused.
///
/// The raw value is also the column's position in ``ClusterView/columns``. Position 0 holds the
/// row keys, so the first column of a table has the id 1.
@usableFromInline
package struct ColumnID: Hashable, Comparable, Sendable {
    @usableFromInline package let rawValue: UInt16

    @inlinable package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The row keys of a cluster, stored like a column.
    package static let rowKeys = ColumnID(rawValue: 0)

    @inlinable package static func < (a: ColumnID, b: ColumnID) -> Bool { a.rawValue < b.rawValue }

    /// The position in ``ClusterView/columns``.
    @inlinable package var position: Int { Int(rawValue) }
}

/// Identifies a row inside its table. Rows are stored in ascending order of their keys.
@usableFromInline
package struct RowKey: Hashable, Comparable, Sendable {
    @usableFromInline package let rawValue: Int64

    @inlinable package init(rawValue: Int64) { self.rawValue = rawValue }

    @inlinable package static func < (a: RowKey, b: RowKey) -> Bool { a.rawValue < b.rawValue }
}
