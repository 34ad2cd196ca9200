/// A cursor on an entry of a tree, read directly from LMDB's pages.
///
/// It works like LMDB's cursor but trusts nothing that it reads. LMDB's cursor aborts at an
/// invalid page, and follows offsets and lengths wherever they lead.
struct MappedCursor {
    typealias Damage = MappedPage.Damage

    private struct Level {
        let page: MappedPage
        let count: Int
        var index: Int
    }

    private let tree: MappedTree
    /// From the root down to a leaf; empty before the first move.
    private var levels: ContiguousArray<Level> = []

    init(_ tree: MappedTree) {
        self.tree = tree
        levels.reserveCapacity(max(0, min(tree.depth, PageLayout.maximumDepth)))
    }

    mutating func first() throws(Damage) -> Entry? { try edge(isLast: false) }

    mutating func last() throws(Damage) -> Entry? { try edge(isLast: true) }

    /// - Parameter key: Not empty.
    mutating func seek(exactly key: UnsafeRawBufferPointer) throws(Damage) -> Entry? {
        try seek(key) == true ? entry() : nil
    }

    /// - Parameter key: Not empty.
    mutating func seek(atOrAfter key: UnsafeRawBufferPointer) throws(Damage) -> Entry? {
        guard try seek(key) != nil else { return nil }
        let leaf = levels.count - 1
        if levels[leaf].index < levels[leaf].count { return try entry() }
        levels[leaf].index -= 1
        return try next()
    }

    mutating func next() throws(Damage) -> Entry? {
        let leaf = levels.count &- 1
        if leaf < 0 { return try first() }
        let following = levels[leaf].index &+ 1
        if following < levels[leaf].count {
            levels[leaf].index = following
            return try entry()
        }
        for level in stride(from: leaf - 1, through: 0, by: -1)
        where levels[level].index + 1 < levels[level].count {
            levels[level].index += 1
            levels.removeLast(leaf - level)
            return try descend(isLast: false)
        }
        return nil
    }

    mutating func previous() throws(Damage) -> Entry? {
        let leaf = levels.count &- 1
        if leaf < 0 { return try last() }
        if levels[leaf].index > 0 {
            levels[leaf].index -= 1
            return try entry()
        }
        for level in stride(from: leaf - 1, through: 0, by: -1) where levels[level].index > 0 {
            levels[level].index -= 1
            levels.removeLast(leaf - level)
            return try descend(isLast: true)
        }
        return nil
    }

    // MARK: Moving

    private mutating func edge(isLast: Bool) throws(Damage) -> Entry? {
        guard try begin() else { return nil }
        levels[0].index = isLast ? levels[0].count - 1 : 0
        return try descend(isLast: isLast)
    }

    /// Loads the root; false if the tree is empty.
    private mutating func begin() throws(Damage) -> Bool {
        levels.removeAll(keepingCapacity: true)
        if tree.isEmpty { return false }
        guard tree.hasPossibleDepth else { throw Damage() }
        levels.append(try level(tree.root))
        return true
    }

    /// Loads the page below the current levels.
    private func level(_ number: UInt64) throws(Damage) -> Level {
        let (page, count) = try tree.page(number, height: tree.depth - levels.count)
        return Level(page: page, count: count, index: 0)
    }

    /// Descends from the current level to an entry, along one edge.
    private mutating func descend(isLast: Bool) throws(Damage) -> Entry? {
        while levels.count < tree.depth {
            let above = levels[levels.count - 1]
            guard let node = above.page.branchNode(at: above.index) else { throw Damage() }
            var next = try level(node.child)
            if isLast { next.index = next.count - 1 }
            levels.append(next)
        }
        return try entry()
    }

    /// Moves to the leaf of a key, and there to the first entry not below it, or behind the
    /// last one. Returns whether that entry has the key; nil if the tree is empty.
    private mutating func seek(_ key: UnsafeRawBufferPointer) throws(Damage) -> Bool? {
        guard try begin() else { return nil }
        while levels.count < tree.depth {
            let last = levels.count - 1
            let page = levels[last].page
            guard let index = page.childIndex(for: key, levels[last].count),
                let node = page.branchNode(at: index)
            else { throw Damage() }
            levels[last].index = index
            levels.append(try level(node.child))
        }
        let leaf = levels.count - 1
        guard let (found, isExact) = levels[leaf].page.search(key, from: 0, levels[leaf].count)
        else { throw Damage() }
        levels[leaf].index = found
        return isExact
    }

    @inline(__always)
    private func entry() throws(Damage) -> Entry {
        let leaf = levels[levels.count &- 1]
        guard let node = leaf.page.leafNode(at: leaf.index), let value = tree.value(of: node) else {
            throw Damage()
        }
        return Entry(key: node.key, value: value)
    }
}
