extension Environment {
    /// The views of this process.
    struct Snapshots {
        /// The newest view made so far, shared by all who want the newest version.
        weak var latest: ReadTransaction?
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
        snapshots.withLock { snapshots in
            // The candidate's last release must not happen under the lock, which its `deinit` takes: the caller holds it.
            if let latest = snapshots.latest, latest.version >= candidate.version { return latest }
            snapshots.latest = candidate
            return candidate
        }
    }

    func readTransactionBegan(_ version: UInt64) {
        snapshots.withLock { snapshots in
            snapshots.live[version, default: (0, .now)].count += 1
        }
    }

    func readTransactionEnded(_ version: UInt64) {
        snapshots.withLock { snapshots in
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
        let oldestOwn = snapshots.withLock { snapshots in snapshots.live.values.map(\.since).min() }
        let oldest = pins.first?.version ?? newest.version
        return PinnedVersions(
            pins: pins,
            newestVersion: newest.version,
            ownOldestAge: oldestOwn.map { ContinuousClock.now - $0 },
            pinnedByteCount: try handle.freedByteCount(by: oldest..., in: newest.raw))
    }
}
