import FreeholdStorage

/// Two versions of a file as frozen realms, and what differs: what changes are computed from,
/// on any thread.
final class ChangeContext: @unchecked Sendable {
    // @unchecked: frozen realms may be used by any thread, and `latest` by the one that computes.

    let old: RealmCore
    let new: RealmCore
    let difference: VersionDifference
    /// Rows that count as changed, by the node of the paths that they were found for. Protected
    /// by itself.
    let knownRows = Locked<[ObservedNode: ContiguousArray<Int64>]>([:])

    init(from old: RealmCore, to new: RealmCore) throws(StorageError) {
        self.old = old
        self.new = new
        difference = try VersionDifference(from: old.currentSnapshot, to: new.currentSnapshot)
    }

    /// The table that was asked for last. Used while changes are computed, by one thread at a time.
    private var latest: (table: TableID, changes: TableChanges)?

    /// The changes of a table; without a lock for the one that was asked for last. While
    /// changes are computed.
    func withChanges<Result>(of table: TableID, _ body: (TableChanges) -> Result) -> Result {
        if latest?.table != table { latest = (table, difference.changes(of: table)) }
        return body(latest.unsafelyUnwrapped.changes)
    }

    /// Whether nothing that the realm knows differs.
    var isEmpty: Bool { difference.changedTables.isEmpty }
}

/// The versions and differences that one round of computing changes needs, each made once.
final class ChangeRound {
    let target: Snapshot
    private let origin: RealmOrigin
    /// The newest version, for everyone.
    lazy var new: RealmCore = origin.frozenCore(target)
    private var contexts: [UInt64: ChangeContext] = [:]

    init(_ origin: RealmOrigin, to target: Snapshot) {
        self.origin = origin
        self.target = target
    }

    /// What differs since a version.
    func context(from base: Snapshot) throws(StorageError) -> ChangeContext {
        if let known = contexts[base.version] { return known }
        let context = try ChangeContext(from: origin.frozenCore(base), to: new)
        contexts[base.version] = context
        return context
    }
}
