/// One of the two pages at the head of the file (``PageLayout``), which commits write
/// alternately.
struct MetaPage: Equatable {
    var pageSize: Int
    var freeTree: TreeRecord
    var mainTree: TreeRecord
    var lastPage: UInt64
    var transaction: UInt64

    /// The number of bytes read of a page, including its header.
    static let byteCount = PageLayout.headerSize + 136
    /// The bytes that a commit writes.
    static let contents = PageLayout.headerSize..<byteCount
    /// The offset of `transaction` on its page.
    static let transactionOffset = PageLayout.headerSize + transactionPlace
    private static let transactionPlace = 128
    /// `MDB_MAGIC`.
    private static let magic: UInt32 = 0xBEEF_C0DE
    /// `MDB_DATA_VERSION`.
    private static let dataVersion: UInt32 = 1

    enum Defect: Error { case notLMDB, dataVersion(UInt32) }

    /// - Parameter start: Where `byteCount` bytes can be read, at any alignment.
    static func decode(at start: UnsafeRawPointer) -> Result<MetaPage, Defect> {
        let base = start + PageLayout.headerSize
        guard PageHeader(at: start).flags & PageLayout.meta != 0, base.integer(at: 0) == magic
        else {
            // The page headers of LMDB 1.0 are 8 bytes longer.
            return .failure(
                base.integer(at: 8) == magic ? .dataVersion(base.integer(at: 12)) : .notLMDB)
        }
        let version: UInt32 = base.integer(at: 4)
        guard version == dataVersion else { return .failure(.dataVersion(version)) }
        // LMDB keeps the page size in the unused first word of the free tree's record.
        let pageSize = Int(base.integer(at: 24) as UInt32)
        guard (512...65536).contains(pageSize), pageSize.nonzeroBitCount == 1 else {
            return .failure(.notLMDB)
        }
        return .success(
            MetaPage(
                pageSize: pageSize, freeTree: TreeRecord(at: base + 24),
                mainTree: TreeRecord(at: base + 72), lastPage: base.integer(at: 120),
                transaction: base.integer(at: transactionPlace)))
    }

    /// Reads and decodes the page at an offset; nil if the file ends within it.
    static func read(_ descriptor: Int32, at offset: Int, path: String) throws(StorageError)
        -> Result<MetaPage, Defect>?
    {
        try readBytes(descriptor, at: offset, count: byteCount, path: path)?
            .withUnsafeBytes { decode(at: $0.baseAddress.unsafelyUnwrapped) }
    }
}
