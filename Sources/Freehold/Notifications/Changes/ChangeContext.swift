import FreeholdStorage

/// Two versions of a file as frozen realms, and their difference: the input for computing
/// changes, on any thread.
final class ChangeContext: @unchecked Sendable {
    // @unchecked: frozen realms may be used by any thread, and only the computing thread uses
    // `latest`.

    let old: RealmCore
    let new: RealmCore
    let difference: VersionDifference
    /// The rows that count as changed, by the path node that they were found for. Protected by
    /// its lock.
    let knownRows = Locked<[ObservedNode: ContiguousArray<Int64>]>([:])

    init(from old: RealmCore, to new: RealmCore) throws(StorageError) {
        self.old = old
        self.new = new
        difference = try VersionDifference(from: old.comparedSource, to: new.comparedSource)
    }

    /// The table requested last. Used while changes are computed, by one thread at a time.
    private var latest: (table: TableID, changes: TableChanges)?

    /// Calls `body` with the changes of a table. Takes no lock if the table is the one requested
    /// last. Call it only while changes are computed.
    func withChanges<Result>(of table: TableID, _ body: (TableChanges) -> Result) -> Result {
        if latest?.table != table { latest = (table, difference.changes(of: table)) }
        return body(latest.unsafelyUnwrapped.changes)
    }

    /// Whether no table that the realm knows differs.
    var isEmpty: Bool { difference.changedTables.isEmpty }
}

/// The versions and differences for one round of computing changes, each created once.
final class ChangeRound {
    let target: ObservedVersion
    private let origin: RealmOrigin
    /// The frozen realm of the newest version, shared by all observers.
    lazy var new: RealmCore = target.core(of: origin)
    private var contexts: [UInt64: ChangeContext] = [:]

    init(_ origin: RealmOrigin, to target: ObservedVersion) {
        self.origin = origin
        self.target = target
    }

    /// The difference from a version to the newest.
    func context(from base: ObservedVersion) throws(StorageError) -> ChangeContext {
        if let known = contexts[base.order] { return known }
        let context = try ChangeContext(from: base.core(of: origin), to: new)
        contexts[base.order] = context
        return context
    }
}
