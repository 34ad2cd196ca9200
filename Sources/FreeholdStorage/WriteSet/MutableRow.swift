/// A row that can be written. Valid until rows of its table are added or removed.
package struct MutableRow {
    package let table: MutableTable
    package let cluster: MutableCluster
    package let row: Int

    @inlinable
    package init(table: MutableTable, cluster: MutableCluster, row: Int) {
        self.table = table
        self.cluster = cluster
        self.row = row
    }

    package var key: RowKey { cluster.key(at: row) }

    package func setNull(_ column: ColumnID) {
        forgetBlob(column)
        table.writeSet.noteChange()
        cluster.setNull(column.position, row)
    }

    /// Sets an integer, or a link to the row of this key.
    package func setInteger(_ column: ColumnID, _ value: Int64) {
        table.writeSet.noteChange()
        cluster.setInteger(column.position, row, value)
    }

    package func setBoolean(_ column: ColumnID, _ value: Bool) {
        table.writeSet.noteChange()
        cluster.setBoolean(column.position, row, value)
    }

    package func setFloat(_ column: ColumnID, _ value: Float) {
        table.writeSet.noteChange()
        cluster.setFloat(column.position, row, value)
    }

    /// Sets a double or a timestamp.
    package func setDouble(_ column: ColumnID, _ value: Double) {
        table.writeSet.noteChange()
        cluster.setDouble(column.position, row, value)
    }

    package func setFixed12(_ column: ColumnID, _ value: (UInt64, UInt32)) {
        table.writeSet.noteChange()
        cluster.setFixed12(column.position, row, value)
    }

    package func setFixed16(_ column: ColumnID, _ value: (UInt64, UInt64)) {
        table.writeSet.noteChange()
        cluster.setFixed16(column.position, row, value)
    }

    /// Sets text or bytes; long values go to the blob database.
    package func setBytes(_ column: ColumnID, _ value: UnsafeRawBufferPointer) {
        table.writeSet.noteChange()
        if value.count > table.layout.longestInlineValue {
            table.setBlob(ContiguousArray(value), column: column, rowKey: key.rawValue)
            withUnsafeBytes(of: UInt64(value.count)) { cluster.setHeapBytes(column.position, row, $0, isBlob: true) }
        } else {
            forgetBlob(column)
            cluster.setHeapBytes(column.position, row, value, isBlob: false)
        }
    }

    @inline(__always)
    private func forgetBlob(_ column: ColumnID) {
        if cluster.columns[column.position].isBlob(at: row) { table.setBlob(nil, column: column, rowKey: key.rawValue) }
    }
}
