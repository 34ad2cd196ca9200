/// Encodes a column of a write set. The result is the narrowest stored form, or the existing
/// stored form if only nulls were added. In an encrypted file, where record lengths are visible
/// to everyone, integers get the widest form instead.
///
/// It works in two steps, so that the bytes can be written directly into the page that LMDB
/// reserves: the plan determines their number.
struct ColumnEncoder {
    let encoding: ColumnEncoding
    let byteCount: Int
    private let view: ColumnView
    private let rowCount: Int
    private let base: Int64
    private let nullCount: Int
    private let hasNulls: Bool
    private let hasBlobs: Bool

    /// Nil if nothing needs to be stored, because every row reads like an absent column.
    /// O(rows).
    ///
    /// - Parameter hidesLengths: Whether the length must reveal nothing about the values,
    ///   unless these have variable length.
    init?(_ view: ColumnView, rowCount: Int, type: ColumnType, hidesLengths: Bool) {
        guard rowCount > 0, view.encoding != .absent else { return nil }
        self.init(always: view, rowCount: rowCount, type: type, hidesLengths: hidesLengths)
        if hidesLengths, !type.isVariableLength { return }
        if nullCount == rowCount { return nil }
        // A nullable column without nulls is stored even if all values are zero: an absent one
        // would read as null.
        if !view.isNullable, !hasNulls, isZero(type) { return nil }
    }

    /// Encodes even a column that reads like an absent one. The column has buffers. O(rows).
    init(always view: ColumnView, rowCount: Int, type: ColumnType, hidesLengths: Bool) {
        self.view = view
        self.rowCount = rowCount
        nullCount = view.nulls.map { Bitmap.population($0, count: rowCount) } ?? 0
        hasNulls = nullCount > 0 || (hidesLengths && view.isNullable && !type.isVariableLength)
        hasBlobs = view.blobs.map { Bitmap.population($0, count: rowCount) > 0 } ?? false
        switch type.layout {
        case .integers:
            let isKept = nullCount > 0 && nullCount < rowCount && Self.isStoredForm(view.encoding)
            (encoding, base) =
                hidesLengths
                ? (.integer64, 0)
                : isKept
                    ? (view.encoding, view.base)
                    : Self.integerEncoding(view, rowCount, hasNulls: hasNulls) ?? (.constant, 0)
        case .bits, .floats, .doubles, .fixed12, .fixed16:
            encoding = view.encoding
            base = 0
        case .heap:
            let length = Self.heapLength(view, rowCount)
            base = Int64(length)
            encoding = length <= Int(UInt16.max) ? .offsets16 : .offsets32
        }
        var count = StoredColumn.headerSize + StoredColumn.valuesSize(encoding, rowCount)
        if hasNulls { count += StoredColumn.bitmapSize(rowCount) }
        if hasBlobs { count += StoredColumn.bitmapSize(rowCount) }
        if type.isVariableLength { count += Int(base) }
        byteCount = count
    }

    /// Whether every row is zero or empty.
    private func isZero(_ type: ColumnType) -> Bool {
        switch type.layout {
        case .integers: encoding == .constant && base == 0
        case .bits, .floats, .doubles, .fixed12, .fixed16:
            Self.isZero(view.data, StoredColumn.valuesSize(view.encoding, rowCount))
        case .heap: base == 0
        }
    }

    /// Fills `bytes`, which must be `byteCount` long. O(bytes).
    func write(to bytes: UnsafeMutableRawBufferPointer, seed: UInt64) {
        let start = bytes.baseAddress.unsafelyUnwrapped
        start.storeBytes(of: encoding.rawValue, as: UInt8.self)
        start.storeBytes(
            of: (hasNulls ? 1 : 0) | (hasBlobs ? 2 : 0), toByteOffset: 1, as: UInt8.self)
        start.storeBytes(of: UInt16(rowCount), toByteOffset: 2, as: UInt16.self)
        start.storeBytes(of: 0, toByteOffset: 4, as: UInt32.self)
        start.storeBytes(of: base, toByteOffset: 8, as: Int64.self)
        var offset = StoredColumn.headerSize
        if hasNulls {
            if let nulls = view.nulls {
                _ = Self.copyBits(nulls, rowCount, to: start + offset)
            } else {
                (start + offset).initializeMemory(
                    as: UInt8.self, repeating: 0, count: StoredColumn.bitmapSize(rowCount))
            }
            offset += StoredColumn.bitmapSize(rowCount)
        }
        if hasBlobs, let blobs = view.blobs {
            offset += Self.copyBits(blobs, rowCount, to: start + offset)
        }
        writeValues(to: start + offset)
        let checksum = StoredColumn.checksum(UnsafeRawBufferPointer(bytes), seed: seed)
        start.storeBytes(of: checksum, toByteOffset: 4, as: UInt32.self)
    }

    private func writeValues(to values: UnsafeMutableRawPointer) {
        switch encoding {
        case .absent, .sequence, .constant, .spans: break
        case .delta8: writeDeltas(to: values, as: UInt8.self)
        case .delta16: writeDeltas(to: values, as: UInt16.self)
        case .delta32: writeDeltas(to: values, as: UInt32.self)
        case .integer64:
            if view.encoding == .integer64 {
                values.copyMemory(from: view.data, byteCount: rowCount * 8)
            } else {
                for row in 0..<rowCount {
                    values.storeBytes(
                        of: view.integer(at: row), toByteOffset: row &<< 3, as: Int64.self)
                }
            }
        case .bits: _ = Self.copyBits(view.data, rowCount, to: values)
        case .float32, .float64, .fixed12, .fixed16:
            values.copyMemory(
                from: view.data, byteCount: StoredColumn.valuesSize(encoding, rowCount))
        case .offsets16: writeHeap(to: values, as: UInt16.self)
        case .offsets32: writeHeap(to: values, as: UInt32.self)
        }
    }

    /// Writes each row's delta; that of a null row is zero.
    private func writeDeltas<Delta: FixedWidthInteger & UnsignedInteger>(
        to values: UnsafeMutableRawPointer, as: Delta.Type
    ) {
        if view.encoding == encoding, view.base == base {
            values.copyMemory(from: view.data, byteCount: rowCount &* MemoryLayout<Delta>.size)
        } else {
            for row in 0..<rowCount {
                let delta = Delta(truncatingIfNeeded: view.integer(at: row) &- base)
                values.storeBytes(
                    of: delta, toByteOffset: row &* MemoryLayout<Delta>.size, as: Delta.self)
            }
        }
        guard hasNulls, let nulls = view.nulls else { return }
        for row in stride(from: 0, to: rowCount, by: 64) {
            Bitmap.forEachSet(in: Bitmap.word(nulls, from: row, count: rowCount), from: row) {
                values.storeBytes(
                    of: 0, toByteOffset: $0 &* MemoryLayout<Delta>.size, as: Delta.self)
            }
        }
    }

    private func writeHeap<Offset: FixedWidthInteger>(
        to values: UnsafeMutableRawPointer, as: Offset.Type
    ) {
        let heap = values + (rowCount + 1) * MemoryLayout<Offset>.size
        var offset = 0
        for row in 0..<rowCount {
            values.storeBytes(
                of: Offset(truncatingIfNeeded: offset),
                toByteOffset: row &* MemoryLayout<Offset>.size, as: Offset.self)
            let bytes = view.heapBytes(at: row)
            if let source = bytes.baseAddress, bytes.count > 0 {
                (heap + offset).copyMemory(from: source, byteCount: bytes.count)
                offset &+= bytes.count
            }
        }
        values.storeBytes(
            of: Offset(truncatingIfNeeded: offset),
            toByteOffset: rowCount &* MemoryLayout<Offset>.size, as: Offset.self)
    }

    // MARK: Planning

    /// Whether links are in their stored form, because only nulls were added since
    /// (``MutableCluster/setNull(_:rows:)``). A narrower form may suffice then; the next value
    /// that is set finds that out.
    private static func isStoredForm(_ encoding: ColumnEncoding) -> Bool {
        switch encoding {
        case .constant, .delta8, .delta16, .delta32: true
        default: false
        }
    }

    /// Nil if every row is null.
    private static func integerEncoding(_ view: ColumnView, _ count: Int, hasNulls: Bool) -> (
        ColumnEncoding, Int64
    )? {
        var low = Int64.max
        var high = Int64.min
        let first = view.integer(at: 0)
        // A sequence must not overflow: scans and sums take the last row's value for the
        // greatest.
        var isSequence = !hasNulls && !first.addingReportingOverflow(Int64(count - 1)).overflow
        if hasNulls, let nulls = view.nulls {
            for row in 0..<count where !Bitmap.isSet(nulls, row) {
                let value = view.integer(at: row)
                low = min(low, value)
                high = max(high, value)
            }
        } else {
            for row in 0..<count {
                let value = view.integer(at: row)
                low = min(low, value)
                high = max(high, value)
                isSequence = isSequence && value == first &+ Int64(row)
            }
        }
        guard low <= high else { return nil }
        if low == high { return (.constant, low) }
        if isSequence { return (.sequence, first) }
        let span = UInt64(bitPattern: high &- low)
        if span <= UInt64(UInt8.max) { return (.delta8, low) }
        if span <= UInt64(UInt16.max) { return (.delta16, low) }
        if span <= UInt64(UInt32.max) { return (.delta32, low) }
        return (.integer64, 0)
    }

    private static func heapLength(_ view: ColumnView, _ count: Int) -> Int {
        var length = 0
        for row in 0..<count { length &+= view.heapBytes(at: row).count }
        return length
    }

    private static func isZero(_ start: UnsafeRawPointer, _ count: Int) -> Bool {
        for offset in 0..<count where start.load(fromByteOffset: offset, as: UInt8.self) != 0 {
            return false
        }
        return true
    }

    /// Copies `count` bits and clears the rest of the last byte; returns the number of bytes.
    private static func copyBits(
        _ bitmap: UnsafeRawPointer, _ count: Int, to target: UnsafeMutableRawPointer
    ) -> Int {
        let size = StoredColumn.bitmapSize(count)
        target.copyMemory(from: bitmap, byteCount: size)
        if count & 7 != 0 {
            let last =
                bitmap.load(fromByteOffset: size - 1, as: UInt8.self) & (1 << UInt8(count & 7) &- 1)
            target.storeBytes(of: last, toByteOffset: size - 1, as: UInt8.self)
        }
        return size
    }
}
