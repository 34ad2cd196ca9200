/// A position in a tree on LMDB's pages: at an entry, or before a whole subtree that may be
/// gone into or passed by.
///
/// The moves answer false where a page is not as expected; then the position is of no use any more.
struct TreePosition {
    private struct Level {
        let page: MappedPage
        let count: Int
        var index: Int
        /// What nothing on the page is below.
        let bound: UnsafeRawBufferPointer
    }

    private let tree: MappedTree
    /// From the root down.
    private var levels: ContiguousArray<Level> = []
    private(set) var isAtEnd: Bool
    /// 0 at an entry; before a subtree, how many pages are on the way from its root to an entry.
    private(set) var height: Int
    /// An entry's key, or what nothing in the subtree is below.
    private(set) var key = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The root of the subtree; 0 at an entry.
    private(set) var page: UInt64
    /// The entry; what is here before a subtree means nothing.
    private(set) var entry = MappedPage.LeafNode(
        key: UnsafeRawBufferPointer(start: nil, count: 0), valueSize: 0, largeValue: 0)

    /// Before the whole tree. Nil where the tree's record is impossible.
    init?(_ tree: MappedTree) {
        self.tree = tree
        isAtEnd = tree.isEmpty
        height = tree.depth
        page = tree.root
        guard tree.isEmpty || (1...PageLayout.maximumDepth).contains(tree.depth) else { return nil }
        levels.reserveCapacity(tree.depth)
    }

    /// Passes the entry or the subtree by.
    @inline(__always)
    mutating func advance() -> Bool {
        while var level = levels.popLast() {
            level.index &+= 1
            if level.index < level.count {
                levels.append(level)
                return read(level)
            }
        }
        isAtEnd = true
        return true
    }

    /// Goes to the first entry or subtree of the subtree.
    mutating func descend() -> Bool {
        guard height > 0, let page = tree.page(page), let count = page.count,
            height == 1 ? page.isLeaf : page.isBranch
        else { return false }
        let level = Level(page: page, count: count, index: 0, bound: key)
        levels.append(level)
        return read(level)
    }

    @inline(__always)
    private mutating func read(_ level: Level) -> Bool {
        height = tree.depth &- levels.count
        if height == 0 {
            guard let node = level.page.leafNode(at: level.index) else { return false }
            entry = node
            key = node.key
            page = 0
        } else {
            guard let node = level.page.branchNode(at: level.index) else { return false }
            key = level.index == 0 ? level.bound : node.key
            page = node.child
        }
        return true
    }
}
