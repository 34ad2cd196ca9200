/// Finds the entries in which two versions of a database differ, in O(changed nodes).
///
/// A node that both versions share is skipped, with everything below it. All others are
/// visited, on both sides at once, in key order. The side with the lesser key moves first; of
/// two subtrees that begin at the same key, the higher one is entered first. So a shared
/// subtree meets its twin before either is entered.
struct TreeComparison<Tree: ComparedTree> {
    private let old: Tree
    private let new: Tree

    /// - Parameter old, new: Versions of the same file, both still pinned.
    init(from old: Tree, to new: Tree) {
        self.old = old
        self.new = new
    }

    /// Calls `body` with each key that has an entry in only one version, or different entries
    /// in both, in ascending order. If this throws, the keys reported so far are meaningless.
    ///
    /// - Returns: The number of visited nodes.
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

    /// Reports an entry without a counterpart, or enters a subtree.
    private func pass(
        _ position: inout TreePosition<Tree>, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(Tree.Failure) {
        if position.height == 0 {
            body(position.key)
            try position.advance()
        } else {
            try position.descend()
        }
    }
}

extension ReadTransaction {
    /// Calls `body` with each key that has an entry in only one version, or different entries
    /// in both, in ascending order. O(changed nodes).
    ///
    /// - Returns: The number of visited nodes. Nil if the versions belong to two files, if only
    ///   LMDB can read the pages, or if a page is invalid. The keys reported so far are then
    ///   meaningless, and all entries must be compared (``CursorComparison``).
    package func forEachDifference(
        _ database: Database, from old: ReadTransaction, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(StorageError) -> Int? {
        // Two files, as before and after a compaction, share no nodes.
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
