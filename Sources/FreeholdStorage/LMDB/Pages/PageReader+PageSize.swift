extension PageReader {
    /// The possible page sizes of LMDB, the usual ones first. A file has the page size of the
    /// system where it was made, and 32 KiB if that is larger.
    private static let possiblePageSizes = [4096, 16384, 32768, 8192, 65536, 2048, 1024, 512]

    /// The page size according to the first meta page, or to the second, which follows after
    /// one page. Nil if both are damaged.
    static func pageSize(by first: MetaPage?, _ descriptor: Int32, path: String)
        throws(StorageError) -> Int?
    {
        if let first { return first.pageSize }
        for size in possiblePageSizes {
            if case .success(let meta)? = try MetaPage.read(descriptor, at: size, path: path),
                meta.pageSize == size
            {
                return size
            }
        }
        return nil
    }

    /// The page size according to the numbers at the beginning of pages, for files without a
    /// sound meta page; 4,096 if these do not tell. Reads up to 512 pages for each size.
    static func pageSizeByNumbers(_ descriptor: Int32, path: String) throws(StorageError) -> Int {
        var best = (size: 4096, count: 0)
        for size in possiblePageSizes {
            var count = 0
            for number in 2..<512 {
                guard
                    let bytes = try readBytes(
                        descriptor, at: number * size, count: PageLayout.headerSize, path: path)
                else { break }
                if PageHeader(bytes).number == UInt64(number) { count += 1 }
            }
            if count > best.count { best = (size, count) }
        }
        return best.size
    }
}
