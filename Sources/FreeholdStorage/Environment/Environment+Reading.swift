extension Environment {
    /// The views of this process.
    struct Snapshots {
        /// The newest view made so far, shared by all who want the newest version. Not owned: the view's `deinit` takes it out,
        /// under the lock that protects this. (Not `weak`, which would slow down each retain of the view; see `unsafeTryRetain`.)
        var unownedLatest: Unmanaged<ReadTransaction>?

        /// A reference to the newest view, if it is still in use.
        var latest: ReadTransaction? { unownedLatest.flatMap { unsafeTryRetain($0) } }
        /// How many views there are of each version, and since when.
        var live: [UInt64: (count: Int, since: ContinuousClock.Instant)] = [:]
    }

    /// A view of the newest version.
    ///
    /// All callers at one version share one view and one reader slot. A hash lookup's cost when the version is in use already;
    /// otherwise about a microsecond.
    ///
    /// - Throws: `readersFull`, `poisoned`, `foreignFile`, `corrupted`, `addressSpaceExhausted`, `forkedChild`.
    package func read() throws(StorageError) -> ReadTransaction {
        try checkOwned()
        let hint = handle.newestVersionHint
        // `>=`: a failed commit takes the hint back.
        if let latest = snapshots.withLock({ $0.latest }), latest.version >= hint { return latest }
        let (raw, version) = try handle.beginRead()
        return publish(ReadTransaction(adopting: raw, version: version, environment: self))
    }

    /// The number of the newest version, by a look at the file's head: nanoseconds, no transaction. It may be one ahead of what
    /// `read` gives while a commit is being written, and goes back if that fails.
    package var newestVersionHint: UInt64 {
        isOwnedByThisProcess ? handle.newestVersionHint : 0
    }

    /// Makes a view the shared one, unless there is one as new, which is then returned in its place.
    func publish(_ candidate: ReadTransaction) -> ReadTransaction {
        let known = snapshots.withLock { snapshots -> ReadTransaction? in
            let known = snapshots.latest
            if known.map({ $0.version < candidate.version }) ?? true { snapshots.unownedLatest = .passUnretained(candidate) }
            // Handed out even if it is older: no last release may happen under the lock, which `deinit` takes.
            return known
        }
        if let known, known.version >= candidate.version { return known }
        return candidate
    }

    func readTransactionBegan(_ version: UInt64) {
        snapshots.withLock { snapshots in
            snapshots.live[version, default: (0, .now)].count += 1
        }
    }

    func readTransactionEnded(_ transaction: Unmanaged<ReadTransaction>, _ version: UInt64) {
        snapshots.withLock { snapshots in
            if snapshots.unownedLatest?.toOpaque() == transaction.toOpaque() { snapshots.unownedLatest = nil }
            guard let entry = snapshots.live[version] else { return }
            snapshots.live[version] = entry.count == 1 ? nil : (entry.count - 1, entry.since)
        }
    }

    /// Which versions the readers of all processes keep, and what that costs. For diagnosis: it reads the reader table
    /// and the free list.
    package func pinnedVersions() throws(StorageError) -> PinnedVersions {
        let newest = try read()
        handle.discardDeadReaders()
        let pins = handle.readerPins()
        let now = ContinuousClock.now
        let own = snapshots.withLock { $0.live.map { (version: $0.key, age: now - $0.value.since) } }
        return PinnedVersions(
            pins: pins,
            newestVersion: newest.version,
            ownVersions: own.sorted { $0.version < $1.version },
            freedBytes: try handle.freedBytes(in: newest.raw),
            usedByteCount: usedByteCount)
    }
}
