/// Up to some hundred consecutive rows of one table, as views of their columns.
///
/// A snapshot's cluster is immutable, and any number of threads may read it at once. A write
/// set's cluster is a ``MutableCluster`` and belongs to the thread, queue or actor that runs
/// the transaction. Either lives as long as the ``TableView`` that returned it: code that keeps
/// a pointer to its columns also keeps that table view.
@usableFromInline
package class ClusterView: @unchecked Sendable {
    // Sendable: immutable once published by a snapshot; the mutable subclass never leaves its
    // transaction.

    /// The smallest key that belongs to this cluster: its place in the table. Rows may start at
    /// a higher key.
    package internal(set) final var firstKey: Int64
    /// The number of rows.
    @exclusivity(unchecked)
    @usableFromInline package final var count: Int
    /// One view for each column id of the table, row keys first. In a cluster of an encrypted
    /// file, only requested views are ready: see ``columns`` and ``readyColumns``.
    @usableFromInline package final let unsafeColumns: UnsafeMutablePointer<ColumnView>
    /// The columns not yet decrypted, in a cluster of an encrypted file. Set before the cluster
    /// is published; owned.
    @exclusivity(unchecked)
    @usableFromInline package internal(set) final var deferredColumns: Unmanaged<DeferredColumns>?
    /// The number of entries of `columns`.
    package final let columnCount: Int
    /// Whether this is a ``MutableCluster``: a dirty cluster, which replaces a stored one in a
    /// write set.
    package final let isDirty: Bool
    /// Whether it may be written: a ``MutableCluster`` that is not frozen by a savepoint.
    @exclusivity(unchecked)
    @usableFromInline package internal(set) final var isMutable: Bool
    /// Whether it stores values of columns that the table has lost. They are deleted when the
    /// cluster is written.
    @exclusivity(unchecked) final var storesRemovedColumns = false
    /// The number of its stored columns, according to its directory entry; 0 for a cluster that
    /// is not stored.
    @exclusivity(unchecked) final var storedColumnCount = 0
    /// The key of the last row. There must be one. Greater keys have no row up to the next
    /// cluster.
    final var lastKey: Int64 { unsafeColumns.pointee.integer(at: count &- 1) }

    /// The address of the cluster that the same ``SnapshotTable`` resolved before this one.
    /// Owned by the table, which releases it at its end.
    @exclusivity(unchecked) final var resolvedBefore: UInt = 0

    /// All columns start as absent.
    package init(firstKey: Int64, count: Int, columnCount: Int, isMutable: Bool) {
        self.firstKey = firstKey
        self.count = count
        self.columnCount = columnCount
        isDirty = isMutable
        self.isMutable = isMutable
        unsafeColumns = .allocate(capacity: max(columnCount, 1))
        unsafeColumns.initialize(
            repeating: .absent(count: count, isNullable: false), count: max(columnCount, 1))
    }

    deinit {
        deferredColumns?.release()
        unsafeColumns.deallocate()
    }

    /// The views of the columns; `columns[id.position]`. In an encrypted file, a column is
    /// decrypted on first read.
    @inlinable
    package final var columns: ClusterColumns {
        @inline(__always) get { ClusterColumns(views: unsafeColumns, deferred: deferredColumns) }
    }

    /// The views of all columns, all of them ready.
    @inlinable
    package final var readyColumns: UnsafeMutablePointer<ColumnView> {
        @inline(__always) get {
            if let deferredColumns { deferredColumns._withUnsafeGuaranteedRef { $0.prepareAll() } }
            return unsafeColumns
        }
    }

    /// The key of a row. O(1).
    @inlinable
    package final func key(at row: Int) -> RowKey {
        RowKey(rawValue: unsafeColumns[0].integer(at: row))
    }

    /// The row of a key. O(1) if the keys are consecutive, else O(log rows).
    package final func row(of key: Int64) -> Int? {
        guard unsafeColumns.pointee.encoding == .sequence else { return searchRow(of: key) }
        let (row, overflow) = key.subtractingReportingOverflow(unsafeColumns.pointee.base)
        return !overflow && row >= 0 && row < Int64(count) ? Int(row) : nil
    }

    @inline(never)
    private final func searchRow(of key: Int64) -> Int? {
        let row = lowerBound(of: key)
        return row < count && unsafeColumns.pointee.integer(at: row) == key ? row : nil
    }

    /// The first row whose key is not below `key`; `count` if there is none.
    package final func lowerBound(of key: Int64) -> Int {
        let keys = unsafeColumns[0]
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) &>> 1
            if keys.integer(at: middle) < key { low = middle &+ 1 } else { high = middle }
        }
        return low
    }
}
