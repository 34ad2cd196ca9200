/// The facts that `meta` stores for each table besides its definition: next row key, row count,
/// and the XXH64 of both, seeded with the table's id.
package struct TableFacts: Hashable, Sendable {
    /// Greater than every row key used so far, so that keys of deleted rows are not reused; at
    /// most ``greatestNextRowKey``, which primary keys may exceed.
    package var nextRowKey: Int64 = 0
    package var rowCount: Int64 = 0

    package static let size = 24
    /// No table ever allocates so many keys, so counting on from a stored key cannot overflow.
    package static let greatestNextRowKey: Int64 = 1 << 62

    package init(nextRowKey: Int64 = 0, rowCount: Int64 = 0) {
        self.nextRowKey = nextRowKey
        self.rowCount = rowCount
    }

    /// Nil unless ``encoded(of:)`` can have made the bytes for the table.
    init?(decoding bytes: UnsafeRawBufferPointer, of table: TableID) {
        guard bytes.count == Self.size else { return nil }
        nextRowKey = Int64(littleEndian: bytes.loadUnaligned(as: Int64.self))
        rowCount = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
        let checksum = UInt64(
            littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
        guard checksum == Self.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<16]), of: table),
            rowCount >= 0, (0...Self.greatestNextRowKey).contains(nextRowKey)
        else { return nil }
    }

    package func encoded(of table: TableID) -> ContiguousArray<UInt8> {
        var out = ContiguousArray<UInt8>()
        withUnsafeBytes(of: nextRowKey.littleEndian) { out.append(contentsOf: $0) }
        withUnsafeBytes(of: rowCount.littleEndian) { out.append(contentsOf: $0) }
        let checksum = out.withUnsafeBytes { Self.checksum($0, of: table) }
        withUnsafeBytes(of: checksum.littleEndian) { out.append(contentsOf: $0) }
        return out
    }

    private static func checksum(_ bytes: UnsafeRawBufferPointer, of table: TableID) -> UInt64 {
        Checksum.xxh64(bytes, seed: UInt64(table.rawValue))
    }
}

/// One entry of the directory: a cluster's row count, its first row's key while all keys are
/// consecutive, and the number of its stored columns.
///
///     rows (UInt16; top bit: keys are consecutive), columns (UInt16), checksum (UInt32),
///     key of the first row (Int64, 0 without the bit); little-endian
///
/// The checksum is the lower half of the XXH64 of the first row's key, seeded with the entry's
/// place and the rest of the entry. Without it, a damaged first key would silently give every
/// row of the cluster another key. Without the column count, a column whose record is lost
/// would look like one added later.
struct DirectoryEntry: Equatable {
    let count: Int
    /// Nil if the keys are stored as column 0 of the cluster.
    let consecutiveFrom: Int64?
    /// The number of the cluster's records in `clusters`, including row keys and columns that
    /// the table has lost.
    let columnCount: Int

    static let size = 16
    /// More rows do not fit into an entry; a writer makes clusters of 500 at most.
    static let mostRows = 0x7FFF
    private static let consecutive: UInt16 = 0x8000
}

extension DirectoryEntry {
    /// Nil unless ``encoded(of:firstKey:)`` can have made the bytes for the cluster.
    init?(decoding bytes: UnsafeRawBufferPointer, of table: TableID, firstKey: Int64) {
        guard bytes.count == Self.size else { return nil }
        let head = UInt16(littleEndian: bytes.loadUnaligned(as: UInt16.self))
        let columns = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        let checksum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        let first = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
        let rows = head & ~Self.consecutive
        guard rows > 0,
            checksum == Self.checksum(head, columns, first, of: table, firstKey: firstKey)
        else { return nil }
        let isConsecutive = head != rows
        if !isConsecutive, first != 0 || firstKey.addingReportingOverflow(Int64(rows) - 1).overflow
        {
            return nil
        }
        if isConsecutive, first.addingReportingOverflow(Int64(rows) - 1).overflow { return nil }
        count = Int(rows)
        consecutiveFrom = isConsecutive ? first : nil
        columnCount = Int(columns)
    }

    func encoded(of table: TableID, firstKey: Int64) -> ContiguousArray<UInt8> {
        let head = UInt16(count) | (consecutiveFrom == nil ? 0 : Self.consecutive)
        let (columns, first) = (UInt16(columnCount), consecutiveFrom ?? 0)
        let checksum = Self.checksum(head, columns, first, of: table, firstKey: firstKey)
        var out = ContiguousArray<UInt8>()
        withUnsafeBytes(of: head.littleEndian) { out.append(contentsOf: $0) }
        withUnsafeBytes(of: columns.littleEndian) { out.append(contentsOf: $0) }
        withUnsafeBytes(of: checksum.littleEndian) { out.append(contentsOf: $0) }
        withUnsafeBytes(of: first.littleEndian) { out.append(contentsOf: $0) }
        return out
    }

    private static func checksum(
        _ head: UInt16, _ columns: UInt16, _ first: Int64, of table: TableID, firstKey: Int64
    ) -> UInt32 {
        let head = UInt64(head) | UInt64(columns) << 16
        return withUnsafeBytes(of: first.littleEndian) { bytes in
            UInt32(
                truncatingIfNeeded: Checksum.xxh64(
                    bytes,
                    seed: StoredColumn.seed(table, firstKey: firstKey, .rowKeys) ^ head
                        &* 0xC2B2_AE3D_27D4_EB4F))
        }
    }
}
