extension PageReader {
    /// Checks that the two meta pages have the numbers of transactions that belong to them.
    ///
    /// LMDB takes the page with the higher number for the newest version and has no checksum
    /// over it. So with one number changed, the version before would be the newest, sound in
    /// every page. What is known of two versions that follow each other:
    ///
    /// - A commit writes the page that its number's lowest bit says, in turn, so the numbers
    ///   differ by one (`mdb_env_write_meta`).
    /// - The last page never goes down.
    /// - Each commit writes the version record, and with it the root of the main tree. So the
    ///   newer version's list of what its commit freed has the older one's root. The pages of a
    ///   successor were free in the version before it, or behind its end, and are in no such
    ///   list.
    ///
    /// None of that reads a page of the older version: those may have been overwritten by the
    /// commit behind a lost one (`Environment.Durability.relaxed`). A file that nothing synced
    /// may have lost a commit between two that were kept: such a one is refused, too. Reads one
    /// path down the free list.
    ///
    /// - Parameter mayHaveFailed: The control file says that a commit failed on the medium.
    ///   Where that was the write of its meta page, LMDB gives the page its old number back,
    ///   and not its old trees.
    /// - Throws: `corrupted`.
    func checkMetaPages(mayHaveFailed: Bool) throws(StorageError) {
        guard let olderMeta else { return }
        // No transaction has the number 0: that page describes an empty file.
        guard meta.transaction == olderMeta.transaction &+ 1,
            olderMeta.transaction == 0 || mayHaveFailed || follows(olderMeta)
        else { throw corrupted(path, "its meta pages contradict each other") }
    }

    /// Whether the newest version can be the one behind another. True where its free list
    /// cannot be read, which the walk finds.
    private func follows(_ older: MetaPage) -> Bool {
        if older.lastPage > meta.lastPage { return false }
        guard !older.mainTree.isEmpty,
            let freed = try? freedPages(by: meta.transaction)
        else { return true }
        // Both were written again after a commit that failed
        // (`EnvironmentOpener.rewriteMetaPages`): the newer one's trees, whose list has its own
        // entry.
        if older.mainTree == meta.mainTree, older.freeTree == meta.freeTree,
            older.lastPage == meta.lastPage
        {
            return !freed.isEmpty
        }
        return freed.contains(older.mainTree.root)
    }

    /// The pages that the free list has under the number of a transaction; none where it has no
    /// such entry. O(depth of the free list + pages).
    private func freedPages(by transaction: UInt64) throws(StorageError) -> [UInt64] {
        let leaf = try leaf(of: meta.freeTree) { page, node in
            page.integerKey(node).map { $0 <= transaction } ?? false
        }
        guard let leaf, let node = leaf.nodes.first(where: { leaf.integerKey($0) == transaction })
        else { return [] }
        return try freedPages(node, on: leaf)
    }
}
