/// The location of a column's values in one cluster: in LMDB's map, or in the buffers of a
/// write set.
///
/// A view is a few pointers; it owns nothing. It is valid as long as the snapshot or the write
/// set that returned its ``ClusterView``. Every pointer may be unaligned. All offsets were
/// checked against the stored value when the view was made (``StoredColumn``), so reading
/// inside `0 ..< count` never leaves the value. Text offsets are checked on each read instead,
/// because checking all of them at first would load every page.
@usableFromInline
package struct ColumnView {
    /// The values, in the layout that `encoding` names.
    @usableFromInline package var data: UnsafeRawPointer
    /// One bit a row, 1 means null; nil when no row is null.
    @usableFromInline package var nulls: UnsafeRawPointer?
    /// Text and bytes: the heap.
    @usableFromInline package var heap: UnsafeRawPointer?
    /// One bit a row, 1 means that the value lives in the blob database and that the heap holds
    /// its length (8 bytes); nil when there is none.
    @usableFromInline package var blobs: UnsafeRawPointer?
    /// Integers: the number added to each delta. Text and bytes: the size of the heap in bytes.
    @usableFromInline package var base: Int64
    /// The number of rows.
    @usableFromInline package var count: UInt32
    @usableFromInline package var encoding: ColumnEncoding
    /// Whether the buffers belong to a write set and may be written in place.
    @usableFromInline package var isMutable: Bool
    /// Whether an absent value reads as null.
    @usableFromInline package var isNullable: Bool
    /// Whether a value was set in this transaction, so that values may be set in place.
    @usableFromInline package var isWritten = false

    @inlinable
    package init(
        encoding: ColumnEncoding, data: UnsafeRawPointer, count: Int, isNullable: Bool,
        base: Int64 = 0, nulls: UnsafeRawPointer? = nil, heap: UnsafeRawPointer? = nil,
        blobs: UnsafeRawPointer? = nil, isMutable: Bool = false
    ) {
        self.data = data
        self.nulls = nulls
        self.heap = heap
        self.blobs = blobs
        self.base = base
        self.count = UInt32(truncatingIfNeeded: count)
        self.encoding = encoding
        self.isMutable = isMutable
        self.isNullable = isNullable
    }

    /// A column that stores no value.
    @inlinable
    package static func absent(count: Int, isNullable: Bool) -> ColumnView {
        ColumnView(
            encoding: .absent, data: ColumnView.nowhere, count: count, isNullable: isNullable)
    }

    /// A valid address of zero bytes, for views without data: long enough for one value of any
    /// fixed width.
    @usableFromInline
    package nonisolated(unsafe) static let nowhere: UnsafeRawPointer = {
        // Immutable after this closure, hence safe to share.
        let zeros = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 16)
        zeros.initializeMemory(as: UInt8.self, repeating: 0, count: 32)
        return UnsafeRawPointer(zeros)
    }()
}

extension ColumnView {
    /// Whether the row holds null. O(1).
    @inlinable @inline(__always)
    package func isNull(at row: Int) -> Bool {
        if let nulls { return Bitmap.isSet(nulls, row) }
        return encoding == .absent && isNullable
    }

    /// Whether the row's value lives in the blob database.
    @inlinable @inline(__always)
    package func isBlob(at row: Int) -> Bool {
        guard let blobs else { return false }
        return Bitmap.isSet(blobs, row)
    }

    /// The integer of a row; unspecified if it is null. For integers, links and row keys. O(1).
    @inlinable @inline(__always)
    package func integer(at row: Int) -> Int64 {
        switch encoding {
        case .delta8: base &+ Int64(data.load(fromByteOffset: row, as: UInt8.self))
        case .integer64: data.loadUnaligned(fromByteOffset: row &<< 3, as: Int64.self)
        case .delta16: base &+ Int64(data.loadUnaligned(fromByteOffset: row &<< 1, as: UInt16.self))
        case .delta32: base &+ Int64(data.loadUnaligned(fromByteOffset: row &<< 2, as: UInt32.self))
        case .sequence: base &+ Int64(truncatingIfNeeded: row)
        case .constant: base
        default: 0
        }
    }

    /// The boolean of a row; false if it is null.
    @inlinable @inline(__always)
    package func boolean(at row: Int) -> Bool {
        encoding == .bits && Bitmap.isSet(data, row)
    }

    /// The double or timestamp of a row; 0 if it is null.
    @inlinable @inline(__always)
    package func double(at row: Int) -> Double {
        encoding == .float64 ? data.loadUnaligned(fromByteOffset: row &<< 3, as: Double.self) : 0
    }

    @inlinable @inline(__always)
    package func float(at row: Int) -> Float {
        encoding == .float32 ? data.loadUnaligned(fromByteOffset: row &<< 2, as: Float.self) : 0
    }

    /// The 16 bytes of a row, in memory order; zero if it is null.
    @inlinable @inline(__always)
    package func fixed16(at row: Int) -> (UInt64, UInt64) {
        guard encoding == .fixed16 else { return (0, 0) }
        return (
            data.loadUnaligned(fromByteOffset: row &<< 4, as: UInt64.self),
            data.loadUnaligned(fromByteOffset: row &<< 4 &+ 8, as: UInt64.self)
        )
    }

    /// The 12 bytes of a row, in memory order; zero if it is null.
    @inlinable @inline(__always)
    package func fixed12(at row: Int) -> (UInt64, UInt32) {
        guard encoding == .fixed12 else { return (0, 0) }
        return (
            data.loadUnaligned(fromByteOffset: row &* 12, as: UInt64.self),
            data.loadUnaligned(fromByteOffset: row &* 12 &+ 8, as: UInt32.self)
        )
    }

    /// The bytes of a row in the heap: the value itself or, for a blob, the 8 bytes of its
    /// length.
    ///
    /// Empty if the row is null, or if the stored offsets are impossible (`check()` reports
    /// those).
    @inlinable @inline(__always)
    package func heapBytes(at row: Int) -> UnsafeRawBufferPointer {
        var start: Int
        var end: Int
        switch encoding {
        case .offsets16:
            start = Int(data.loadUnaligned(fromByteOffset: row &<< 1, as: UInt16.self))
            end = Int(data.loadUnaligned(fromByteOffset: row &<< 1 &+ 2, as: UInt16.self))
        case .offsets32:
            start = Int(data.loadUnaligned(fromByteOffset: row &<< 2, as: UInt32.self))
            end = Int(data.loadUnaligned(fromByteOffset: row &<< 2 &+ 4, as: UInt32.self))
        case .spans:
            start = Int(data.loadUnaligned(fromByteOffset: row &<< 3, as: UInt32.self))
            end = start &+ Int(data.loadUnaligned(fromByteOffset: row &<< 3 &+ 4, as: UInt32.self))
        default: return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        guard let heap, start <= end, end <= base else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: heap + start, count: end &- start)
    }
}

// MARK: - In place

/// Only for columns with `isWritten`, inside the write transaction that owns them.
extension ColumnView {
    /// Sets an integer or the key that a link points to.
    @inlinable @inline(__always)
    package func unsafeStore(_ value: Int64, at row: Int) {
        UnsafeMutableRawPointer(mutating: data).storeBytes(
            of: value, toByteOffset: row &<< 3, as: Int64.self)
        unsafeClearNull(at: row)
    }

    /// Sets a double or a timestamp.
    @inlinable @inline(__always)
    package func unsafeStore(_ value: Double, at row: Int) {
        UnsafeMutableRawPointer(mutating: data).storeBytes(
            of: value, toByteOffset: row &<< 3, as: Double.self)
        unsafeClearNull(at: row)
    }

    @inlinable @inline(__always)
    package func unsafeClearNull(at row: Int) {
        guard let nulls else { return }
        let byte = UnsafeMutableRawPointer(mutating: nulls) + row &>> 3
        byte.storeBytes(
            of: byte.load(as: UInt8.self) & ~(1 &<< UInt8(truncatingIfNeeded: row & 7)),
            as: UInt8.self)
    }
}
