import Glibc

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
/// When its write set is forked (``WriteSet/fork()``), a cluster is *sealed*: it is not written
/// any more and may be read by several threads. A fork that changes it goes on in a cluster of
/// its own, which begins with the sealed one's columns as it would with stored ones.
package final class MutableCluster: ClusterView, @unchecked Sendable {
    // Sendable: never leaves its transaction.

    /// Where this cluster's stored value is; nil if it has none. Differs from `firstKey` only
    /// after ``lowerFirstKey(to:)``.
    let storedFirstKey: Int64?
    let capacity: Int
    let kinds: ColumnKinds
    private var buffers: ContiguousArray<Buffers?>
    @exclusivity(unchecked) private var hasAddedRows = false
    /// Whether rows were added or removed.
    @exclusivity(unchecked) private(set) var membershipChanged: Bool
    /// The sealed cluster that this one goes on from; owns the memory of columns that were not
    /// copied since.
    private let origin: MutableCluster?
    /// What the columns went through before their flags were cleared, by ``seal()`` or
    /// ``watchNextValue(_:)``, here or in `origin`. By position; empty while there is nothing.
    private var past: ContiguousArray<Past> = []
    /// The cluster's number among those that the transaction touched.
    var ordinal: Int32 = 0
    /// Who is told of changes, once values were looked up.
    @exclusivity(unchecked) private var watch: ClusterWatch?

    private struct Past {
        var wasTouched = false
        var wasWritten = false
    }

    /// What a mutable column owns.
    private struct Buffers {
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

    /// Goes on from a sealed cluster, nothing copied yet.
    init(continuing sealed: MutableCluster) {
        storedFirstKey = sealed.storedFirstKey
        origin = sealed
        capacity = sealed.capacity
        kinds = sealed.kinds
        buffers = .init(repeating: nil, count: sealed.kinds.count)
        membershipChanged = sealed.membershipChanged
        hasAddedRows = sealed.hasAddedRows
        past = sealed.past
        ordinal = sealed.ordinal
        super.init(
            firstKey: sealed.firstKey, count: sealed.count, columnCount: sealed.columnCount,
            isMutable: true)
        for position in 0..<columnCount { unsafeColumns[position] = sealed.columns[position] }
        storesRemovedColumns = sealed.storesRemovedColumns
        storedColumnCount = sealed.storedColumnCount
    }

    /// Ends all writing. Before others read the cluster, on the thread that wrote it.
    func seal() {
        guard isMutable else { return }
        isMutable = false
        watch = nil
        if past.isEmpty { past = .init(repeating: Past(), count: columnCount) }
        for position in 0..<columnCount {
            if buffers[position] != nil { past[position].wasTouched = true }
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
    func isTouched(_ position: Int) -> Bool {
        buffers[position] != nil || (!past.isEmpty && past[position].wasTouched)
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
        // A sealed one has nothing to tell any more, and other threads read it.
        if isMutable { self.watch = watch }
        if membershipChanged { watch.rowsChanged(ordinal: ordinal) }
    }

    /// Makes the next value that is set in a column one that the watch is told of.
    func watchNextValue(_ position: Int) {
        guard unsafeColumns[position].isWritten else { return }
        if past.isEmpty { past = .init(repeating: Past(), count: columnCount) }
        past[position].wasWritten = true
        unsafeColumns[position].isWritten = false
    }

    @inline(never)
    private func noteFirstValue(_ position: Int) {
        unsafeColumns[position].isWritten = true
        watch?.valueChanged(position, ordinal: ordinal)
    }

    private func aliasRowKeys() {
        if let alias = kinds.rowKeyAlias { unsafeColumns[alias] = unsafeColumns[0] }
    }

    // MARK: Copying a column

    /// Copies a column into buffers of its own. O(capacity), once per column.
    @inline(never)
    func makeMutable(_ position: Int) {
        guard buffers[position]?.values == nil, let kind = kinds.byPosition[position] else {
            return
        }
        precondition(
            !kind.isRowKey,
            "the primary key that is the row key is written through the row keys only")
        let old = unsafeColumns[position]
        let width = kind.type.fixedWidth
        let size =
            width.map { $0 * capacity }
            ?? (kind.type == .boolean ? StoredColumn.bitmapSize(capacity) : capacity * 8)
        let values = Self.zeroed(size)
        var new = Buffers(values: values, nulls: kind.isNullable ? ownNulls(position) : nil)
        var view = ColumnView(
            encoding: Self.mutableEncoding(kind.type), data: values, count: count,
            isNullable: kind.isNullable,
            nulls: new.nulls.map { UnsafeRawPointer($0) }, isMutable: true)
        if kind.type.isVariableLength {
            let blobs = Self.zeroed(StoredColumn.bitmapSize(capacity))
            if let oldBlobs = old.blobs {
                blobs.copyMemory(from: oldBlobs, byteCount: StoredColumn.bitmapSize(count))
            }
            Self.clearBits(blobs, from: count, to: capacity)
            new.blobs = blobs
            let length = old.encoding == .absent ? 0 : Int(old.base)
            new.heapCapacity = max(length + length / 4, capacity * 8)
            let heap = UnsafeMutableRawPointer.allocate(byteCount: new.heapCapacity, alignment: 8)
            var end = 0
            for row in 0..<count {
                var bytes = old.heapBytes(at: row)
                // Only damaged offsets can overlap, and so add up to more than the heap; the
                // commit finds the damage.
                if bytes.count > new.heapCapacity - end {
                    bytes = UnsafeRawBufferPointer(start: nil, count: 0)
                }
                if let source = bytes.baseAddress, !bytes.isEmpty {
                    (heap + end).copyMemory(from: source, byteCount: bytes.count)
                }
                Self.storeSpan(values, row, end, bytes.count)
                end += bytes.count
            }
            new.heap = heap
            view.heap = UnsafeRawPointer(heap)
            view.blobs = UnsafeRawPointer(blobs)
            view.base = Int64(end)
        } else if old.encoding == view.encoding {
            values.copyMemory(
                from: old.data, byteCount: StoredColumn.valuesSize(old.encoding, count))
            if kind.type == .boolean { Self.clearBits(values, from: count, to: capacity) }
        } else if kind.type == .integer || kind.type == .link {
            old.decodeIntegers(count: count, into: values.assumingMemoryBound(to: Int64.self))
        }
        buffers[position]?.deallocate()
        buffers[position] = new
        unsafeColumns[position] = view
        if position == 0 { aliasRowKeys() }
    }

    /// A copy of a column's nulls, with room for `capacity` rows.
    private func ownNulls(_ position: Int) -> UnsafeMutableRawPointer {
        let nulls = Self.zeroed(StoredColumn.bitmapSize(capacity))
        if let old = unsafeColumns[position].nulls {
            nulls.copyMemory(from: old, byteCount: StoredColumn.bitmapSize(count))
        } else if unsafeColumns[position].encoding == .absent {
            nulls.initializeMemory(
                as: UInt8.self, repeating: 0xFF, count: StoredColumn.bitmapSize(count))
        }
        Self.clearBits(nulls, from: count, to: capacity)
        return nulls
    }

    func makeAllMutable() {
        for position in 1..<columnCount {
            guard let kind = kinds.byPosition[position], !kind.isRowKey else { continue }
            if unsafeColumns[position].encoding != .absent { makeMutable(position) }
        }
        if unsafeColumns[0].encoding != .sequence { makeMutable(0) }
    }

    private static func mutableEncoding(_ type: ColumnType) -> ColumnEncoding {
        switch type {
        case .integer, .link: .integer64
        case .boolean: .bits
        case .float: .float32
        case .double, .timestamp: .float64
        case .fixed12: .fixed12
        case .fixed16, .decimal: .fixed16
        case .text, .bytes, .mixed: .spans
        }
    }

    private static func zeroed(_ size: Int) -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(size, 1), alignment: 8)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: max(size, 1))
        return memory
    }

    // MARK: Values

    /// Where a fixed-width value is written; clears the row's null.
    @inline(__always)
    private func cell(_ position: Int, _ row: Int, width: Int) -> UnsafeMutableRawPointer {
        if !unsafeColumns[position].isWritten {
            if !unsafeColumns[position].isMutable { makeMutable(position) }
            noteFirstValue(position)
        }
        if let nulls = unsafeColumns[position].nulls {
            Self.setBit(UnsafeMutableRawPointer(mutating: nulls), row, false)
        }
        return UnsafeMutableRawPointer(mutating: unsafeColumns[position].data) + row &* width
    }

    package func setInteger(_ position: Int, _ row: Int, _ value: Int64) {
        cell(position, row, width: 8).storeBytes(of: value, as: Int64.self)
    }

    package func setDouble(_ position: Int, _ row: Int, _ value: Double) {
        cell(position, row, width: 8).storeBytes(of: value, as: Double.self)
    }

    package func setFloat(_ position: Int, _ row: Int, _ value: Float) {
        cell(position, row, width: 4).storeBytes(of: value, as: Float.self)
    }

    package func setFixed12(_ position: Int, _ row: Int, _ value: (UInt64, UInt32)) {
        let target = cell(position, row, width: 12)
        target.storeBytes(of: value.0, as: UInt64.self)
        target.storeBytes(of: value.1, toByteOffset: 8, as: UInt32.self)
    }

    package func setFixed16(_ position: Int, _ row: Int, _ value: (UInt64, UInt64)) {
        let target = cell(position, row, width: 16)
        target.storeBytes(of: value.0, as: UInt64.self)
        target.storeBytes(of: value.1, toByteOffset: 8, as: UInt64.self)
    }

    package func setBoolean(_ position: Int, _ row: Int, _ value: Bool) {
        let bits = cell(position, row, width: 0)
        Self.setBit(bits, row, value)
    }

    /// Sets the heap bytes of a row: the value, or the length of a blob.
    func setHeapBytes(_ position: Int, _ row: Int, _ value: UnsafeRawBufferPointer, isBlob: Bool) {
        _ = cell(position, row, width: 8)
        if let blobs = unsafeColumns[position].blobs {
            Self.setBit(UnsafeMutableRawPointer(mutating: blobs), row, isBlob)
        }
        let values = UnsafeMutableRawPointer(mutating: unsafeColumns[position].data)
        let oldLength = Int(values.load(fromByteOffset: row &<< 3 &+ 4, as: UInt32.self))
        var offset = Int(values.load(fromByteOffset: row &<< 3, as: UInt32.self))
        if value.count > oldLength { offset = reserveHeap(position, value.count) }
        if let source = value.baseAddress, !value.isEmpty {
            // Memory may overlap: the value may come from this very heap.
            let target =
                UnsafeMutableRawPointer(mutating: unsafeColumns[position].heap.unsafelyUnwrapped)
                + offset
            target.copyMemory(from: source, byteCount: value.count)
        }
        Self.storeSpan(values, row, offset, value.count)
    }

    /// Sets a row to null, and its value to zero or empty.
    func setNull(_ position: Int, _ row: Int) {
        if !unsafeColumns[position].isMutable {
            if unsafeColumns[position].encoding == .absent, unsafeColumns[position].isNullable {
                return
            }
            makeMutable(position)
        }
        guard let nulls = unsafeColumns[position].nulls else { return }
        if !unsafeColumns[position].isWritten { noteFirstValue(position) }
        clearValue(position, row)
        Self.setBit(UnsafeMutableRawPointer(mutating: nulls), row, true)
    }

    /// Sets many links to null, as when the object goes that they lead to.
    ///
    /// While nothing else is set in the column, its values stay where they are, and only its
    /// nulls are copied: a bit a row in place of eight bytes. A row that became null so keeps a
    /// value that nobody reads.
    func setNull(_ position: Int, rows: [Int]) {
        guard keepsValuesOfNulls(position) else {
            for row in rows { setNull(position, row) }
            return
        }
        let nulls = buffers[position]?.nulls ?? ownNulls(position)
        for row in rows { Self.setBit(nulls, row, true) }
        buffers[position] = Buffers(values: nil, nulls: nulls)
        unsafeColumns[position].nulls = UnsafeRawPointer(nulls)
        // The view's own flag stays false: it would let values be written in place.
        if past.isEmpty { past = .init(repeating: Past(), count: columnCount) }
        past[position].wasWritten = true
        watch?.valueChanged(position, ordinal: ordinal)
    }

    private func keepsValuesOfNulls(_ position: Int) -> Bool {
        guard !unsafeColumns[position].isMutable, let kind = kinds.byPosition[position],
            kind.isNullable, kind.type == .link
        else { return false }
        switch unsafeColumns[position].encoding {
        case .constant, .delta8, .delta16, .delta32, .integer64: return true
        // A sequence has no nulls.
        default: return false
        }
    }

    private func clearValue(_ position: Int, _ row: Int) {
        let values = UnsafeMutableRawPointer(mutating: unsafeColumns[position].data)
        guard let kind = kinds.byPosition[position] else { return }
        if kind.type == .boolean {
            Self.setBit(values, row, false)
        } else {
            let width = kind.type.fixedWidth ?? 8
            (values + row * width).initializeMemory(as: UInt8.self, repeating: 0, count: width)
        }
        if let blobs = unsafeColumns[position].blobs {
            Self.setBit(UnsafeMutableRawPointer(mutating: blobs), row, false)
        }
    }

    /// Makes room for bytes at the end of a column's heap; answers where. Spans of the old heap
    /// stay valid, pointers do not.
    private func reserveHeap(_ position: Int, _ count: Int) -> Int {
        let end = Int(unsafeColumns[position].base)
        if end + count > buffers[position]!.heapCapacity {
            let capacity = max(end + count, buffers[position]!.heapCapacity * 2)
            let heap = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
            heap.copyMemory(from: buffers[position]!.heap.unsafelyUnwrapped, byteCount: end)
            retiredHeaps.append(buffers[position]!.heap.unsafelyUnwrapped)
            buffers[position]!.heap = heap
            buffers[position]!.heapCapacity = capacity
            unsafeColumns[position].heap = UnsafeRawPointer(heap)
            freeRetiredHeaps()
        }
        unsafeColumns[position].base = Int64(end + count)
        return end
    }

    /// The heap before the last growth: freed one growth later, because the value being set may
    /// lie in it.
    private var retiredHeaps: ContiguousArray<UnsafeMutableRawPointer> = []

    private func freeRetiredHeaps() {
        while retiredHeaps.count > 1 { retiredHeaps.removeFirst().deallocate() }
    }

    // MARK: Rows

    /// Adds a row, zero or null in every column, in front of the row at `row` (`count`
    /// appends). O(1) at the end, else O(rows).
    func insertRow(_ key: Int64, at row: Int) {
        precondition(count < capacity, "a full cluster is split before a row is added")
        membershipChanged = true
        hasAddedRows = true
        if let watch { watch.rowsChanged(ordinal: ordinal) }
        let isAppending = row == count
        if unsafeColumns[0].encoding == .sequence {
            if count == 0 {
                unsafeColumns[0].base = key
            } else if !isAppending || key != unsafeColumns[0].base &+ Int64(count) {
                makeMutable(0)
            }
        }
        for position in 0..<columnCount {
            guard let kind = kinds.byPosition[position], !kind.isRowKey else { continue }
            let encoding = unsafeColumns[position].encoding
            if encoding == .absent || (position == 0 && encoding == .sequence) {
                unsafeColumns[position].count &+= 1
                continue
            }
            if !unsafeColumns[position].isMutable { makeMutable(position) }
            if !isAppending { shiftUp(position, kind.type, from: row) }
            if let nulls = unsafeColumns[position].nulls {
                Self.setBit(UnsafeMutableRawPointer(mutating: nulls), row, true)
            }
            unsafeColumns[position].count &+= 1
        }
        if unsafeColumns[0].isMutable {
            UnsafeMutableRawPointer(mutating: unsafeColumns[0].data).storeBytes(
                of: key, toByteOffset: row &<< 3, as: Int64.self)
        }
        count &+= 1
        aliasRowKeys()
    }

    /// Inserts a row of a leaf of elements of 8 bytes that are never null, which had a row
    /// inserted before and so counts as written.
    @inline(__always)
    func insertWord(_ word: UInt64, at row: Int) {
        let view = unsafeColumns + ElementLeaf.valuesPosition
        let place = UnsafeMutableRawPointer(mutating: view.pointee.data) + row &<< 3
        if row < count { memmove(place + 8, place, (count &- row) &<< 3) }
        place.storeBytes(of: word, as: UInt64.self)
        view.pointee.count &+= 1
        count &+= 1
    }

    /// Opens a gap of one zero row.
    private func shiftUp(_ position: Int, _ type: ColumnType, from row: Int) {
        let values = UnsafeMutableRawPointer(mutating: unsafeColumns[position].data)
        if type == .boolean {
            Self.shiftBitsUp(values, from: row, count: count)
        } else {
            let width = type.fixedWidth ?? 8
            memmove(values + (row + 1) * width, values + row * width, (count - row) * width)
            (values + row * width).initializeMemory(as: UInt8.self, repeating: 0, count: width)
        }
        if let nulls = unsafeColumns[position].nulls {
            Self.shiftBitsUp(UnsafeMutableRawPointer(mutating: nulls), from: row, count: count)
        }
        if let blobs = unsafeColumns[position].blobs {
            Self.shiftBitsUp(UnsafeMutableRawPointer(mutating: blobs), from: row, count: count)
        }
    }

    /// Keeps the rows whose byte in `keeps` is not 0. O(rows), once for any number of rows.
    func keepRows(_ keeps: UnsafePointer<UInt8>, keptCount: Int) {
        if keptCount == count { return }
        membershipChanged = true
        if let watch { watch.rowsChanged(ordinal: ordinal) }
        makeMutable(0)
        makeAllMutable()
        for position in 0..<columnCount {
            guard let kind = kinds.byPosition[position], !kind.isRowKey else { continue }
            defer { unsafeColumns[position].count = UInt32(keptCount) }
            guard unsafeColumns[position].isMutable else { continue }
            let values = UnsafeMutableRawPointer(mutating: unsafeColumns[position].data)
            switch kind.type.fixedWidth ?? (kind.type == .boolean ? 0 : 8) {
            case 0: compactBits(values, keeps, keptCount)
            case 4: compact(values, keeps, keptCount, as: UInt32.self)
            case 8: compact(values, keeps, keptCount, as: UInt64.self)
            case let width: compact(values, keeps, keptCount, width: width)
            }
            if let nulls = unsafeColumns[position].nulls {
                compactBits(UnsafeMutableRawPointer(mutating: nulls), keeps, keptCount)
            }
            if let blobs = unsafeColumns[position].blobs {
                compactBits(UnsafeMutableRawPointer(mutating: blobs), keeps, keptCount)
            }
        }
        count = keptCount
        aliasRowKeys()
    }

    /// Removes one row. O(rows behind it).
    func removeRow(at row: Int) {
        membershipChanged = true
        if let watch { watch.rowsChanged(ordinal: ordinal) }
        makeMutable(0)
        makeAllMutable()
        for position in 0..<columnCount {
            guard let kind = kinds.byPosition[position], !kind.isRowKey else { continue }
            defer { unsafeColumns[position].count &-= 1 }
            guard unsafeColumns[position].isMutable else { continue }
            let values = UnsafeMutableRawPointer(mutating: unsafeColumns[position].data)
            if kind.type == .boolean {
                Self.shiftBitsDown(values, to: row, count: count)
            } else {
                let width = kind.type.fixedWidth ?? 8
                memmove(values + row * width, values + (row + 1) * width, (count - row - 1) * width)
                (values + (count - 1) * width).initializeMemory(
                    as: UInt8.self, repeating: 0, count: width)
            }
            if let nulls = unsafeColumns[position].nulls {
                Self.shiftBitsDown(UnsafeMutableRawPointer(mutating: nulls), to: row, count: count)
            }
            if let blobs = unsafeColumns[position].blobs {
                Self.shiftBitsDown(UnsafeMutableRawPointer(mutating: blobs), to: row, count: count)
            }
        }
        count &-= 1
        aliasRowKeys()
    }

    /// The same rows, with room for more. Only of clusters without row keys
    /// (``ColumnKinds/init(leafOf:)``). O(capacity).
    func grown(to capacity: Int) -> MutableCluster {
        let larger = MutableCluster(self, kinds: kinds, capacity: capacity)
        larger.makeAllMutable()
        return larger
    }

    private func compact<Value: BitwiseCopyable & FixedWidthInteger>(
        _ values: UnsafeMutableRawPointer, _ keeps: UnsafePointer<UInt8>, _ keptCount: Int,
        as: Value.Type
    ) {
        let values = values.assumingMemoryBound(to: Value.self)
        var target = 0
        for row in 0..<count {
            values[target] = values[row]
            target &+= Int(keeps[row] & 1)
        }
        (values + keptCount).update(repeating: 0, count: count - keptCount)
    }

    private func compact(
        _ values: UnsafeMutableRawPointer, _ keeps: UnsafePointer<UInt8>, _ keptCount: Int,
        width: Int
    ) {
        var target = 0
        for row in 0..<count where keeps[row] != 0 {
            if target != row {
                (values + target * width).copyMemory(from: values + row * width, byteCount: width)
            }
            target += 1
        }
        (values + keptCount * width).initializeMemory(
            as: UInt8.self, repeating: 0, count: (count - keptCount) * width)
    }

    private func compactBits(
        _ bits: UnsafeMutableRawPointer, _ keeps: UnsafePointer<UInt8>, _ keptCount: Int
    ) {
        var target = 0
        for row in 0..<count where keeps[row] != 0 {
            if target != row { Self.setBit(bits, target, ColumnView.bit(bits, row)) }
            target += 1
        }
        Self.clearBits(bits, from: keptCount, to: count)
    }

    /// Moves the rows from `row` on into a new cluster, whose first key is the first of them.
    /// O(rows).
    func split(at row: Int) -> MutableCluster {
        let upper = MutableCluster(
            firstKey: key(at: row).rawValue, kinds: kinds, capacity: capacity)
        upper.appendRows(of: self, from: row, to: count)
        var keeps = [UInt8](repeating: 1, count: count)
        for removed in row..<count { keeps[removed] = 0 }
        keepRows(&keeps, keptCount: row)
        return upper
    }

    /// Appends rows of another cluster of the same table, whose keys must be above all of this
    /// one's.
    func appendRows(of other: ClusterView, from: Int, to: Int) {
        for row in from..<to {
            let target = count
            insertRow(other.key(at: row).rawValue, at: target)
            copyValues(of: other, row, to: target)
        }
    }

    /// Sets all values of a row that are not null in a row of another cluster of the same
    /// table. The row's own are null or zero.
    func copyValues(of other: ClusterView, _ row: Int, to target: Int) {
        for position in 1..<columnCount {
            guard let kind = kinds.byPosition[position], !kind.isRowKey else { continue }
            let source = other.columns[position]
            if source.encoding == .absent || source.isNull(at: row) { continue }
            switch kind.type {
            case .integer, .link: setInteger(position, target, source.integer(at: row))
            case .boolean: setBoolean(position, target, source.boolean(at: row))
            case .float: setFloat(position, target, source.float(at: row))
            case .double, .timestamp: setDouble(position, target, source.double(at: row))
            case .fixed12: setFixed12(position, target, source.fixed12(at: row))
            case .fixed16, .decimal: setFixed16(position, target, source.fixed16(at: row))
            case .text, .bytes, .mixed:
                setHeapBytes(
                    position, target, source.heapBytes(at: row), isBlob: source.isBlob(at: row))
            }
        }
    }

    // MARK: Bits and spans

    @inline(__always)
    private static func storeSpan(
        _ values: UnsafeMutableRawPointer, _ row: Int, _ offset: Int, _ length: Int
    ) {
        values.storeBytes(
            of: UInt32(truncatingIfNeeded: offset), toByteOffset: row &<< 3, as: UInt32.self)
        values.storeBytes(
            of: UInt32(truncatingIfNeeded: length), toByteOffset: row &<< 3 &+ 4, as: UInt32.self)
    }

    @inline(__always)
    private static func setBit(_ bits: UnsafeMutableRawPointer, _ row: Int, _ value: Bool) {
        let byte = bits.load(fromByteOffset: row &>> 3, as: UInt8.self)
        let mask = 1 &<< UInt8(truncatingIfNeeded: row & 7)
        bits.storeBytes(
            of: value ? byte | mask : byte & ~mask, toByteOffset: row &>> 3, as: UInt8.self)
    }

    private static func clearBits(_ bits: UnsafeMutableRawPointer, from: Int, to: Int) {
        for row in from..<max(from, to) { setBit(bits, row, false) }
    }

    private static func shiftBitsDown(_ bits: UnsafeMutableRawPointer, to row: Int, count: Int) {
        for index in row..<(count - 1) { setBit(bits, index, ColumnView.bit(bits, index + 1)) }
        setBit(bits, count - 1, false)
    }

    private static func shiftBitsUp(_ bits: UnsafeMutableRawPointer, from row: Int, count: Int) {
        for index in stride(from: count, to: row, by: -1) {
            setBit(bits, index, ColumnView.bit(bits, index - 1))
        }
        setBit(bits, row, false)
    }
}
