package final class MutableTable: TableView, @unchecked Sendable {
    /// A key above all that the table ever used (tables whose primary key is not the row key).
    package func nextRowKey() -> RowKey { fatalError() }
    /// Adds a row whose columns are all null or zero. The key must not exist yet.
    package func insertRow(_ key: RowKey) -> MutableRow { fatalError() }
    /// Same, and registers the primary key's value so that lookups in this transaction find it.
    package func rowKey(forPrimaryKey value: IndexKey) throws(StorageError) -> RowKey? { fatalError() }
    package func notePrimaryKey(_ value: IndexKey, of key: RowKey) { fatalError() }
    /// An existing row, made writable.
    package func mutableRow(_ key: RowKey) -> MutableRow? { fatalError() }
    /// Deletes rows; keys without a row are ignored. Links to them become null.
    package func deleteRows(_ keys: [Int64]) throws(StorageError) { fatalError() }
    package func deleteAllRows() throws(StorageError) { fatalError() }
}

/// A row that can be written. Valid until rows are added or removed.
package struct MutableRow {
    package let table: MutableTable
    package let cluster: MutableCluster
    package let row: Int
    package var key: RowKey { cluster.key(at: row) }
    package init(table: MutableTable, cluster: MutableCluster, row: Int) { self.table = table; self.cluster = cluster; self.row = row }
    package func setNull(_ column: ColumnID) { fatalError() }
    package func setInteger(_ column: ColumnID, _ value: Int64) { fatalError() }   // also links: the target's row key
    package func setBoolean(_ column: ColumnID, _ value: Bool) { fatalError() }
    package func setFloat(_ column: ColumnID, _ value: Float) { fatalError() }
    package func setDouble(_ column: ColumnID, _ value: Double) { fatalError() }   // also timestamps
    package func setFixed12(_ column: ColumnID, _ value: (UInt64, UInt32)) { fatalError() }
    package func setFixed16(_ column: ColumnID, _ value: (UInt64, UInt64)) { fatalError() }
    package func setBytes(_ column: ColumnID, _ value: UnsafeRawBufferPointer) { fatalError() }   // text and bytes
}
