/// Finds the entries in which two versions of a database differ, in O(changed nodes).
///
/// A node that both versions have is skipped with everything below it. All others are visited,
/// on both sides at once, in key order. The side with the lesser key moves first, and of two
/// subtrees that begin at the same key the higher one is entered first: so a shared subtree
/// meets its twin before either is entered.
struct TreeComparison<Tree: ComparedTree> {
    private let old: Tree
    private let new: Tree

    /// - Parameter old, new: Of one file, both versions still being read.
    init(from old: Tree, to new: Tree) {
        self.old = old
        self.new = new
    }

    /// Calls `body` with each key under which only one version has an entry, or both have
    /// different ones, in ascending order. If this throws, the keys so far mean nothing.
    ///
    /// - Returns: How many nodes were visited.
    func forEachDifference(_ body: (UnsafeRawBufferPointer) -> Void) throws(Tree.Failure) -> Int {
        var a = try TreePosition(old)
        var b = try TreePosition(new)
        while true {
            let order: Int
            if a.isAtEnd {
                if b.isAtEnd { return a.visitedCount + b.visitedCount }
                order = 1
            } else if b.isAtEnd {
                order = -1
            } else {
                if a.height > 0, a.height == b.height, a.subtree == b.subtree {
                    try a.advance()
                    try b.advance()
                    continue
                }
                order = ByteComparison.compare(a.key, b.key)
            }
            if order == 0, a.height == 0, b.height == 0, let first = a.value, let second = b.value {
                if try !old.isEqual(first, to: second, in: new) { body(a.key) }
                try a.advance()
                try b.advance()
                continue
            }
            let (movesOld, movesNew) =
                order == 0 ? (a.height >= b.height, b.height >= a.height) : (order < 0, order > 0)
            if movesOld { try pass(&a, body) }
            if movesNew { try pass(&b, body) }
        }
    }

    /// Reports an entry that has none on the other side, or enters a subtree.
    private func pass(
        _ position: inout TreePosition<Tree>, _ body: (UnsafeRawBufferPointer) -> Void
    )
        throws(Tree.Failure)
    {
        if position.height == 0 {
            body(position.key)
            try position.advance()
        } else {
            try position.descend()
        }
    }
}

extension ReadTransaction {
    /// Calls `body` with each key under which only one version has an entry, or both have
    /// different ones, in ascending order. O(changed nodes).
    ///
    /// - Returns: How many nodes were visited. Nil where the versions are of two files, only LMDB
    ///   can read the pages, or a page is not as expected: then the keys so far mean nothing, and
    ///   all entries have to be compared (``CursorComparison``).
    package func forEachDifference(
        _ database: Database, from old: ReadTransaction, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(StorageError) -> Int? {
        // Nodes of two files, as before and after a compaction, have nothing in common.
        guard old.handle === handle else { return nil }
        if let old = old.encrypted, let new = encrypted {
            return try TreeComparison(from: try old.tree(database), to: try new.tree(database))
                .forEachDifference(body)
        }
        guard let old = try old.mappedTree(database), let new = try mappedTree(database) else {
            return nil
        }
        return try? TreeComparison(from: old, to: new).forEachDifference(body)
    }
}
