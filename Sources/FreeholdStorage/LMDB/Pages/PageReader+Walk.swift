extension PageReader {
    /// Visits every page of the newest version's trees, and every overflow run by its first
    /// page, and reads the free list.
    ///
    /// Only complete trees prove that a file has not lost its end. LMDB does not write pages
    /// that one transaction both took and freed, so a sound file may be shorter than its page
    /// count. The walk also finds pages that are both used and free, which the next commit
    /// would overwrite. Linear in the pages of the trees, without the values in overflow runs.
    ///
    /// - Returns: How many pages are used, and how many are free.
    /// - Throws: `truncated` or `corrupted`.
    @discardableResult
    func walk() throws(StorageError) -> (used: Int, free: Int) {
        try checkKinds()
        var pages = PageSet(count: fileSize / meta.pageSize)
        try walk(meta.freeTree, pages: &pages, .freeList)
        try walk(meta.mainTree, pages: &pages, .main)
        // Only free pages may be unwritten. The next commit would take a page behind all of
        // them, and would extend the file to that length.
        let countBehindEnd = Int(meta.lastPage) + 1 - fileSize / meta.pageSize
        if countBehindEnd > pages.countBehindEnd {
            throw corrupted(path, "it counts \(countBehindEnd) pages behind its end")
        }
        return (pages.insertedCount - pages.freeCount, pages.freeCount)
    }

    /// Visits the pages that LMDB reads to open the databases: those of the main tree, without
    /// the databases' own pages.
    func walkMainTree() throws(StorageError) {
        try checkKinds()
        var pages = PageSet(count: fileSize / meta.pageSize)
        try walk(meta.mainTree, pages: &pages, .mainAlone)
    }

    private func checkKinds() throws(StorageError) {
        guard meta.mainTree.isPlain, meta.freeTree.isFreeList else {
            throw corrupted(path, "a tree has the wrong kind")
        }
    }

    enum WalkedTree {
        case freeList, main, database
        /// The main tree without the databases.
        case mainAlone
    }

    private func walk(_ tree: TreeRecord, pages: inout PageSet, _ kind: WalkedTree)
        throws(StorageError)
    {
        if tree.isEmpty {
            if tree.depth != 0 || tree.entryCount != 0 {
                throw corrupted(path, "an empty tree has entries")
            }
            return
        }
        let root = Subtree(root: tree.root, height: tree.depth)
        let entryCount =
            kind == .database && threadCount > 1
            ? try walkInParts(root, pages: &pages) : try walk(root, pages: &pages, kind)
        if entryCount != tree.entryCount {
            throw corrupted(path, "a tree has \(entryCount) entries instead of \(tree.entryCount)")
        }
    }

    /// A page of a tree with what is below it.
    struct Subtree: Sendable {
        let root: UInt64
        let height: Int
        /// The bounds of the keys: at least `low`, below `high`. Nil is unbounded.
        var low: [UInt8]?
        var high: [UInt8]?
    }

    /// - Returns: The number of entries below the page.
    func walk(_ subtree: Subtree, pages: inout PageSet, _ kind: WalkedTree) throws(StorageError)
        -> UInt64
    {
        let page = try visit(subtree, pages: &pages, kind)
        if page.isLeaf { return UInt64(page.nodes.count) }
        var entryCount: UInt64 = 0
        for index in page.nodes.indices {
            entryCount += try walk(child(index, of: page, subtree), pages: &pages, kind)
        }
        return entryCount
    }

    /// Checks a page itself, and what its entries refer to.
    func visit(_ subtree: Subtree, pages: inout PageSet, _ kind: WalkedTree) throws(StorageError)
        -> Page
    {
        let number = subtree.root
        guard subtree.height > 0, subtree.height <= PageLayout.maximumDepth else {
            throw damagedPage(number)
        }
        try onPage?()
        let page = try page(number)
        if page.isLeaf != (subtree.height == 1) || !pages.insert(number) {
            throw damagedPage(number)
        }
        try checkOrder(page, from: subtree.low, to: subtree.high, kind)
        if page.isLeaf {
            for node in page.nodes { try check(leafNode: node, page, &pages, kind) }
        }
        return page
    }

    /// What is below a node of a branch, the root of a subtree.
    func child(_ index: Int, of branch: Page, _ subtree: Subtree) -> Subtree {
        let nodes = branch.nodes
        return Subtree(
            root: nodes[index].header.child, height: subtree.height - 1,
            low: index == 0 ? subtree.low : Array(branch.key(nodes[index])),
            high: index + 1 < nodes.count ? Array(branch.key(nodes[index + 1])) : subtree.high)
    }

    private func checkOrder(
        _ page: Page, from low: [UInt8]?, to high: [UInt8]?, _ kind: WalkedTree
    ) throws(StorageError) {
        let isInOrder = page.bytes.withUnsafeBytes { bytes in
            Self.withBytes(low) { low in
                Self.withBytes(high) { high in
                    KeyBounds(low: low, high: high).holdInOrder(
                        page.nodes[(page.isLeaf ? 0 : 1)...], on: bytes,
                        isFreeList: kind == .freeList)
                }
            }
        }
        if !isInOrder { throw damagedPage(page.number) }
    }

    private static func withBytes<Result>(
        _ key: [UInt8]?, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result { key?.withUnsafeBytes { body($0) } ?? body(nil) }

    private func check(
        leafNode node: Node, _ page: Page, _ pages: inout PageSet, _ kind: WalkedTree
    ) throws(StorageError) {
        switch node.header.flags {
        case 0, PageLayout.bigData:
            if let run = try overflowRun(node, on: page) {
                for number in run where !pages.insert(number) { throw damagedPage(page.number) }
            }
            if kind == .freeList { try check(freeListNode: node, page, &pages) }
        case PageLayout.subTree where kind == .main || kind == .mainAlone:
            // LMDB's other kinds of tree do not occur in our files and have other pages.
            guard let tree = page.data(node).withUnsafeBytes(TreeRecord.init(_:)), tree.isPlain
            else { throw damagedPage(page.number) }
            // When LMDB opens the database, it reads the root and asserts that it lies behind
            // the meta pages.
            guard
                tree.isEmpty || tree.root >= PageLayout.firstPage && tree.root <= meta.lastPage
            else { throw damagedPage(page.number) }
            if kind == .main { try walk(tree, pages: &pages, .database) }
        default:
            throw damagedPage(page.number)
        }
    }

    /// Checks an entry of the free list. LMDB takes the entry after the last one that it took,
    /// and the first one if that number is 0. It would take an entry of transaction 0 twice,
    /// and so allocate its pages twice.
    private func check(freeListNode node: Node, _ page: Page, _ pages: inout PageSet)
        throws(StorageError)
    {
        guard let transaction = page.integerKey(node), transaction >= 1,
            transaction <= meta.transaction
        else { throw damagedPage(page.number) }
        var previous = meta.lastPage &+ 1
        for free in try freedPages(node, on: page) {
            guard free >= PageLayout.firstPage, free < previous, pages.insert(free) else {
                throw damagedPage(page.number)
            }
            pages.freeCount += 1
            previous = free
        }
    }
}
