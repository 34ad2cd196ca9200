/// Looks keys up in one database's tree as it lies in LMDB's map.
///
/// `mdb_get` compares the key with one entry after another, each on a line of memory that no cache holds, and none is asked for before the comparison with the one
/// before it is done: in a large index that waiting is most of a lookup. Here the entries that the next three comparisons can be with are asked for at once.
///
/// What is odd about the pages, and values in pages of their own, go to the lookup that knows a tree's height (``MappedTree/find(_:)``), which says what is damaged.
package struct TreeDescent {
    private let tree: MappedTree

    init(_ tree: MappedTree) { self.tree = tree }

    /// The value of a key. One descent.
    @inline(__always)
    package func find(_ key: UnsafeRawBufferPointer) -> MappedPage.Outcome {
        guard !key.isEmpty else { return .unknown }
        var number = tree.root
        for _ in 0..<PageLayout.maximumDepth {
            guard let page = tree.unverifiedPage(number) else { return .unknown }
            page.prefetchOffsets()
            guard page.number == number, let count = page.count else { return .unknown }
            if page.isBranch {
                guard let next = page.child(for: key, count) else { return .unknown }
                number = next
            } else {
                return page.isLeaf ? page.value(of: key, count) : .unknown
            }
        }
        return .unknown
    }
}
