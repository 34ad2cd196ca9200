internal import Glibc

extension PageReader {
    /// Visits every page of the newest version's trees, and every overflow run by its first
    /// page, and reads the free list.
    ///
    /// That the trees are whole is the only proof that a file has not lost its end: LMDB does
    /// not write pages that one transaction both took and freed, so that a sound file may be
    /// shorter than its page count. And a page that is both used and free would be overwritten
    /// by the next commit. Linear in the pages of the trees, without the values in overflow
    /// runs.
    ///
    /// - Returns: How many pages are used, and how many are free.
    /// - Throws: `truncated` or `corrupted`.
    @discardableResult
    func walk() throws(StorageError) -> (used: Int, free: Int) {
        try checkKinds()
        var pages = PageSet(count: fileSize / meta.pageSize)
        try walk(meta.freeTree, pages: &pages, .freeList)
        try walk(meta.mainTree, pages: &pages, .main)
        // Only free pages were never written. The next commit would take a page behind all of
        // them, and the file would be as long.
        let countBehindEnd = Int(meta.lastPage) + 1 - fileSize / meta.pageSize
        if countBehindEnd > pages.countBehindEnd {
            throw corrupted(path, "it counts \(countBehindEnd) pages behind its end")
        }
        return (pages.insertedCount - pages.freeCount, pages.freeCount)
    }

    /// Visits the pages that LMDB reads to open the databases: those of the main tree, without
    /// the databases' own.
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

    private enum WalkedTree {
        case freeList, main, database
        /// The main tree without the databases.
        case mainAlone
    }

    private func walk(_ tree: Tree, pages: inout PageSet, _ kind: WalkedTree) throws(StorageError) {
        if tree.root == Tree.emptyRoot {
            if tree.depth != 0 || tree.entryCount != 0 {
                throw corrupted(path, "an empty tree has entries")
            }
            return
        }
        let entryCount = try walk(
            tree.root, height: tree.depth, from: nil, to: nil, pages: &pages, kind)
        if entryCount != tree.entryCount {
            throw corrupted(path, "a tree has \(entryCount) entries instead of \(tree.entryCount)")
        }
    }

    /// - Parameter low, high: What the page's keys are not below, and what they are below.
    /// - Returns: How many entries are below the page.
    private func walk(
        _ number: UInt64, height: Int, from low: [UInt8]?, to high: [UInt8]?, pages: inout PageSet,
        _ kind: WalkedTree
    ) throws(StorageError) -> UInt64 {
        guard height > 0, height <= PageLayout.maximumDepth else { throw damagedPage(number) }
        let page = try page(number)
        if page.isLeaf != (height == 1) || !pages.insert(number) { throw damagedPage(number) }
        try checkOrder(page, number, from: low, to: high, kind)
        if page.isLeaf {
            for node in page.nodes { try check(leafNode: node, page, number, &pages, kind) }
            return UInt64(page.nodes.count)
        }
        var entryCount: UInt64 = 0
        for (index, node) in page.nodes.enumerated() {
            let start = index == 0 ? low : Array(page.key(node))
            let end = index + 1 < page.nodes.count ? Array(page.key(page.nodes[index + 1])) : high
            entryCount += try walk(
                page.child(node), height: height - 1, from: start, to: end, pages: &pages, kind)
        }
        return entryCount
    }

    /// Whether the keys ascend, each inside of the page's range: LMDB would find other entries,
    /// or none, and put new ones in the wrong places.
    private func checkOrder(
        _ page: Page, _ number: UInt64, from low: [UInt8]?, to high: [UInt8]?, _ kind: WalkedTree
    ) throws(StorageError) {
        // The first child of a branch has everything below the second one's key, whatever its
        // own says.
        let nodes = page.nodes[(page.isLeaf ? 0 : 1)...]
        let isInOrder = page.bytes.withUnsafeBytes { bytes in
            var previous: UnsafeRawBufferPointer?
            for node in nodes {
                let key = UnsafeRawBufferPointer(rebasing: bytes[page.keyRange(node)])
                guard !key.isEmpty, kind != .freeList || key.count == 8 else { return false }
                if let previous, !Self.isBelow(previous, key, kind) { return false }
                if previous == nil, let low, low.withUnsafeBytes({ Self.isBelow(key, $0, kind) }) {
                    return false
                }
                previous = key
            }
            guard let previous, let high else { return true }
            return high.withUnsafeBytes { Self.isBelow(previous, $0, kind) }
        }
        if !isInOrder { throw damagedPage(number) }
    }

    private static func isBelow(
        _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, _ kind: WalkedTree
    ) -> Bool {
        // The free list's keys are integers, as the processor has them.
        if kind == .freeList {
            return a.count == 8 && b.count == 8
                && a.loadUnaligned(as: UInt64.self) < b.loadUnaligned(as: UInt64.self)
        }
        guard let aStart = a.baseAddress, let bStart = b.baseAddress else {
            return a.isEmpty && !b.isEmpty
        }
        let order = memcmp(aStart, bStart, min(a.count, b.count))
        return order != 0 ? order < 0 : a.count < b.count
    }

    private func check(
        leafNode node: Int, _ page: Page, _ number: UInt64, _ pages: inout PageSet,
        _ kind: WalkedTree
    ) throws(StorageError) {
        switch page.flags(node) {
        case 0:
            if kind == .freeList {
                try check(freeList: page.inlineData(node), page, node, number, &pages)
            }
        case PageLayout.bigData:
            guard let first = page.inlineData(node).load(UInt64.self, at: 0) else {
                throw damagedPage(number)
            }
            for next in first..<first
                + (try overflowPageCount(first, dataSize: page.dataSize(node)))
            {
                if !pages.insert(next) { throw damagedPage(number) }
            }
            if kind == .freeList {
                try check(
                    freeList: try overflowData(first, count: page.dataSize(node)), page, node,
                    number, &pages)
            }
        case PageLayout.subTree where kind == .main || kind == .mainAlone:
            // LMDB's other kinds of tree do not occur in our files and have other pages.
            guard let tree = Tree(page.inlineData(node), at: 0), tree.isPlain,
                page.dataSize(node) == Tree.byteCount
            else { throw damagedPage(number) }
            // LMDB asserts that it is behind the meta pages, and reads it when it opens the
            // database.
            guard tree.root == Tree.emptyRoot || tree.root >= 2 && tree.root <= meta.lastPage else {
                throw damagedPage(number)
            }
            if kind == .main { try walk(tree, pages: &pages, .database) }
        default:
            throw damagedPage(number)
        }
    }

    /// An entry of the free list: the key is a transaction id, the data the number of pages,
    /// then the pages, descending.
    ///
    /// LMDB takes the entry after the one that it took last, and the first one where that is 0:
    /// it would take an entry of transaction 0 twice, and give out its pages twice.
    private func check(
        freeList data: [UInt8], _ page: Page, _ node: Int, _ number: UInt64, _ pages: inout PageSet
    ) throws(StorageError) {
        guard let transaction = Array(page.key(node)).load(UInt64.self, at: 0),
            page.keySize(node) == 8,
            transaction >= 1, transaction <= meta.transaction,
            let count = data.load(UInt64.self, at: 0), count <= UInt64(data.count / 8 - 1)
        else { throw damagedPage(number) }
        var previous = meta.lastPage &+ 1
        for index in 0..<Int(count) {
            guard let free = data.load(UInt64.self, at: 8 + index * 8), free >= 2, free < previous,
                pages.insert(free)
            else {
                throw damagedPage(number)
            }
            pages.freeCount += 1
            previous = free
        }
    }
}
