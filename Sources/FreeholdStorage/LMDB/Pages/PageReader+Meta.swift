extension PageReader {
    /// Checks that the two meta pages belong to consecutive transactions.
    ///
    /// LMDB takes the page with the higher number for the newest version, and has no checksum
    /// over it. If one number were changed, the previous version would look like the newest
    /// one, with every page sound. Two consecutive versions satisfy these rules:
    ///
    /// - A commit writes the meta page selected by its number's lowest bit, so the numbers
    ///   differ by one (`mdb_env_write_meta`).
    /// - The last page never decreases.
    /// - Each commit writes the version record, and with it the root of the main tree. So the
    ///   newer version's list of freed pages contains the older version's root. The pages of a
    ///   successor were free in the previous version, or behind its end, and are in no such
    ///   list.
    ///
    /// None of these checks reads a page of the older version: a lost commit may have
    /// overwritten those pages (`Environment.Durability.relaxed`). A file that was never
    /// synchronised may have lost a commit between two that survived; such a file is refused,
    /// too. Reads one path down the free list.
    ///
    /// - Parameter mayHaveFailed: The control file says that a commit failed on the medium. If
    ///   the write of its meta page failed, LMDB has restored the page's old number but not its
    ///   old trees.
    /// - Throws: `corrupted`.
    func checkMetaPages(mayHaveFailed: Bool) throws(StorageError) {
        guard let olderMeta else { return }
        // No transaction has the number 0: such a page describes an empty file.
        guard meta.transaction == olderMeta.transaction &+ 1,
            olderMeta.transaction == 0 || mayHaveFailed || follows(olderMeta)
        else { throw corrupted(path, "its meta pages contradict each other") }
    }

    /// Whether the newest version can directly follow another one. True if its free list cannot
    /// be read, because the walk finds that.
    private func follows(_ older: MetaPage) -> Bool {
        if older.lastPage > meta.lastPage { return false }
        guard !older.mainTree.isEmpty,
            let freed = try? freedPages(by: meta.transaction)
        else { return true }
        // After a failed commit, both pages were rewritten
        // (`EnvironmentOpener.rewriteMetaPages`) with the newer one's trees; the list then has
        // an entry of its own.
        if older.mainTree == meta.mainTree, older.freeTree == meta.freeTree,
            older.lastPage == meta.lastPage
        {
            return !freed.isEmpty
        }
        return freed.contains(older.mainTree.root)
    }

    /// The pages that a transaction's entry of the free list names; none if there is no such
    /// entry. O(depth of the free list + pages).
    private func freedPages(by transaction: UInt64) throws(StorageError) -> [UInt64] {
        let leaf = try leaf(of: meta.freeTree) { page, node in
            page.integerKey(node).map { $0 <= transaction } ?? false
        }
        guard let leaf, let node = leaf.nodes.first(where: { leaf.integerKey($0) == transaction })
        else { return [] }
        return try freedPages(node, on: leaf)
    }
}
