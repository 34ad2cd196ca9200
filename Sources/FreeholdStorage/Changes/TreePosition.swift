/// A position in a tree: at an entry, or before a subtree, which can be entered or skipped.
/// Must not be used after a move has thrown.
struct TreePosition<Tree: ComparedTree> {
    private struct Level {
        let node: Tree.Node
        let count: Int
        var index: Int
        /// The lower bound of the node's keys.
        let bound: UnsafeRawBufferPointer
    }

    private let tree: Tree
    private let rootHeight: Int
    /// From the root down.
    private var levels: ContiguousArray<Level> = []
    private(set) var isAtEnd: Bool
    /// 0 at an entry; before a subtree, the number of nodes on the path from its root to an
    /// entry.
    private(set) var height: Int
    /// An entry's key, or the lower bound of the subtree's keys.
    private(set) var key = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The root of the subtree; meaningless at an entry.
    private(set) var subtree: Tree.Identity?
    /// The entry's value; meaningless before a subtree.
    private(set) var value: Tree.Value?
    /// The number of entered nodes.
    private(set) var visitedCount = 0

    /// Creates a position before the whole tree.
    init(_ tree: Tree) throws(Tree.Failure) {
        self.tree = tree
        let root = try tree.rootNode()
        isAtEnd = root == nil
        rootHeight = root?.height ?? 0
        height = rootHeight
        subtree = root?.identity
        levels.reserveCapacity(rootHeight)
    }

    /// Skips the entry or the subtree.
    @inline(__always)
    mutating func advance() throws(Tree.Failure) {
        while var level = levels.popLast() {
            level.index &+= 1
            if level.index < level.count {
                levels.append(level)
                return try read(level)
            }
        }
        isAtEnd = true
    }

    /// Enters the subtree: moves to its first entry or subtree.
    mutating func descend() throws(Tree.Failure) {
        guard let subtree else { return }
        visitedCount += 1
        let (node, count) = try tree.visit(subtree, height: height, visitedCount: visitedCount)
        let level = Level(node: node, count: count, index: 0, bound: key)
        levels.append(level)
        try read(level)
    }

    @inline(__always)
    private mutating func read(_ level: Level) throws(Tree.Failure) {
        height = rootHeight &- levels.count
        if height == 0 {
            let entry = try tree.entry(of: level.node, at: level.index)
            key = entry.key
            value = entry.value
        } else {
            let child = try tree.child(of: level.node, at: level.index)
            key = level.index == 0 ? level.bound : child.key
            subtree = child.identity
        }
    }
}
