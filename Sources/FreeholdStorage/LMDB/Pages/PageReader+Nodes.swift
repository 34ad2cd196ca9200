extension PageReader {
    /// A branch or leaf page that was checked: every node lies inside it.
    struct Page {
        let number: UInt64
        let bytes: [UInt8]
        let isLeaf: Bool
        let nodes: [Node]

        func key(_ node: Node) -> ArraySlice<UInt8> { bytes[node.key] }

        /// The key as an integer of the free list; nil if its length differs.
        func integerKey(_ node: Node) -> UInt64? {
            node.header.keySize == 8 ? bytes.load(UInt64.self, at: node.key.lowerBound) : nil
        }

        /// The data that are stored in a leaf's node itself.
        func data(_ node: Node) -> [UInt8] { Array(bytes[node.data]) }
    }

    /// A node of a sound page.
    struct Node {
        /// Its offset on its page.
        let offset: Int
        let header: NodeHeader

        /// The range of its key on its page.
        var key: Range<Int> {
            let start = offset + PageLayout.nodeHeaderSize
            return start..<start + header.keySize
        }

        /// The range of the data that follow the key of a leaf's node.
        var data: Range<Int> { key.upperBound..<key.upperBound + header.storedSize }
    }

    /// Reads a branch or leaf page and checks its own structure.
    func page(_ number: UInt64) throws(StorageError) -> Page {
        let bytes = try bytes(of: number, count: meta.pageSize)
        let found = bytes.withUnsafeBytes { Self.nodes($0, of: number) }
        guard let found else { throw damagedPage(number) }
        return Page(number: number, bytes: bytes, isLeaf: found.isLeaf, nodes: found.nodes)
    }

    /// The nodes of a page; nil if it is no sound branch or leaf with this number.
    static func nodes(_ bytes: UnsafeRawBufferPointer, of number: UInt64) -> (
        isLeaf: Bool, nodes: [Node]
    )? {
        let start = bytes.baseAddress.unsafelyUnwrapped
        let header = PageHeader(at: start)
        let isLeaf = header.flags == PageLayout.leaf
        guard header.number == number, isLeaf || header.flags == PageLayout.branch,
            header.lower >= PageLayout.headerSize, header.lower <= header.upper,
            header.upper <= bytes.count, header.lower % 2 == 0
        else { return nil }
        let count = (header.lower - PageLayout.headerSize) / 2
        // LMDB asserts that a branch has at least two children.
        if count < (isLeaf ? 1 : 2) { return nil }
        var nodes: [Node] = []
        nodes.reserveCapacity(count)
        for place in stride(from: PageLayout.headerSize, to: header.lower, by: 2) {
            let offset = Int(start.integer(at: place) as UInt16)
            guard offset >= header.upper, offset + PageLayout.nodeHeaderSize <= bytes.count else {
                return nil
            }
            nodes.append(Node(offset: offset, header: NodeHeader(at: start + offset)))
        }
        return isTiled(nodes, isLeaf, bytes, from: header.upper) ? (isLeaf, nodes) : nil
    }

    /// Whether the nodes fill the page from an offset to its end without gaps. LMDB relies on
    /// their sizes when it moves the bytes between them to add or delete a node.
    private static func isTiled(
        _ nodes: [Node], _ isLeaf: Bool, _ page: UnsafeRawBufferPointer, from upper: Int
    ) -> Bool {
        // A bit for each possible start of a node.
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: page.count / 128 + 1) { starts in
            starts.initialize(repeating: 0)
            for node in nodes {
                let (word, bit) = (node.offset / 128, UInt64(1) << UInt64(node.offset / 2 % 64))
                if node.offset % 2 != 0 || starts[word] & bit != 0 { return false }
                starts[word] |= bit
            }
            var end = upper
            var count = 0
            while end < page.count {
                if starts[end / 128] & UInt64(1) << UInt64(end / 2 % 64) == 0 { return false }
                let header = NodeHeader(at: page.baseAddress.unsafelyUnwrapped + end)
                let size =
                    PageLayout.nodeHeaderSize + header.keySize + (isLeaf ? header.storedSize : 0)
                end += (size + 1) / 2 * 2
                count += 1
            }
            return end == page.count && count == nodes.count
        }
    }

    // MARK: Large values

    /// The pages of a leaf's large value, which are checked to be in the file; nil if the value
    /// follows its key.
    func overflowRun(_ node: Node, on page: Page) throws(StorageError) -> Range<UInt64>? {
        guard node.header.isLarge else { return nil }
        guard let first = page.bytes.load(UInt64.self, at: node.data.lowerBound) else {
            throw damagedPage(page.number)
        }
        let header = PageHeader(try bytes(of: first, count: PageLayout.headerSize))
        let count = UInt64(header.pageCount)
        guard header.number == first, header.flags == PageLayout.overflow, count > 0,
            node.header.dataSize + PageLayout.headerSize <= header.pageCount * meta.pageSize,
            count - 1 <= meta.lastPage - first
        else { throw damagedPage(first) }
        try checkInsideFile(first + count - 1)
        return first..<first + count
    }

    /// The data of a leaf's node, wherever they are.
    private func data(_ node: Node, on page: Page) throws(StorageError) -> [UInt8] {
        guard let run = try overflowRun(node, on: page) else { return page.data(node) }
        let offset = Int(run.lowerBound) * meta.pageSize + PageLayout.headerSize
        guard
            let bytes = try readBytes(
                descriptor, at: offset, count: node.header.dataSize, path: path)
        else { throw Self.truncated(path) }
        return bytes
    }

    /// The pages that an entry of the free list names.
    func freedPages(_ node: Node, on page: Page) throws(StorageError) -> [UInt64] {
        let data = try data(node, on: page)
        guard let pages = data.withUnsafeBytes({ FreedPages($0).map(Array.init) }) else {
            throw damagedPage(page.number)
        }
        return pages
    }

    // MARK: Looking up

    /// The leaf that a descent reaches; nil if the tree is empty. One path.
    ///
    /// - Parameter isReached: Whether the sought key is not below the key of a branch's node.
    func leaf(of tree: TreeRecord, _ isReached: (Page, Node) -> Bool) throws(StorageError) -> Page?
    {
        if tree.isEmpty { return nil }
        var number = tree.root
        for _ in 0..<PageLayout.maximumDepth {
            let page = try page(number)
            if page.isLeaf { return page }
            // The first child holds everything below the second's key, whatever its own key says.
            let next = page.nodes.dropFirst().last { isReached(page, $0) } ?? page.nodes[0]
            number = next.header.child
        }
        throw corrupted(path, "a tree is too deep")
    }

    /// The data of a key in a tree, or nil. It looks up small records only, so data in an
    /// overflow run count as damage.
    func lookUp(_ key: [UInt8], in tree: TreeRecord) throws(StorageError) -> (
        data: [UInt8], isTree: Bool
    )? {
        let leaf = try leaf(of: tree) { page, node in
            !key.lexicographicallyPrecedes(page.key(node))
        }
        guard let leaf, let node = leaf.nodes.first(where: { leaf.key($0).elementsEqual(key) })
        else { return nil }
        if node.header.isLarge { throw damagedPage(leaf.number) }
        return (leaf.data(node), node.header.flags & PageLayout.subTree != 0)
    }

    // MARK: Pages

    func damagedPage(_ number: UInt64) -> StorageError {
        corrupted(path, "page \(number) is not what the pages before it say")
    }

    private func bytes(of number: UInt64, count: Int) throws(StorageError) -> [UInt8] {
        guard number >= PageLayout.firstPage, number <= meta.lastPage else {
            throw corrupted(path, "it refers to page \(number) of \(meta.lastPage)")
        }
        try checkInsideFile(number)
        guard
            let bytes = try readBytes(
                descriptor, at: Int(number) * meta.pageSize, count: count, path: path)
        else { throw Self.truncated(path) }
        return bytes
    }

    private func checkInsideFile(_ number: UInt64) throws(StorageError) {
        if number >= UInt64(fileSize / meta.pageSize) { throw Self.truncated(path) }
    }
}
