/// A cluster that the open transaction changes.
///
/// A column is copied into private buffers on its first write; until then its view points at
/// the stored value. If rows only become null, only the null bits are copied
/// (``setNull(_:rows:)``). The buffers have room for `capacity` rows and a fixed layout:
/// integers of 8 bytes, text as spans into a heap that only grows. So a value is changed in
/// place, and the same ``ColumnView`` reads both kinds.
///
/// Invariants: every view's `count` is the cluster's. In a mutable column, the rows from
/// `count` on are zero, including their null bits, so that appending a row writes only the null
/// bits of nullable columns. A view's `isMutable` means that the cluster owns its values.
///
/// A savepoint of its write set (``WriteSet/savepoint()``) freezes a cluster: it is not written any
/// more, and several threads may read it. A savepoint that changes it continues in a cluster of
/// its own, which begins with the frozen one's columns as it would with stored ones.
package final class MutableCluster: ClusterView, @unchecked Sendable {
    // Sendable: never leaves its transaction.

    /// The first key under which this cluster is stored; nil if it is not stored. Differs from
    /// `firstKey` only after ``MutableTable/lowerFirstKey(to:)``.
    let storedFirstKey: Int64?
    let capacity: Int
    let kinds: ColumnKinds
    var buffers: ContiguousArray<Buffers?>
    @exclusivity(unchecked) var hasAddedRows = false
    /// Whether rows were added or removed.
    @exclusivity(unchecked) var membershipChanged: Bool
    /// The frozen cluster that this one continues; it owns the memory of columns that have not
    /// been copied since.
    private let origin: MutableCluster?
    /// The history of the columns before ``freeze()`` or ``watchNextValue(_:)`` cleared their
    /// flags, here or in `origin`. By position; empty without history.
    var past: ContiguousArray<Past> = []
    /// The cluster's number among the dirty clusters of the transaction.
    var ordinal: Int32 = 0
    /// Notified of changes, once values have been looked up.
    @exclusivity(unchecked) var watch: ClusterWatch?
    /// Heaps before their last growth: freed later, because the value being set may lie in one.
    var retiredHeaps: ContiguousArray<UnsafeMutableRawPointer> = []

    struct Past {
        var wasDirty = false
        var wasWritten = false
    }

    /// The memory that a mutable column owns.
    struct Buffers {
        /// Nil while the cluster still uses its original values (``setNull(_:rows:)``).
        var values: UnsafeMutableRawPointer?
        var nulls: UnsafeMutableRawPointer?
        var blobs: UnsafeMutableRawPointer?
        var heap: UnsafeMutableRawPointer?
        var heapCapacity = 0

        func deallocate() {
            values?.deallocate()
            nulls?.deallocate()
            blobs?.deallocate()
            heap?.deallocate()
        }
    }

    /// Creates an empty cluster that is not stored yet.
    init(firstKey: Int64, kinds: ColumnKinds, capacity: Int) {
        storedFirstKey = nil
        origin = nil
        self.capacity = capacity
        self.kinds = kinds
        buffers = .init(repeating: nil, count: kinds.count)
        membershipChanged = true
        super.init(firstKey: firstKey, count: 0, columnCount: kinds.count, isMutable: true)
        for (position, kind) in kinds.byPosition.enumerated() {
            unsafeColumns[position] = .absent(count: 0, isNullable: kind?.isNullable ?? false)
        }
        unsafeColumns[0].encoding = .sequence
        unsafeColumns[0].base = firstKey
        aliasRowKeys()
    }

    /// Creates a dirty copy of a stored cluster, with no column copied yet.
    init(_ stored: ClusterView, kinds: ColumnKinds, capacity: Int) {
        storedFirstKey = stored.firstKey
        origin = nil
        self.capacity = max(capacity, stored.count)
        self.kinds = kinds
        buffers = .init(repeating: nil, count: kinds.count)
        membershipChanged = false
        super.init(
            firstKey: stored.firstKey, count: stored.count, columnCount: kinds.count,
            isMutable: true)
        for (position, kind) in kinds.byPosition.enumerated() {
            unsafeColumns[position] =
                position < stored.columnCount
                ? stored.columns[position]
                : .absent(count: stored.count, isNullable: kind?.isNullable ?? false)
        }
        storesRemovedColumns = stored.storesRemovedColumns
        storedColumnCount = stored.storedColumnCount
        aliasRowKeys()
    }

    /// Creates a cluster that continues a frozen one, with no column copied yet.
    init(continuing frozen: MutableCluster) {
        storedFirstKey = frozen.storedFirstKey
        origin = frozen
        capacity = frozen.capacity
        kinds = frozen.kinds
        buffers = .init(repeating: nil, count: frozen.kinds.count)
        membershipChanged = frozen.membershipChanged
        hasAddedRows = frozen.hasAddedRows
        past = frozen.past
        ordinal = frozen.ordinal
        super.init(
            firstKey: frozen.firstKey, count: frozen.count, columnCount: frozen.columnCount,
            isMutable: true)
        for position in 0..<columnCount { unsafeColumns[position] = frozen.columns[position] }
        storesRemovedColumns = frozen.storesRemovedColumns
        storedColumnCount = frozen.storedColumnCount
    }

    /// Freezes the cluster. Call it on the writing thread, before other threads read the
    /// cluster.
    func freeze() {
        guard isMutable else { return }
        isMutable = false
        watch = nil
        if past.isEmpty { past = .init(repeating: Past(), count: columnCount) }
        for position in 0..<columnCount {
            if buffers[position] != nil { past[position].wasDirty = true }
            if unsafeColumns[position].isWritten { past[position].wasWritten = true }
            unsafeColumns[position].isWritten = false
            unsafeColumns[position].isMutable = false
        }
    }

    deinit {
        for buffer in buffers { buffer?.deallocate() }
        for heap in retiredHeaps { heap.deallocate() }
    }

    /// Whether the column must be stored again.
    func isDirty(_ position: Int) -> Bool {
        buffers[position] != nil || (!past.isEmpty && past[position].wasDirty)
    }

    /// Whether a value of the column was set, other than by moving rows. If not, rows that are
    /// also in the stored cluster have their stored values. An added row may reuse the key of a
    /// deleted one, so it counts as well.
    func isWritten(_ position: Int) -> Bool {
        hasAddedRows || unsafeColumns[position].isWritten
            || (!past.isEmpty && past[position].wasWritten)
    }

    // MARK: Being watched

    /// Notifies `watch` from now on when rows are added or removed, and when a column that is
    /// not `isWritten` gets a value.
    func beWatched(by watch: ClusterWatch) {
        // A frozen cluster has nothing more to report, and other threads read it.
        if isMutable { self.watch = watch }
        if membershipChanged { watch.rowsChanged(ordinal: ordinal) }
    }

    /// Reports the column's next write to the watch.
    func watchNextValue(_ position: Int) {
        guard unsafeColumns[position].isWritten else { return }
        rememberWritten(position)
        unsafeColumns[position].isWritten = false
    }

    /// Remembers that a column was written, while its view's flag is cleared.
    func rememberWritten(_ position: Int) {
        if past.isEmpty { past = .init(repeating: Past(), count: columnCount) }
        past[position].wasWritten = true
    }

    @inline(__always)
    func noteRowsChanged() {
        membershipChanged = true
        if let watch { watch.rowsChanged(ordinal: ordinal) }
    }

    @inline(never)
    func noteFirstValue(_ position: Int) {
        unsafeColumns[position].isWritten = true
        watch?.valueChanged(position, ordinal: ordinal)
    }

    func aliasRowKeys() {
        if let alias = kinds.rowKeyAlias { unsafeColumns[alias] = unsafeColumns[0] }
    }
}
