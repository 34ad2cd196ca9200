/// What `meta` keeps of each table besides its definition: 16 bytes, next row key and row count.
package struct TableFacts: Hashable, Sendable {
    /// Above every row key ever used, so that keys of deleted rows do not come back.
    package var nextRowKey: Int64 = 0
    package var rowCount: Int64 = 0

    static let size = 16

    init(nextRowKey: Int64 = 0, rowCount: Int64 = 0) {
        self.nextRowKey = nextRowKey
        self.rowCount = rowCount
    }

    init?(decoding bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.size else { return nil }
        nextRowKey = Int64(littleEndian: bytes.loadUnaligned(as: Int64.self))
        rowCount = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
        guard rowCount >= 0 else { return nil }
    }

    func encoded() -> ContiguousArray<UInt8> {
        var out = ContiguousArray<UInt8>()
        withUnsafeBytes(of: nextRowKey.littleEndian) { out.append(contentsOf: $0) }
        withUnsafeBytes(of: rowCount.littleEndian) { out.append(contentsOf: $0) }
        return out
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
