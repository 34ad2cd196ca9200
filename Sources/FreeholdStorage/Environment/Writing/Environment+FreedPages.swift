extension Environment {
    /// Lets the next transaction use the pages that a version's commit freed, if the file
    /// cannot grow.
    ///
    /// LMDB reuses a page two transactions after the one that freed it, so that the version
    /// before the newest stays complete. On a full disk, the transaction in between would be
    /// refused for lack of room. An empty transaction takes its place: it writes the version
    /// record and a few pages of the free list.
    ///
    /// Part of a commit. A failure changes nothing.
    ///
    /// - Parameter version: The newest version.
    func releaseFreedPages(of version: UInt64, _ handle: EnvironmentHandle) {
        guard freedByteCount(of: version, handle) >= Self.leastFreedPageCount * handle.pageSize
        else { return }
        guard let transaction = try? handle.beginWrite(version + 1) else { return }
        do throws(StorageError) {
            try handle.finish(transaction)
        } catch {
            transaction.end().abort()
            return
        }
        let result = transaction.end().commit()
        if result == .success {
            control?.announceCommit(version + 1)
        } else {
            // Poisons the environment if the medium failed. No caller waits for this commit.
            _ = commitFailure(result, handle)
        }
    }

    /// An empty commit itself frees a few pages; fewer than this do not justify one.
    private static let leastFreedPageCount = 16

    private func freedByteCount(of version: UInt64, _ handle: EnvironmentHandle) -> Int {
        guard let transaction = try? handle.beginRead().raw else { return 0 }
        defer { transaction.abort() }
        return (try? handle.freedBytes(in: transaction))?.last { $0.version == version }?.count ?? 0
    }
}
