extension Environment {
    /// The views of this process.
    struct Snapshots {
        /// Where new views begin.
        var handle: EnvironmentHandle
        /// The device and inode of the handle's file.
        var identity: FileIdentity
        /// The newest view made so far, shared by all who want the newest version. Not owned:
        /// the view's `deinit` takes it out, under the lock that protects this. (Not `weak`,
        /// which would slow down each retain of the view; see `unsafeTryRetain`.)
        var unownedLatest: Unmanaged<ReadTransaction>?

        /// A reference to the newest view, if it is still in use.
        var latest: ReadTransaction? { unownedLatest.flatMap { unsafeTryRetain($0) } }
        /// How many views there are of each version, and since when.
        var live: [UInt64: (count: Int, since: ContinuousClock.Instant)] = [:]

        init(handle: EnvironmentHandle, identity: FileIdentity) {
            self.handle = handle
            self.identity = identity
        }
    }

    /// A view of the newest version.
    ///
    /// All callers at one version share one view and one reader slot. A hash lookup's cost when
    /// the version is in use already; otherwise about a microsecond.
    ///
    /// - Throws: `readersFull`, `poisoned`, `foreignFile`, `corrupted`,
    ///   `addressSpaceExhausted`, `forkedChild`.
    package func read() throws(StorageError) -> ReadTransaction {
        try checkOwned()
        let (handle, latest) = snapshots.withLock { ($0.handle, $0.latest) }
        // `>=`: a failed commit takes the hint back.
        if let latest, latest.handle === handle, latest.version >= handle.newestVersionHint {
            return latest
        }
        let (raw, version) = try handle.beginRead()
        return publish(
            ReadTransaction(adopting: raw, version: version, environment: self, handle: handle))
    }

    /// The number of the newest version, by a look at the file's head: nanoseconds, no
    /// transaction. It may be one ahead of what `read` gives while a commit is being written,
    /// and goes back if that fails.
    package var newestVersionHint: UInt64 {
        isOwnedByThisProcess ? handle.newestVersionHint : 0
    }

    /// Whether a view shows the newest version, in the file as it is since its last compaction;
    /// with the caution of ``newestVersionHint``.
    func isNewest(_ view: ReadTransaction) -> Bool {
        guard isOwnedByThisProcess else { return true }
        let handle = handle
        return view.handle === handle && handle.newestVersionHint <= view.version
    }

    /// Whether the commit that went on from a view is over, because there was another one after
    /// it, or a compaction. False says nothing.
    func isOvertaken(commitAfter view: ReadTransaction) -> Bool {
        guard isOwnedByThisProcess else { return false }
        let handle = handle
        return view.handle !== handle || handle.newestVersionHint > view.version + 1
    }

    /// Makes a view the shared one, unless there is one as new, which is then returned in its
    /// place.
    func publish(_ candidate: ReadTransaction) -> ReadTransaction {
        let known = snapshots.withLock { snapshots -> ReadTransaction? in
            let known = snapshots.latest
            let isNewer =
                known.map { $0.handle !== snapshots.handle || $0.version < candidate.version }
                ?? true
            // One that was begun before a compaction and comes after it is nobody's newest.
            if isNewer, candidate.handle === snapshots.handle {
                snapshots.unownedLatest = .passUnretained(candidate)
            }
            // Handed out even if it is older: no last release may happen under the lock, which
            // `deinit` takes.
            return known
        }
        if let known, known.handle === candidate.handle, known.version >= candidate.version {
            return known
        }
        return candidate
    }

    func readTransactionBegan(_ version: UInt64) {
        snapshots.withLock { snapshots in
            snapshots.live[version, default: (0, .now)].count += 1
        }
    }

    func readTransactionEnded(_ transaction: Unmanaged<ReadTransaction>, _ version: UInt64) {
        snapshots.withLock { snapshots in
            if snapshots.unownedLatest?.toOpaque() == transaction.toOpaque() {
                snapshots.unownedLatest = nil
            }
            guard let entry = snapshots.live[version] else { return }
            snapshots.live[version] = entry.count == 1 ? nil : (entry.count - 1, entry.since)
        }
    }

    /// The oldest version that anybody reads, in this process or another; nil if nobody reads
    /// any. O(readers).
    var oldestVersion: UInt64? {
        let (handle, own) = snapshots.withLock { ($0.handle, $0.live.keys.min()) }
        return [own, handle.readerPins().first?.version].compactMap { $0 }.min()
    }

    /// The reader slots in use by all processes, oldest version first; those of processes that
    /// died, too, until someone looks for these. O(readers).
    package var readerPins: [PinnedVersions.Pin] { handle.readerPins() }

    /// Which versions the readers of all processes keep, and what that costs. For diagnosis: it
    /// reads the reader table and the free list.
    package func pinnedVersions() throws(StorageError) -> PinnedVersions {
        let newest = try read()
        let handle = newest.handle
        handle.discardDeadReaders()
        let pins = handle.readerPins()
        let now = ContinuousClock.now
        let own = snapshots.withLock {
            $0.live.map { (version: $0.key, age: now - $0.value.since) }
        }
        return PinnedVersions(
            pins: pins,
            newestVersion: newest.version,
            ownVersions: own.sorted { $0.version < $1.version },
            freedBytes: try handle.freedBytes(in: newest.raw),
            usedByteCount: handle.usedByteCount)
    }
}
