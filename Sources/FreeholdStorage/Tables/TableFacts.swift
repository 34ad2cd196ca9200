/// What `meta` keeps of each table besides its definition: next row key, row count, and the XXH64 of both, seeded with the table's id.
package struct TableFacts: Hashable, Sendable {
    /// Above every row key ever used, so that keys of deleted rows do not come back. 0 where the primary key is the row key.
    package var nextRowKey: Int64 = 0
    package var rowCount: Int64 = 0

    package static let size = 24
    /// No table has ever given out so many keys; so a key that was read can be counted on from without overflow.
    static let greatestNextRowKey: Int64 = 1 << 62

    package init(nextRowKey: Int64 = 0, rowCount: Int64 = 0) {
        self.nextRowKey = nextRowKey
        self.rowCount = rowCount
    }

    /// Nil where the bytes are none that ``encoded(of:)`` makes for the table.
    init?(decoding bytes: UnsafeRawBufferPointer, of table: TableID) {
        guard bytes.count == Self.size else { return nil }
        nextRowKey = Int64(littleEndian: bytes.loadUnaligned(as: Int64.self))
        rowCount = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
        let checksum = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
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

/// One entry of the directory: how many rows a cluster has, and its first row's key while all keys are consecutive.
///
///     rows (UInt32), flags (UInt32: 1 keys are consecutive), key of the first row (Int64, 0 without the flag); little-endian
struct DirectoryEntry {
    let count: Int
    /// Nil where the keys are stored as column 0 of the cluster.
    let consecutiveFrom: Int64?

    static let size = 16

    init(count: Int, consecutiveFrom: Int64?) {
        self.count = count
        self.consecutiveFrom = consecutiveFrom
    }

    init?(decoding bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.size else { return nil }
        let rows = UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
        let flags = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        let first = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
        guard rows > 0, rows <= UInt32(StoredColumn.maximumRowCount), flags <= 1 else { return nil }
        if flags == 0, first != 0 { return nil }
        if flags == 1, first.addingReportingOverflow(Int64(rows) - 1).overflow { return nil }
        count = Int(rows)
        consecutiveFrom = flags == 1 ? first : nil
    }

    func encoded() -> ContiguousArray<UInt8> {
        var out = ContiguousArray<UInt8>()
        withUnsafeBytes(of: UInt32(count).littleEndian) { out.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt32(consecutiveFrom == nil ? 0 : 1).littleEndian) { out.append(contentsOf: $0) }
        withUnsafeBytes(of: (consecutiveFrom ?? 0).littleEndian) { out.append(contentsOf: $0) }
        return out
    }
}
