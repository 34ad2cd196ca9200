/// One database's tree at one version, read directly from LMDB's map.
///
/// A reader's pages do not change while its transaction lives, because the map is never written
/// (no WRITEMAP) and never moves. Nothing read there is trusted (``MappedPage``).
package struct MappedTree {
    /// The address of page 0.
    private let base: UnsafeRawPointer
    package let root: UInt64
    /// The number of pages on the path from the root to an entry, both ends included.
    package let depth: Int
    /// No page of the version has a greater number.
    package let lastPage: UInt64
    package let pageSize: Int

    /// - Parameter base: The address that page 0 would have. Pages up to `lastPage` exist and
    ///   are aligned to 8 bytes.
    package init(base: UnsafeRawPointer, root: UInt64, depth: Int, lastPage: UInt64, pageSize: Int)
    {
        self.base = base
        self.root = root
        self.depth = depth
        self.lastPage = lastPage
        self.pageSize = pageSize
    }

    /// Finds a database's tree through its record in the main tree; nil if the record is
    /// invalid.
    ///
    /// - Parameter pageSize: A size with which pages can be found by address
    ///   (``MappedPage/findableSize(_:systemPageSize:)``).
    init?(_ database: Database, in transaction: LMDBTransaction, pageSize: Int, lastPage: Int) {
        var name = database.name
        let bytes = name.withUTF8 { name in
            try? transaction.value(Database.mainHandle, UnsafeRawBufferPointer(name)).get()
        }
        guard let bytes, let record = TreeRecord(bytes), record.isPlain,
            let start = bytes.baseAddress
        else { return nil }
        // The record lies on a page that holds its own number.
        let page = MappedPage(containing: start, size: pageSize)
        let number = page.number
        guard number >= PageLayout.firstPage, number <= UInt64(lastPage) else { return nil }
        self.init(
            base: page.start - Int(number) * pageSize, root: record.root, depth: record.depth,
            lastPage: UInt64(lastPage), pageSize: pageSize)
    }

    package var isEmpty: Bool { root == TreeRecord.emptyRoot }
    /// Whether a non-empty tree can have this depth.
    @inline(__always)
    var hasPossibleDepth: Bool { depth > 0 && depth <= PageLayout.maximumDepth }

    /// The place of a page; nil if the number is out of range. Another page may lie there.
    @inline(__always)
    private func unverifiedPage(_ number: UInt64) -> MappedPage? {
        guard number >= PageLayout.firstPage, number <= lastPage else { return nil }
        return MappedPage(start: base + Int(truncatingIfNeeded: number) &* pageSize, size: pageSize)
    }

    /// The page that holds this number in its header; nil if there is none.
    @inline(__always)
    private func page(_ number: UInt64) -> MappedPage? {
        guard let page = unverifiedPage(number), page.number == number else { return nil }
        return page
    }

    /// A branch or a leaf, and how many nodes it has.
    ///
    /// - Parameter height: The number of pages on the path from it to an entry, both ends
    ///   included.
    @inline(__always)
    func page(_ number: UInt64, height: Int) throws(MappedPage.Damage) -> (
        page: MappedPage, count: Int
    ) {
        guard let page = page(number), let count = page.count,
            height == 1 ? page.isLeaf : page.isBranch
        else { throw MappedPage.Damage() }
        return (page, count)
    }

    /// Finds the value of a key in one descent; `unknown` if a page is invalid or the key is
    /// empty.
    ///
    /// `mdb_get` compares the key with one entry after another, each on a cache line that no
    /// cache holds, and requests each line only after the previous comparison. In a large tree,
    /// that waiting is most of a lookup. This method prefetches a page's head before reading
    /// it, and all entries that the next three comparisons can need at once.
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

    /// As ``page(_:)``, but prefetches the offsets of the page's nodes.
    @inline(__always)
    private func requestedPage(_ number: UInt64) -> MappedPage? {
        guard let page = unverifiedPage(number) else { return nil }
        page.prefetchOffsets()
        return page.number == number ? page : nil
    }

    /// The value of a leaf's node; nil if the pages of a large value are invalid.
    @inline(__always)
    func value(of node: MappedPage.LeafNode) -> UnsafeRawBufferPointer? {
        node.largeValue == 0 ? node.value : largeValue(at: node.largeValue, count: node.valueSize)
    }

    /// The free list of a version, from the meta page of the map that belongs to it. Nil if
    /// neither meta page does, as for an older version.
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

    /// A large value, which has its own pages; nil if these are invalid.
    private func largeValue(at number: UInt64, count: Int) -> UnsafeRawBufferPointer? {
        guard let page = page(number), let pageCount = page.overflowPageCount, count >= 0,
            count <= pageCount &* pageSize &- PageLayout.headerSize,
            UInt64(pageCount) <= lastPage &- number &+ 1
        else { return nil }
        return UnsafeRawBufferPointer(start: page.start + PageLayout.headerSize, count: count)
    }
}
