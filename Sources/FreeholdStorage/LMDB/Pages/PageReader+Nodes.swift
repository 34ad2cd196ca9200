extension PageReader {
    /// A branch or leaf page that has been found sound: every node lies inside it.
    struct Page {
        let bytes: [UInt8]
        let isLeaf: Bool
        let nodes: [Int]

        func key(_ node: Int) -> ArraySlice<UInt8> { bytes[keyRange(node)] }

        /// Where a node's key is in `bytes`.
        func keyRange(_ node: Int) -> Range<Int> {
            let start = node + PageLayout.nodeHeader
            return start..<start + keySize(node)
        }

        /// The page below a branch's node.
        func child(_ node: Int) -> UInt64 {
            UInt64(word(node)) | UInt64(word(node + 2)) << 16 | UInt64(word(node + 4)) << 32
        }

        func flags(_ node: Int) -> UInt16 { word(node + 4) }

        /// The data kept in a leaf's node itself.
        func inlineData(_ node: Int) -> [UInt8] {
            let start = node + PageLayout.nodeHeader + keySize(node)
            return Array(bytes[start..<start + inlineSize(node)])
        }

        func dataSize(_ node: Int) -> Int { Int(word(node)) | Int(word(node + 2)) << 16 }

        func inlineSize(_ node: Int) -> Int {
            flags(node) & PageLayout.bigData != 0 ? 8 : dataSize(node)
        }

        func keySize(_ node: Int) -> Int { Int(word(node + 6)) }

        private func word(_ offset: Int) -> UInt16 {
            UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
        }
    }

    /// Reads a branch or leaf page and checks its own structure.
    func page(_ number: UInt64) throws(StorageError) -> Page {
        let bytes = try pageBytes(number)
        guard bytes.load(UInt64.self, at: 0) == number, let flags = bytes.load(UInt16.self, at: 10),
            flags == PageLayout.branch || flags == PageLayout.leaf,
            let lower = bytes.load(UInt16.self, at: 12).map(Int.init),
            let upper = bytes.load(UInt16.self, at: 14).map(Int.init), lower >= PageLayout.header,
            lower <= upper,
            upper <= meta.pageSize, lower % 2 == 0
        else { throw damagedPage(number) }
        var nodes: [Int] = []
        nodes.reserveCapacity((lower - PageLayout.header) / 2)
        for offset in stride(from: PageLayout.header, to: lower, by: 2) {
            guard let node = bytes.load(UInt16.self, at: offset).map(Int.init), node >= upper,
                node + PageLayout.nodeHeader <= meta.pageSize
            else { throw damagedPage(number) }
            nodes.append(node)
        }
        let page = Page(bytes: bytes, isLeaf: flags == PageLayout.leaf, nodes: nodes)
        guard isTiled(page, from: upper) else { throw damagedPage(number) }
        // LMDB asserts that a branch has a choice.
        if nodes.count < (page.isLeaf ? 1 : 2) { throw damagedPage(number) }
        return page
    }

    /// Whether the nodes fill the page from an offset to its end, one behind the other: LMDB
    /// moves the bytes between them when it adds and deletes one, by their sizes.
    private func isTiled(_ page: Page, from upper: Int) -> Bool {
        // A bit for each place where a node may begin.
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: meta.pageSize / 128 + 1) {
            starts in
            starts.initialize(repeating: 0)
            for node in page.nodes {
                let (word, bit) = (node / 128, UInt64(1) << UInt64(node / 2 % 64))
                if node % 2 != 0 || starts[word] & bit != 0 { return false }
                starts[word] |= bit
            }
            var end = upper
            var count = 0
            while end < meta.pageSize {
                if starts[end / 128] & UInt64(1) << UInt64(end / 2 % 64) == 0 { return false }
                let size =
                    PageLayout.nodeHeader + page.keySize(end)
                    + (page.isLeaf ? page.inlineSize(end) : 0)
                end += (size + 1) / 2 * 2
                count += 1
            }
            return end == meta.pageSize && count == page.nodes.count
        }
    }

    /// The number of pages of the overflow run that begins at a page, with the run known to lie
    /// inside the file.
    func overflowPageCount(_ number: UInt64, dataSize: Int) throws(StorageError) -> UInt64 {
        let bytes = try headerBytes(number)
        guard bytes.load(UInt64.self, at: 0) == number,
            bytes.load(UInt16.self, at: 10) == PageLayout.overflow,
            let count = bytes.load(UInt32.self, at: 12).map(UInt64.init), count > 0,
            UInt64(dataSize) + UInt64(PageLayout.header) <= count * UInt64(meta.pageSize),
            count - 1 <= meta.lastPage - number
        else { throw damagedPage(number) }
        try checkInsideFile(number + count - 1)
        return count
    }

    /// The data in an overflow run, which is known to lie inside the file.
    func overflowData(_ first: UInt64, count: Int) throws(StorageError) -> [UInt8] {
        let offset = Int(first) * meta.pageSize + PageLayout.header
        guard let bytes = try readBytes(descriptor, at: offset, count: count, path: path) else {
            throw Self.truncated(path)
        }
        return bytes
    }

    /// The data of a key in a tree, or `nil`. Data in an overflow run is not read and counts as
    /// damage: this looks up records that are small.
    func lookUp(_ key: [UInt8], in tree: Tree) throws(StorageError) -> (
        data: [UInt8], isTree: Bool
    )? {
        if tree.root == Tree.emptyRoot { return nil }
        var number = tree.root
        for _ in 0..<PageLayout.maximumDepth {
            let page = try page(number)
            if page.isLeaf {
                guard let node = page.nodes.first(where: { page.key($0).elementsEqual(key) }) else {
                    return nil
                }
                let flags = page.flags(node)
                if flags & PageLayout.bigData != 0 { throw damagedPage(number) }
                return (page.inlineData(node), flags & PageLayout.subTree != 0)
            }
            // The first child holds everything below the second's key, whatever its own key says.
            let next =
                page.nodes.dropFirst().last { !key.lexicographicallyPrecedes(page.key($0)) }
                ?? page.nodes[0]
            number = page.child(next)
        }
        throw corrupted(path, "a tree is too deep")
    }

    func damagedPage(_ number: UInt64) -> StorageError {
        corrupted(path, "page \(number) is not what the pages before it say")
    }

    private func pageBytes(_ number: UInt64) throws(StorageError) -> [UInt8] {
        try bytes(of: number, count: meta.pageSize)
    }

    private func headerBytes(_ number: UInt64) throws(StorageError) -> [UInt8] {
        try bytes(of: number, count: PageLayout.header)
    }

    private func bytes(of number: UInt64, count: Int) throws(StorageError) -> [UInt8] {
        guard number >= 2, number <= meta.lastPage else {
            throw corrupted(path, "it refers to page \(number) of \(meta.lastPage)")
        }
        try checkInsideFile(number)
        guard
            let bytes = try readBytes(
                descriptor, at: Int(number) * meta.pageSize, count: count, path: path)
        else {
            throw Self.truncated(path)
        }
        return bytes
    }

    private func checkInsideFile(_ number: UInt64) throws(StorageError) {
        if number >= UInt64(fileSize / meta.pageSize) { throw Self.truncated(path) }
    }
}
