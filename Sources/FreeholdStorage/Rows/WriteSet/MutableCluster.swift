/// A cluster that the open transaction changes.
///
/// A column is copied into buffers of its own when it is first written; until then its view
/// points at the stored value. Where rows only become null, their bits alone are copied
/// (``setNull(_:rows:)``). The buffers have room for `capacity` rows and a fixed layout
/// (integers of 8 bytes, text as spans into a heap that only grows), so a value is changed in
/// place, and the same ``ColumnView`` reads both kinds.
///
/// Invariants: every view's `count` is the cluster's; in a mutable column the rows from `count`
/// on are zero (their null bits too), so that appending a row writes nothing but the null bits
/// of columns that may be null. `isMutable` of a view says that its values are the cluster's
/// own.
///
/// When its write set is forked (``WriteSet/savepoint()``), a cluster is *frozen*: it is not written
/// any more and may be read by several threads. A fork that changes it goes on in a cluster of
/// its own, which begins with the frozen one's columns as it would with stored ones.
package final class MutableCluster: ClusterView, @unchecked Sendable {
    // Sendable: never leaves its transaction.

    /// Where this cluster's stored value is; nil if it has none. Differs from `firstKey` only
    /// after ``lowerFirstKey(to:)``.
    let storedFirstKey: Int64?
    let capacity: Int
    let kinds: ColumnKinds
    var buffers: ContiguousArray<Buffers?>
    @exclusivity(unchecked) var hasAddedRows = false
    /// Whether rows were added or removed.
    @exclusivity(unchecked) var membershipChanged: Bool
    /// The frozen cluster that this one goes on from; owns the memory of columns that were not
    /// copied since.
    private let origin: MutableCluster?
    /// What the columns went through before their flags were cleared, by ``freeze()`` or
    /// ``watchNextValue(_:)``, here or in `origin`. By position; empty while there is nothing.
    var past: ContiguousArray<Past> = []
    /// The cluster's number among those that the transaction dirty.
    var ordinal: Int32 = 0
    /// Who is told of changes, once values were looked up.
    @exclusivity(unchecked) var watch: ClusterWatch?
    /// The heap before the last growth: freed one growth later, because the value being set may
    /// lie in it.
    var retiredHeaps: ContiguousArray<UnsafeMutableRawPointer> = []

    struct Past {
        var wasDirty = false
        var wasWritten = false
    }

    /// What a mutable column owns.
    struct Buffers {
        /// Nil while the values are still those that the cluster began with (``setNull(_:rows:)``).
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

    /// An empty cluster that is not stored yet.
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

    /// A stored cluster, nothing copied yet.
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

    /// Goes on from a frozen cluster, nothing copied yet.
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

    /// Ends all writing. Before others read the cluster, on the thread that wrote it.
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

    /// Whether the column has to be stored again.
    func isDirty(_ position: Int) -> Bool {
        buffers[position] != nil || (!past.isEmpty && past[position].wasDirty)
    }

    /// Whether a value of the column was set, other than by moving rows: if not, rows that are
    /// in the stored cluster, too, have the values that they have there. An added row may have
    /// the key of a row that was deleted before, so it counts as well.
    func isWritten(_ position: Int) -> Bool {
        hasAddedRows || unsafeColumns[position].isWritten
            || (!past.isEmpty && past[position].wasWritten)
    }

    // MARK: Being watched

    /// From now on `watch` is told when rows are added or removed, and when a column that is
    /// not `isWritten` gets a value.
    func beWatched(by watch: ClusterWatch) {
        // A frozen one has nothing to tell any more, and other threads read it.
        if isMutable { self.watch = watch }
        if membershipChanged { watch.rowsChanged(ordinal: ordinal) }
    }

    /// Makes the next value that is set in a column one that the watch is told of.
    func watchNextValue(_ position: Int) {
        guard unsafeColumns[position].isWritten else { return }
        rememberWritten(position)
        unsafeColumns[position].isWritten = false
    }

    /// Keeps that a column was written while its view's flag does not say it.
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
