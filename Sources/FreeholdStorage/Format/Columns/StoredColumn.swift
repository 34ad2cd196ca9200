/// The bytes of one column of one cluster, as an LMDB value.
///
///     0        1        2          4             8               16
///     +--------+--------+----------+-------------+---------------+-------+-------+--------+------+
///     |encoding| flags  | rows     | checksum    | base          | nulls | blobs | values | heap |
///     |        | 1 nulls| UInt16   | low half of | Int64         | 1 bit | 1 bit |        |      |
///     |        | 2 blobs|          | XXH64       |               | a row | a row |        |      |
///     +--------+--------+----------+-------------+---------------+-------+-------+--------+------+
///
/// Little-endian, unaligned. The checksum covers every byte, with its own bytes taken as zero.
/// Its seed is the column's place (table, first key, column), so that a value in the wrong
/// place is detected, too.
enum StoredColumn {
    static let headerSize = 16

    static func bitmapSize(_ count: Int) -> Int { (count + 7) >> 3 }

    static func seed(_ table: TableID, firstKey: Int64, _ column: ColumnID) -> UInt64 {
        UInt64(table.rawValue) << 16 ^ UInt64(column.rawValue) ^ UInt64(bitPattern: firstKey)
            &* 0x9E37_79B9_7F4A_7C15
    }

    /// The expected checksum of bytes with a complete header.
    static func checksum(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt32 {
        let head = UInt64(bytes.loadUnaligned(as: UInt32.self)) &* 0xC2B2_AE3D_27D4_EB4F
        let body = UnsafeRawBufferPointer(rebasing: bytes[8...])
        return UInt32(truncatingIfNeeded: Checksum.xxh64(body, seed: seed ^ head))
    }

    /// Whether the checksum matches. False for bytes shorter than a header.
    static func hasRightChecksum(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> Bool {
        bytes.count >= headerSize
            && bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
                == checksum(bytes, seed: seed)
    }

    /// The defect of stored bytes.
    struct Defect: Error { let reason: String }

    /// Checks the lengths of a stored column and returns a view of it. O(1): checks neither
    /// values nor checksum.
    static func view(
        of bytes: UnsafeRawBufferPointer, count: Int, type: ColumnType, isNullable: Bool
    ) throws(Defect) -> ColumnView {
        guard bytes.count >= headerSize, let start = bytes.baseAddress else {
            throw Defect(reason: "shorter than its header")
        }
        guard let encoding = ColumnEncoding(rawValue: bytes[0]), encoding != .absent,
            encoding != .spans,
            isLegal(encoding, for: type)
        else { throw Defect(reason: "encoding \(bytes[0]) in a column of type \(type)") }
        let storedCount = Int(bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        guard storedCount == count else {
            throw Defect(reason: "\(storedCount) rows instead of \(count)")
        }
        let flags = bytes[1]
        let base = bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self)
        if encoding == .sequence, base.addingReportingOverflow(Int64(count - 1)).overflow {
            throw Defect(reason: "a sequence beyond the largest integer")
        }
        var offset = headerSize
        var view = ColumnView(
            encoding: encoding, data: start, count: count, isNullable: isNullable, base: base)
        if flags & 1 != 0 {
            view.nulls = start + offset
            offset += bitmapSize(count)
        }
        if flags & 2 != 0 {
            guard type.isVariableLength else {
                throw Defect(reason: "blobs in a column of type \(type)")
            }
            view.blobs = start + offset
            offset += bitmapSize(count)
        }
        view.data = start + min(offset, bytes.count)
        offset += valuesSize(encoding, count)
        if type.isVariableLength {
            guard base >= 0, base <= Int64(bytes.count) else {
                throw Defect(reason: "a heap of \(base) bytes")
            }
            view.heap = start + min(offset, bytes.count)
            offset += Int(base)
        }
        guard offset == bytes.count else {
            throw Defect(reason: "\(bytes.count) bytes instead of \(offset)")
        }
        return view
    }

    static func isLegal(_ encoding: ColumnEncoding, for type: ColumnType) -> Bool {
        switch encoding {
        case .absent: true
        case .sequence, .constant, .delta8, .delta16, .delta32, .integer64:
            type.layout == .integers
        case .bits: type.layout == .bits
        case .float32: type.layout == .floats
        case .float64: type.layout == .doubles
        case .fixed12: type.layout == .fixed12
        case .fixed16: type.layout == .fixed16
        case .offsets16, .offsets32, .spans: type.isVariableLength
        }
    }

    /// The number of bytes of the values, without the heap.
    static func valuesSize(_ encoding: ColumnEncoding, _ count: Int) -> Int {
        switch encoding {
        case .absent, .sequence, .constant: 0
        case .delta8: count
        case .delta16: count * 2
        case .delta32, .float32: count * 4
        case .integer64, .float64, .spans: count * 8
        case .bits: bitmapSize(count)
        case .fixed12: count * 12
        case .fixed16: count * 16
        case .offsets16: (count + 1) * 2
        case .offsets32: (count + 1) * 4
        }
    }
}
