/// One chunk of a long value: a checksum (UInt32, the low half of XXH64 seeded with its place),
/// then up to 16,364 bytes. A full chunk takes exactly four pages.
enum StoredBlob {
    static let headerSize = 4
    static let chunkSize = 16_364

    static func checksum(
        _ bytes: UnsafeRawBufferPointer, _ table: TableID, _ column: ColumnID, rowKey: Int64,
        chunk: UInt32
    ) -> UInt32 {
        UInt32(
            truncatingIfNeeded: Checksum.xxh64(
                bytes, seed: CollectionLeaf.seed(table, column, rowKey: rowKey, chunk)))
    }

    /// Whether the checksum of a stored chunk, which has a header, is that of its contents.
    static func hasRightChecksum(
        _ stored: UnsafeRawBufferPointer, _ table: TableID, _ column: ColumnID, rowKey: Int64,
        chunk: UInt32
    ) -> Bool {
        UInt32(littleEndian: stored.loadUnaligned(as: UInt32.self))
            == checksum(
                UnsafeRawBufferPointer(rebasing: stored[headerSize...]), table, column,
                rowKey: rowKey, chunk: chunk)
    }
}
