extension PageReader {
    /// Checks that the two meta pages have the numbers of transactions that belong to them.
    ///
    /// LMDB takes the page with the higher number for the newest version and has no checksum over it. So with one number changed, the version before would be the newest,
    /// sound in every page. What is known of the numbers: a commit writes the page that its number's lowest bit says, in turn, so they differ by one (`mdb_env_write_meta`); and
    /// the newer version's pages are never on those of the older one, so that a tree whose version record is one ahead of the newest's is the newest's successor.
    ///
    /// A file that nothing synced may have lost a commit between two that were kept: such a one is refused, too. The older version's pages may have been overwritten by
    /// the commit behind a lost one (`Environment.Durability.relaxed`); then they say nothing. Reads two paths down the main tree.
    ///
    /// - Parameter mayHaveFailed: The control file says that a commit failed on the medium. Where that was the write of its meta page, LMDB gives the page its old number
    ///   back, and not its old trees.
    /// - Throws: `corrupted`.
    func checkMetaPages(mayHaveFailed: Bool) throws(StorageError) {
        guard let olderMeta else { return }
        // No transaction has the number 0: that page describes an empty file.
        guard meta.transaction == olderMeta.transaction &+ 1,
            olderMeta.transaction == 0 || mayHaveFailed
                || !isSuccessor(PageReader(descriptor: descriptor, path: path, fileSize: fileSize, meta: olderMeta))
        else { throw corrupted(path, "its meta pages contradict each other") }
    }

    /// Whether the version of another reader is the one behind this one's, as far as both can be read.
    private func isSuccessor(_ other: PageReader) -> Bool {
        guard let version = try? versionRecord(), let next = try? other.versionRecord() else { return false }
        return next == version &+ 1
    }

    private func versionRecord() throws(StorageError) -> UInt64? {
        let key = EnvironmentHandle.versionKey.withUTF8Buffer(Array.init)
        guard let (data, isTree) = try lookUp(key, in: meta.mainTree), !isTree, data.count == 8 else { return nil }
        return data.load(UInt64.self, at: 0)
    }
}
