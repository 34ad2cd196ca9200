extension Store {
    /// Throws if more versions are alive than a transaction allows: those from the oldest
    /// pinned one to the transaction's base. O(readers).
    ///
    /// All of these count, because pages freed by any of them cannot be reused before the
    /// oldest pin is released.
    func checkActiveVersions(_ writeSet: WriteSet) throws(StorageError) {
        guard let limit = writeSet.maximumNumberOfActiveVersions else { return }
        let newest = writeSet.base.version
        func count() -> UInt64 { newest - min(newest, environment.oldestVersion ?? newest) + 1 }
        if count() <= limit { return }
        // Versions pinned by dead processes do not count.
        environment.handle.discardDeadReaders()
        let number = count()
        if number <= limit { return }
        throw StorageError(
            .tooManyActiveVersions,
            "Number of active versions (\(number)) in the Realm exceeded the limit of \(limit)",
            path: path)
    }
}
