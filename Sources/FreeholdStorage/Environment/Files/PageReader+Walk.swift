extension PageReader {
    /// Visits every page of the newest version's trees, and every overflow run by its first page, and reads the free list.
    ///
    /// That the trees are whole is the only proof that a file has not lost its end: LMDB does not write
    /// pages that one transaction both took and freed, so that a sound file may be shorter than its page count. And a page that is both
    /// used and free would be overwritten by the next commit. Linear in the pages of the trees, without the values in overflow runs.
    ///
    /// - Returns: How many pages are used, and how many are free.
    /// - Throws: `truncated` or `corrupted`.
    @discardableResult
    func walk() throws(StorageError) -> (used: Int, free: Int) {
        guard meta.mainTree.isPlain, meta.freeTree.isFreeList else { throw corrupted(path, "a tree has the wrong kind") }
        var pages = PageSet(count: fileSize / meta.pageSize)
        try walk(meta.freeTree, pages: &pages, isFreeList: true)
        try walk(meta.mainTree, pages: &pages, isFreeList: false)
        return (pages.insertedCount - pages.freeCount, pages.freeCount)
    }

    private func walk(_ tree: Tree, pages: inout PageSet, isFreeList: Bool) throws(StorageError) {
        if tree.root == Tree.emptyRoot { return }
        try walk(tree.root, height: tree.depth, pages: &pages, isFreeList: isFreeList)
    }

    private func walk(
        _ number: UInt64, height: Int, pages: inout PageSet, isFreeList: Bool
    ) throws(StorageError) {
        guard height > 0, height <= PageLayout.maximumDepth else { throw damagedPage(number) }
        let page = try page(number)
        if page.isLeaf != (height == 1) || !pages.insert(number) { throw damagedPage(number) }
        for node in page.nodes {
            if !page.isLeaf {
                try walk(page.child(node), height: height - 1, pages: &pages, isFreeList: isFreeList)
                continue
            }
            switch page.flags(node) {
            case 0:
                if isFreeList { try check(freeList: page.inlineData(node), page, node, number, &pages) }
            case PageLayout.bigData:
                guard let first = page.inlineData(node).load(UInt64.self, at: 0) else { throw damagedPage(number) }
                for next in first ..< first + (try overflowPageCount(first, dataSize: page.dataSize(node))) {
                    if !pages.insert(next) { throw damagedPage(number) }
                }
                if isFreeList {
                    try check(freeList: try overflowData(first, count: page.dataSize(node)), page, node, number, &pages)
                }
            case PageLayout.subTree where !isFreeList:
                // LMDB's other kinds of tree do not occur in our files and have other pages.
                guard let tree = Tree(page.inlineData(node), at: 0), tree.isPlain else { throw damagedPage(number) }
                try walk(tree, pages: &pages, isFreeList: false)
            default:
                throw damagedPage(number)
            }
        }
    }

    /// An entry of the free list: the key is a transaction id, the data the number of pages, then the pages, descending.
    private func check(
        freeList data: [UInt8], _ page: Page, _ node: Int, _ number: UInt64, _ pages: inout PageSet
    ) throws(StorageError) {
        guard page.keySize(node) == 8, let count = data.load(UInt64.self, at: 0), count <= UInt64(data.count / 8 - 1) else {
            throw damagedPage(number)
        }
        var previous = meta.lastPage &+ 1
        for index in 0 ..< Int(count) {
            guard let free = data.load(UInt64.self, at: 8 + index * 8), free >= 2, free < previous, pages.insert(free) else {
                throw damagedPage(number)
            }
            pages.freeCount += 1
            previous = free
        }
    }
}

/// Which pages of a file have been accounted for. A page that occurs twice is damage, also what keeps a walk from
/// going round in circles.
struct PageSet {
    private var words: [UInt64]
    private let count: UInt64
    /// How many pages were put in, those behind the end of the file included.
    private(set) var insertedCount = 0
    /// How many of them the free list names.
    var freeCount = 0

    init(count: Int) {
        self.count = UInt64(count)
        words = Array(repeating: 0, count: count / 64 + 1)
    }

    /// - Returns: Whether the page was not in the set. Pages behind the end of the file are not kept: only
    ///   the free list may name them.
    mutating func insert(_ page: UInt64) -> Bool {
        if page < count {
            let (word, bit) = (Int(page / 64), UInt64(1) << (page % 64))
            if words[word] & bit != 0 { return false }
            words[word] |= bit
        }
        insertedCount += 1
        return true
    }
}

extension PageReader {
    /// The format record, or `nil` in a file of another program.
    func formatRecord() throws(StorageError) -> FormatRecord? {
        guard meta.mainTree.isPlain, let (bytes, isTree) = try lookUp(Array(Database.meta.name.utf8), in: meta.mainTree), isTree,
            let tree = Tree(bytes, at: 0), tree.isPlain, let (record, recordIsTree) = try lookUp(FormatRecord.key, in: tree),
            !recordIsTree
        else { return nil }
        return try FormatRecord(decoding: record, path: path)
    }
}
