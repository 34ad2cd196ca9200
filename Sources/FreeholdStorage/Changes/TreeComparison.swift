/// Finds the entries in which two versions of a database differ, in O(changed pages).
///
/// LMDB copies what it changes and never reuses a page of a version that is read. So the
/// versions' trees have the same page numbers exactly where they have the same subtrees, and
/// those are passed by. Everything else is gone into, on both sides at once, in the order of
/// the keys: what begins first goes first, and of what begins at the same key the higher, so
/// that a subtree meets the same one on the other side before either is gone into.
package struct TreeComparison {
    private let old: MappedTree
    private let new: MappedTree

    /// - Parameter old, new: Of one map, both versions still being read.
    package init(from old: MappedTree, to new: MappedTree) {
        self.old = old
        self.new = new
    }

    /// Calls `body` with each key under which only one version has an entry, or both have
    /// different ones, in ascending order.
    ///
    /// - Returns: How many branches and leaves were gone into; nil where a page is not as
    ///   expected. What `body` was told is worth nothing then, and LMDB has to be asked
    ///   (``CursorComparison``).
    package func forEachDifference(_ body: (UnsafeRawBufferPointer) -> Void) -> Int? {
        guard old.pageSize == new.pageSize, var a = TreePosition(old), var b = TreePosition(new)
        else { return nil }
        var pageCount: UInt64 = 0
        while true {
            let order: Int
            if a.isAtEnd {
                if b.isAtEnd { return Int(pageCount) }
                order = 1
            } else if b.isAtEnd {
                order = -1
            } else {
                if a.height > 0, a.page == b.page, a.height == b.height {
                    guard a.advance(), b.advance() else { return nil }
                    continue
                }
                order = ByteComparison.compare(a.key, b.key)
            }
            if order == 0, a.height == 0, b.height == 0 {
                guard let isSame = isSame(a.entry, b.entry) else { return nil }
                if !isSame { body(a.key) }
                guard a.advance(), b.advance() else { return nil }
                continue
            }
            let (movesOld, movesNew) =
                order == 0 ? (a.height >= b.height, b.height >= a.height) : (order < 0, order > 0)
            if movesOld, !pass(&a, &pageCount, body) { return nil }
            if movesNew, !pass(&b, &pageCount, body) { return nil }
        }
    }

    /// Reports an entry that has none on the other side, or goes into a subtree.
    private func pass(
        _ position: inout TreePosition, _ pageCount: inout UInt64,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        if position.height == 0 {
            body(position.key)
            return position.advance()
        }
        pageCount &+= 1
        // No sound tree has a page twice; a damaged one may have it so often that the walk
        // would take for ever.
        return pageCount <= old.lastPage &+ new.lastPage &+ 2 && position.descend()
    }

    /// Whether two entries of one key have the same value; nil where a page is not as expected.
    ///
    /// A page is copied as a whole, so most entries of a changed one are what they were; a
    /// large value that was not put again has its old page.
    @inline(__always)
    private func isSame(_ a: MappedPage.LeafNode, _ b: MappedPage.LeafNode) -> Bool? {
        if a.valueSize != b.valueSize { return false }
        if a.largeValue == 0, b.largeValue == 0 { return ByteComparison.areEqual(a.value, b.value) }
        if a.largeValue == b.largeValue { return true }
        guard let first = value(of: a, in: old), let second = value(of: b, in: new) else {
            return nil
        }
        return ByteComparison.areEqual(first, second)
    }

    private func value(of node: MappedPage.LeafNode, in tree: MappedTree) -> UnsafeRawBufferPointer?
    {
        node.largeValue == 0
            ? node.value : tree.largeValue(at: node.largeValue, count: node.valueSize)
    }
}
