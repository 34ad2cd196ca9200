/// Some hundred consecutive rows of one table, as views of their columns.
///
/// A snapshot's cluster is immutable and may be read from any number of threads at once. A
/// write set's is a ``MutableCluster`` and belongs to the thread, queue or actor that runs the
/// transaction. Either lives as long as the ``TableView`` that handed it out keeps it; whoever
/// holds a pointer to its columns also holds that table view.
@usableFromInline
package class ClusterView: @unchecked Sendable {
    // Sendable: immutable once published by a snapshot; the mutable subclass never leaves its
    // transaction.

    /// The smallest key that belongs to this cluster: its place in the table. Rows may start at
    /// a higher key.
    package internal(set) final var firstKey: Int64
    /// How many rows there are.
    @exclusivity(unchecked)
    @usableFromInline package final var count: Int
    /// One view for each column id of the table, row keys first. Of an encrypted file's cluster
    /// only those that were asked for are there: see ``columns`` and ``readyColumns``.
    @usableFromInline package final let unsafeColumns: UnsafeMutablePointer<ColumnView>
    /// What is not decrypted yet, of a cluster of an encrypted file. Set before the cluster is
    /// published; owned.
    @exclusivity(unchecked)
    @usableFromInline package internal(set) final var deferredColumns: Unmanaged<DeferredColumns>?
    /// How many entries `columns` has.
    package final let columnCount: Int
    /// Whether this is a ``MutableCluster``: part of a write set, in place of a stored cluster.
    package final let isDirty: Bool
    /// Whether it may be written: a ``MutableCluster`` that is not encrypted.
    @exclusivity(unchecked)
    @usableFromInline package internal(set) final var isMutable: Bool
    /// Whether values are stored of columns that the table does not have any more. They are
    /// deleted when the cluster is written.
    @exclusivity(unchecked) final var storesRemovedColumns = false
    /// How many columns are stored of it, as its directory entry says; 0 of a cluster that is
    /// not stored.
    @exclusivity(unchecked) final var storedColumnCount = 0
    /// The cluster that the same ``SnapshotTable`` resolved before this one, by its address.
    /// The table's own, for its end.
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

    /// The views of the columns; `columns[id.position]`. A column of an encrypted file is
    /// decrypted when it is first read.
    @inlinable
    package final var columns: ClusterColumns {
        @inline(__always) get { ClusterColumns(views: unsafeColumns, deferred: deferredColumns) }
    }

    /// The views of all columns, to be read without asking again.
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

    /// The row of a key. O(1) where the keys are consecutive, O(log rows) elsewhere.
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
