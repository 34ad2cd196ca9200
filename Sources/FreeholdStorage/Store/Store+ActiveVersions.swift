extension Store {
    /// Throws if more versions are alive than a transaction allows: those from the oldest one
    /// that anybody reads to the one that it stands on. O(readers).
    ///
    /// All of these count, for what any of them has freed cannot be used again before the
    /// oldest is let go.
    func checkActiveVersions(_ writeSet: WriteSet) throws(StorageError) {
        guard let limit = writeSet.maximumNumberOfActiveVersions else { return }
        let newest = writeSet.base.version
        func count() -> UInt64 { newest - min(newest, environment.oldestVersion ?? newest) + 1 }
        if count() <= limit { return }
        // Those of processes that died do not count.
        environment.handle.discardDeadReaders()
        let number = count()
        if number <= limit { return }
        throw StorageError(
            .tooManyActiveVersions,
            "Number of active versions (\(number)) in the Realm exceeded the limit of \(limit)",
            path: path)
    }
}
