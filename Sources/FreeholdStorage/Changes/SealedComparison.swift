/// Finds the entries in which two versions of a database of an encrypted file differ, in
/// O(changed nodes): as ``TreeComparison`` does for a plain one.
package enum SealedComparison {
    /// Calls `body` with each key under which only one version has an entry, or both have
    /// different ones, in ascending order.
    ///
    /// - Returns: How many nodes were gone into; nil for a plain file.
    @discardableResult
    package static func forEachDifference(
        _ database: Database, from old: ReadTransaction, to new: ReadTransaction,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(StorageError) -> Int? {
        guard let first = old.sealed, let second = new.sealed else { return nil }
        let (oldTree, newTree) = (try first.tree(database), try second.tree(database))
        var a = SealedPosition(oldTree)
        var b = SealedPosition(newTree)
        var nodeCount = 0
        while true {
            let order: Int
            if a.isAtEnd {
                if b.isAtEnd { return nodeCount }
                order = 1
            } else if b.isAtEnd {
                order = -1
            } else {
                if a.height > 0, a.height == b.height, a.reference == b.reference {
                    a.advance()
                    b.advance()
                    continue
                }
                order = ByteComparison.compare(a.key, b.key)
            }
            if order == 0, a.height == 0, b.height == 0 {
                if try !isSame(a, b, oldTree, newTree) { body(a.key) }
                a.advance()
                b.advance()
                continue
            }
            // Of what begins at the same key, the higher is gone into, so that a subtree meets
            // the same one before either is.
            let (movesOld, movesNew) =
                order == 0 ? (a.height >= b.height, b.height >= a.height) : (order < 0, order > 0)
            if movesOld { try pass(&a, &nodeCount, body) }
            if movesNew { try pass(&b, &nodeCount, body) }
        }
    }

    /// Reports an entry that has none on the other side, or goes into a subtree.
    private static func pass(
        _ position: inout SealedPosition, _ nodeCount: inout Int,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(StorageError) {
        if position.height == 0 {
            body(position.key)
            position.advance()
        } else {
            nodeCount += 1
            try position.descend()
        }
    }

    private static func isSame(
        _ a: SealedPosition, _ b: SealedPosition, _ old: SealedTree, _ new: SealedTree
    ) throws(StorageError) -> Bool {
        guard let (first, i) = a.entry, let (second, j) = b.entry else { return false }
        if first.valueLength(i) != second.valueLength(j) { return false }
        if first.isReference(i), second.isReference(j), first.reference(i) == second.reference(j) {
            return true
        }
        return ByteComparison.areEqual(try old.value(first, i), try new.value(second, j))
    }
}

/// A position in a sealed tree: at an entry, or before a whole subtree that may be gone into or
/// passed by.
private struct SealedPosition {
    private struct Level {
        let node: SealedNode
        var index: Int
        /// What nothing in the node is below.
        let bound: UnsafeRawBufferPointer
    }

    private let tree: SealedTree
    private var levels: ContiguousArray<Level> = []
    private(set) var isAtEnd: Bool
    /// 0 at an entry; before a subtree, its height.
    private(set) var height: Int
    /// An entry's key, or what nothing in the subtree is below.
    private(set) var key = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Of a subtree.
    private(set) var reference: SealedReference

    init(_ tree: SealedTree) {
        self.tree = tree
        isAtEnd = tree.roots.height == 0
        height = tree.roots.height
        reference = tree.roots.root
    }

    /// The leaf and the index in it, at an entry.
    var entry: (leaf: SealedNode, index: Int)? {
        height == 0 ? levels.last.map { ($0.node, $0.index) } : nil
    }

    mutating func advance() {
        while var level = levels.popLast() {
            level.index += 1
            if level.index < level.node.count {
                levels.append(level)
                return read(level)
            }
        }
        isAtEnd = true
    }

    mutating func descend() throws(StorageError) {
        let level = Level(node: try tree.node(reference, height: height), index: 0, bound: key)
        levels.append(level)
        read(level)
    }

    private mutating func read(_ level: Level) {
        height = level.node.height - 1
        key = height > 0 && level.index == 0 ? level.bound : level.node.key(level.index)
        if height > 0 { reference = level.node.reference(level.index) }
    }
}
