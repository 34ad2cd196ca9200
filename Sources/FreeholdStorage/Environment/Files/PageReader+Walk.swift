extension PageReader {
    /// Visits every page of the newest version's trees, and every overflow run by its first page.
    ///
    /// That the trees are whole is the only proof that a file has not lost its end: LMDB does not write
    /// pages that one transaction both took and freed, so that a sound file may be shorter than its page count.
    /// Linear in the pages of the trees, without the values in overflow runs.
    ///
    /// - Throws: `truncated` or `corrupted`.
    func walk() throws(StorageError) {
        var budget = meta.lastPage + 1
        try walk(meta.freeTree, budget: &budget)
        try walk(meta.mainTree, budget: &budget)
    }

    /// - Parameter budget: The pages not yet visited. A file whose pages refer to each other in a circle runs out of it.
    private func walk(_ tree: Tree, budget: inout UInt64) throws(StorageError) {
        if tree.root == Tree.emptyRoot { return }
        try walk(tree.root, height: tree.depth, budget: &budget)
    }

    private func walk(_ number: UInt64, height: Int, budget: inout UInt64) throws(StorageError) {
        guard height > 0, height <= PageLayout.maximumDepth else { throw damagedPage(number) }
        try spend(1, of: &budget)
        let page = try page(number)
        if page.isLeaf != (height == 1) { throw damagedPage(number) }
        for node in page.nodes {
            if !page.isLeaf {
                try walk(page.child(node), height: height - 1, budget: &budget)
            } else if page.flags(node) & PageLayout.bigData != 0 {
                guard let first = page.inlineData(node).load(UInt64.self, at: 0) else { throw damagedPage(number) }
                try spend(try overflowPageCount(first, dataSize: page.dataSize(node)), of: &budget)
            } else if page.flags(node) & PageLayout.subTree != 0 {
                guard let tree = Tree(page.inlineData(node), at: 0) else { throw damagedPage(number) }
                // LMDB's other kinds of tree do not occur in our files and have other pages.
                if tree.isPlain { try walk(tree, budget: &budget) } else { throw damagedPage(number) }
            }
        }
    }

    private func spend(_ count: UInt64, of budget: inout UInt64) throws(StorageError) {
        if count > budget { throw corrupted(path, "its pages refer to each other in a circle") }
        budget -= count
    }

    /// The format record, or `nil` in a file of another program.
    func formatRecord() throws(StorageError) -> FormatRecord? {
        guard meta.mainTree.isPlain, let (bytes, isTree) = try lookUp(Array(Database.meta.name.utf8), in: meta.mainTree), isTree,
            let tree = Tree(bytes, at: 0), tree.isPlain, let (record, recordIsTree) = try lookUp(FormatRecord.key, in: tree),
            !recordIsTree
        else { return nil }
        return FormatRecord(decoding: record)
    }
}
