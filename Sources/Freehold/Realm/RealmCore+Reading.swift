import FreeholdStorage

extension RealmCore {
    /// The current source of data: the open write transaction, otherwise the snapshot. If there
    /// is none, begins to read the newest version.
    var source: TableSource {
        if let uncommitted { return uncommitted }
        if let frozenEdits { return frozenEdits }
        return currentSnapshot
    }

    /// What comparisons of versions take for ``source``, in a frozen core.
    var comparedSource: TableSource {
        if let frozenEdits { return frozenEdits.edits }
        return currentSnapshot
    }

    /// Read instead of the snapshot: the open write transaction, or those being written to the
    /// disk.
    @inline(__always)
    var uncommitted: WriteSet? { writeSet ?? pendingWrites }

    /// The version that is read, or that the open transaction is based on.
    var currentSnapshot: Snapshot {
        if isUnread { isUnread = false }
        if let snapshot { return snapshot }
        return beginReading()
    }

    /// Begins to read a version if none is read, or if no caller has observed the current one.
    /// Does nothing if a class was added or changed since: the version may lack classes of this
    /// realm.
    func beginReading(_ version: Snapshot) {
        if let snapshot, !isUnread || uncommitted != nil || snapshot.version <= version.version {
            return
        }
        guard !isFrozen, let newest = try? store.newestSnapshot(), newest.catalog == version.catalog
        else { return }
        snapshot = version
        didMove()
        // From here the realm moves to the newest version as from any other.
        coordinator.notifier.signal()
    }

    @inline(never)
    private func beginReading() -> Snapshot {
        if draft != nil { refuseEndedDraft() }
        do throws(StorageError) {
            return try beginReadingNewest()
        } catch {
            violation(.storageFailed(self, operation: "Reading the newest version", error))
        }
    }

    /// The version that is read, for callers that can throw, so that system errors do not end
    /// the process.
    func readSnapshot() throws(StorageError) -> Snapshot {
        if isUnread { isUnread = false }
        if let snapshot { return snapshot }
        return try beginReadingNewest()
    }

    /// The version that an open transaction is based on, otherwise ``readSnapshot()``.
    func readCommitted() throws(StorageError) -> Snapshot {
        if let uncommitted { return uncommitted.base }
        return try readSnapshot()
    }

    private func beginReadingNewest() throws(StorageError) -> Snapshot {
        let newest = try store.newestSnapshot(knowing: schema.catalog)
        if !fits(newest.catalog) { throw schemaChanged }
        snapshot = newest
        didMove()
        return newest
    }

    /// The table of a class, from the open transaction or the snapshot. O(1).
    func table(of binding: ClassBinding) -> TableView {
        if let known = binding.knownTable { return known }
        if let uncommitted { return binding.mutableTable(in: uncommitted) }
        if isFrozen { return source.table(binding.table) }
        return binding.snapshotTable(in: currentSnapshot)
    }

    /// The current position of a row; nil if it does not exist. O(log clusters).
    func locate(_ key: Int64, of binding: ClassBinding) -> (cluster: ClusterView, row: Int)? {
        table(of: binding).locate(RowKey(rawValue: key))
    }
}
