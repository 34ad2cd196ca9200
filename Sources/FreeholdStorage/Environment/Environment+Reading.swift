extension Environment {
    /// The views of this process.
    struct Snapshots {
        /// The handle that new views use.
        var handle: EnvironmentHandle
        /// The device and inode of the handle's file.
        var identity: FileIdentity
        /// The newest view so far, shared by all readers of the newest version. Not owned: the
        /// view's `deinit` removes it, under the lock that protects this. (Not `weak`, which
        /// would slow down each retain of the view; see `unsafeTryRetain`.)
        var unownedLatest: Unmanaged<ReadTransaction>?

        /// A reference to the newest view, if it is still in use.
        var latest: ReadTransaction? { unownedLatest.flatMap { unsafeTryRetain($0) } }
        /// The number of views of each version, and the creation time of the first.
        var live: [UInt64: (count: Int, since: ContinuousClock.Instant)] = [:]
    }

    /// Returns a view of the newest version.
    ///
    /// All readers of one version share one view and one reader slot. It costs a hash look-up
    /// if the version is already in use, otherwise about a microsecond.
    ///
    /// - Throws: `readersFull`, `poisoned`, `foreignFile`, `corrupted`,
    ///   `addressSpaceExhausted`, `forkedChild`.
    package func read() throws(StorageError) -> ReadTransaction {
        try checkOwned()
        let (handle, latest) = snapshots.withLock { ($0.handle, $0.latest) }
        // `>=`, because a failed commit moves the hint back.
        if let latest, latest.handle === handle, latest.version >= handle.newestVersionHint {
            return latest
        }
        let (raw, version) = try handle.beginRead()
        return publish(
            ReadTransaction(adopting: raw, version: version, environment: self, handle: handle))
    }

    /// The number of the newest version, from the file's meta pages: nanoseconds, no
    /// transaction. While a commit is being written, it may be one ahead of the version that
    /// `read` returns, and it moves back if that commit fails.
    package var newestVersionHint: UInt64 { isOwnedByThisProcess ? handle.newestVersionHint : 0 }

    /// Whether a view shows the newest version of the file since its last compaction, as far as
    /// ``newestVersionHint`` tells.
    func isNewest(_ view: ReadTransaction) -> Bool {
        guard isOwnedByThisProcess else { return true }
        let handle = handle
        return view.handle === handle && handle.newestVersionHint <= view.version
    }

    /// Whether the commit on top of a view has finished, because another commit or a compaction
    /// followed it. False means unknown.
    func isOvertaken(commitAfter view: ReadTransaction) -> Bool {
        guard isOwnedByThisProcess else { return false }
        let handle = handle
        return view.handle !== handle || handle.newestVersionHint > view.version + 1
    }

    /// Makes a view the shared one, unless an equally new one exists; returns the shared one.
    func publish(_ candidate: ReadTransaction) -> ReadTransaction {
        let known = snapshots.withLock { snapshots -> ReadTransaction? in
            let known = snapshots.latest
            let isNewer =
                known.map { $0.handle !== snapshots.handle || $0.version < candidate.version }
                ?? true
            // A view that began before a compaction and is published after it is never the
            // newest.
            if isNewer, candidate.handle === snapshots.handle {
                snapshots.unownedLatest = .passUnretained(candidate)
            }
            // Returned even if it is older: a last release must not happen under the lock,
            // which `deinit` takes.
            return known
        }
        if let known, known.handle === candidate.handle, known.version >= candidate.version {
            return known
        }
        return candidate
    }

    func readTransactionBegan(_ version: UInt64) {
        snapshots.withLock { snapshots in snapshots.live[version, default: (0, .now)].count += 1 }
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

    /// The oldest version that any process reads; nil if there is none. O(readers).
    var oldestVersion: UInt64? {
        let (handle, own) = snapshots.withLock { ($0.handle, $0.live.keys.min()) }
        return [own, handle.readerPins().first?.version].compactMap { $0 }.min()
    }

    /// The reader slots in use by all processes, oldest version first. Includes slots of dead
    /// processes until a process discards them. O(readers).
    package var readerPins: [PinnedVersions.Pin] { handle.readerPins() }

    /// The versions that the readers of all processes keep, and their cost in bytes. For
    /// diagnostics: it reads the reader table and the free list.
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
            pins: pins, newestVersion: newest.version,
            ownVersions: own.sorted { $0.version < $1.version },
            freedBytes: try handle.freedBytes(in: newest.raw), usedByteCount: handle.usedByteCount)
    }
}
