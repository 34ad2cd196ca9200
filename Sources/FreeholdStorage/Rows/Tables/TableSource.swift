/// An object with tables: a ``Snapshot``, or a ``WriteSet`` on top of one.
package class TableSource: @unchecked Sendable {
    // Sendable: see the two subclasses.

    package init() {}

    /// The table with this id, which must be in the catalog. O(1) after the first call.
    package func table(_ id: TableID) -> TableView { fatalError("abstract") }
}
