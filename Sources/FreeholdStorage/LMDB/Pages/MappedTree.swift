/// One database's tree at one version, as it lies in LMDB's map.
///
/// A reader's pages do not change while its transaction lives, because the map is never written
/// (no WRITEMAP) and never moves. Nothing that is read there is trusted (``MappedPage``).
package struct MappedTree {
    /// Where page 0 is in memory.
    private let base: UnsafeRawPointer
    package let root: UInt64
    /// How many pages are on the way from the root to an entry, both ends counted.
    package let depth: Int
    /// No page of the version has a number above this one.
    package let lastPage: UInt64
    package let pageSize: Int

    /// - Parameter base: Where page 0 would be; pages up to `lastPage` are there and aligned to
    ///   8 bytes.
    package init(base: UnsafeRawPointer, root: UInt64, depth: Int, lastPage: UInt64, pageSize: Int)
    {
        self.base = base
        self.root = root
        self.depth = depth
        self.lastPage = lastPage
        self.pageSize = pageSize
    }

    /// Finds a database's tree by its record in the main tree; nil where that is not as expected.
    ///
    /// - Parameter pageSize: Of pages that are found by address
    ///   (``MappedPage/findableSize(_:systemPageSize:)``).
    init?(_ database: Database, in transaction: LMDBTransaction, pageSize: Int, lastPage: Int) {
        var name = database.name
        let bytes = name.withUTF8 { name in
            try? transaction.value(Database.mainHandle, UnsafeRawBufferPointer(name)).get()
        }
        guard let bytes, let record = TreeRecord(bytes), record.isPlain,
            let start = bytes.baseAddress
        else { return nil }
        // The record lies on a page, which says its own number.
        let page = MappedPage(containing: start, size: pageSize)
        let number = page.number
        guard number >= PageLayout.firstPage, number <= UInt64(lastPage) else { return nil }
        self.init(
            base: page.start - Int(number) * pageSize, root: record.root, depth: record.depth,
            lastPage: UInt64(lastPage), pageSize: pageSize)
    }

    package var isEmpty: Bool { root == TreeRecord.emptyRoot }
    /// Whether a tree that is not empty can be so high.
    @inline(__always)
    var hasPossibleDepth: Bool { depth > 0 && depth <= PageLayout.maximumDepth }

    /// Where a page with a number lies; nil where there is none. What lies there may be another
    /// page.
    @inline(__always)
    private func unverifiedPage(_ number: UInt64) -> MappedPage? {
        guard number >= PageLayout.firstPage, number <= lastPage else { return nil }
        return MappedPage(start: base + Int(truncatingIfNeeded: number) &* pageSize, size: pageSize)
    }

    /// The page that says that it has a number; nil where there is none.
    @inline(__always)
    private func page(_ number: UInt64) -> MappedPage? {
        guard let page = unverifiedPage(number), page.number == number else { return nil }
        return page
    }

    /// A branch or a leaf, and how many nodes it has.
    ///
    /// - Parameter height: How many pages are on the way from it to an entry, both ends counted.
    @inline(__always)
    func page(_ number: UInt64, height: Int) throws(MappedPage.Damage) -> (
        page: MappedPage, count: Int
    ) {
        guard let page = page(number), let count = page.count,
            height == 1 ? page.isLeaf : page.isBranch
        else { throw MappedPage.Damage() }
        return (page, count)
    }

    /// The value of a key, wherever it is; `unknown` where a page is not as expected, or the
    /// key is empty. One descent.
    ///
    /// `mdb_get` compares the key with one entry after another, each on a line of memory that
    /// no cache holds, and none is asked for before the comparison with the one before it is
    /// done: in a large tree that waiting is most of a lookup. Here a page's head is asked for
    /// before it is read, and the entries that the next three comparisons can be with at once.
    @inline(__always)
    package func find(_ key: UnsafeRawBufferPointer) -> MappedPage.Outcome {
        if isEmpty { return .missing }
        guard !key.isEmpty, hasPossibleDepth else { return .unknown }
        var number = root
        for _ in 1..<depth {
            guard let page = requestedPage(number), page.isBranch, let count = page.count,
                let child = page.child(for: key, count)
            else { return .unknown }
            number = child
        }
        guard let page = requestedPage(number), page.isLeaf, let count = page.count,
            let (index, isExact) = page.search(key, from: 0, count)
        else { return .unknown }
        if !isExact { return .missing }
        guard let node = page.leafNode(at: index), let value = value(of: node) else {
            return .unknown
        }
        return .found(value)
    }

    /// As ``page(_:)``, with what says where the page's nodes are on its way from memory.
    @inline(__always)
    private func requestedPage(_ number: UInt64) -> MappedPage? {
        guard let page = unverifiedPage(number) else { return nil }
        page.prefetchOffsets()
        return page.number == number ? page : nil
    }

    /// The value of a leaf's node; nil where the pages of a large one are not as expected.
    @inline(__always)
    func value(of node: MappedPage.LeafNode) -> UnsafeRawBufferPointer? {
        node.largeValue == 0 ? node.value : largeValue(at: node.largeValue, count: node.valueSize)
    }

    /// The free list of the version that a meta page of the map says it is of; nil where
    /// neither does, as of an older version.
    func freeList(ofTransaction identifier: UInt64) -> MappedTree? {
        for start in [base, base + pageSize] {
            guard case .success(let meta) = MetaPage.decode(at: start),
                meta.transaction == identifier
            else { continue }
            return MappedTree(
                base: base, root: meta.freeTree.root, depth: meta.freeTree.depth,
                lastPage: lastPage, pageSize: pageSize)
        }
        return nil
    }

    /// A large value, which has pages of its own; nil where these are not as expected.
    private func largeValue(at number: UInt64, count: Int) -> UnsafeRawBufferPointer? {
        guard let page = page(number), let pageCount = page.overflowPageCount, count >= 0,
            count <= pageCount &* pageSize &- PageLayout.headerSize,
            UInt64(pageCount) <= lastPage &- number &+ 1
        else { return nil }
        return UnsafeRawBufferPointer(start: page.start + PageLayout.headerSize, count: count)
    }
}
