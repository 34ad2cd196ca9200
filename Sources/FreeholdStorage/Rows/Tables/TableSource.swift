/// An object with tables: a ``Snapshot``, or a ``WriteSet`` on top of one.
package class TableSource: @unchecked Sendable {
    // Sendable: see the two subclasses.

    package init() {}

    /// The table with this id, which must be in the catalog. O(1) after the first call.
    package func table(_ id: TableID) -> TableView { fatalError("abstract") }

    /// The catalog, with the changes of a write set.
    package var currentCatalog: Catalog { fatalError("abstract") }

    /// The snapshot itself, or the one that a write set changes.
    package var storedVersion: Snapshot { fatalError("abstract") }

    /// A key greater than all that a table has used; 0 for an unknown table.
    package func nextRowKey(of table: TableID) -> Int64 { fatalError("abstract") }
}
