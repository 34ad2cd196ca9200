/// A row that can be written. Valid until rows of its table are added or removed.
///
/// Also a writable element of a collection (``MutableStoredCollection``), valid until that
/// collection
/// changes. In that case the table is the one with the collection's column, the cluster is a
/// leaf, and there is no row key.
package struct MutableRow {
    package let table: MutableTable
    package let cluster: MutableCluster
    package let row: Int

    package init(table: MutableTable, cluster: MutableCluster, row: Int) {
        self.table = table
        self.cluster = cluster
        self.row = row
    }

    package var key: RowKey { cluster.key(at: row) }

    package func setNull(_ column: ColumnID) {
        forgetBlob(column)
        table.counters.values &+= 1
        cluster.setNull(column.position, row)
    }

    /// Sets an integer, or a link to the row with this key.
    package func setInteger(_ column: ColumnID, _ value: Int64) {
        table.counters.values &+= 1
        cluster.setInteger(column.position, row, value)
    }

    package func setBoolean(_ column: ColumnID, _ value: Bool) {
        table.counters.values &+= 1
        cluster.setBoolean(column.position, row, value)
    }

    package func setFloat(_ column: ColumnID, _ value: Float) {
        table.counters.values &+= 1
        cluster.setFloat(column.position, row, value)
    }

    /// Sets a double or a timestamp.
    package func setDouble(_ column: ColumnID, _ value: Double) {
        table.counters.values &+= 1
        cluster.setDouble(column.position, row, value)
    }

    package func setFixed12(_ column: ColumnID, _ value: (UInt64, UInt32)) {
        table.counters.values &+= 1
        cluster.setFixed12(column.position, row, value)
    }

    package func setFixed16(_ column: ColumnID, _ value: (UInt64, UInt64)) {
        table.counters.values &+= 1
        cluster.setFixed16(column.position, row, value)
    }

    /// Sets the value of another column's row, which is not null. Not of layouts with a heap.
    package func copy(_ column: ColumnID, _ view: ColumnView, _ row: Int, _ layout: ColumnLayout) {
        switch layout {
        case .integers: setInteger(column, view.integer(at: row))
        case .bits: setBoolean(column, view.boolean(at: row))
        case .floats: setFloat(column, view.float(at: row))
        case .doubles: setDouble(column, view.double(at: row))
        case .fixed12: setFixed12(column, view.fixed12(at: row))
        case .fixed16: setFixed16(column, view.fixed16(at: row))
        case .heap: preconditionFailure("Values in a heap are copied with what they refer to.")
        }
    }

    /// Sets text or bytes; long values are stored in the blob database.
    package func setBytes(_ column: ColumnID, _ value: UnsafeRawBufferPointer) {
        table.counters.values &+= 1
        if value.count > table.layout.longestInlineValue, !cluster.kinds.isLeaf {
            table.setBlob(ContiguousArray(value), column: column, rowKey: key.rawValue)
            withUnsafeBytes(of: UInt64(value.count)) {
                cluster.setHeapBytes(column.position, row, $0, isBlob: true)
            }
        } else {
            forgetBlob(column)
            cluster.setHeapBytes(column.position, row, value, isBlob: false)
        }
    }

    /// Sets a mixed value (``MixedValue``); nil for none.
    package func setMixed(_ column: ColumnID, _ value: UnsafeRawBufferPointer?) {
        table.noteMixed(column, cluster, row, -1)
        guard let value else { return setNull(column) }
        let owner = key.rawValue
        MixedValue.forEachLink(in: value) { table.noteLink(column, from: owner, to: $0, 1) }
        setBytes(column, value)
    }

    @inline(__always)
    private func forgetBlob(_ column: ColumnID) {
        if cluster.columns[column.position].isBlob(at: row) {
            table.setBlob(nil, column: column, rowKey: key.rawValue)
        }
    }
}
