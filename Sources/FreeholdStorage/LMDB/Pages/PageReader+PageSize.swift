extension PageReader {
    /// What a page of LMDB's may measure, the usual sizes first: it is the system's page where
    /// the file was made, and 32 KiB where that is larger.
    private static let possiblePageSizes = [4096, 16384, 32768, 8192, 65536, 2048, 1024, 512]

    /// The size of pages by the first meta page, or else by the second, which says it and lies
    /// behind one page; nil where both are damaged.
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

    /// The size of pages by the numbers that they begin with, for files without a sound meta
    /// page; 4,096 where these do not tell. Reads up to 512 pages for each size.
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
