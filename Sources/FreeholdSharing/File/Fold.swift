import FreeholdStorage

/// Where pending commits are undone and done again: a write set beside that of a transaction, which
/// is never committed.
///
/// In the transaction itself, an object that a pending commit added would be deleted and added
/// again, in another row, and the program's live objects would be invalid.
struct Fold {
    let applier: SharedApplier
    private var touched: Set<SharedReference> = []

    /// - Parameter writeSet: A transaction, which has added classes and properties at most.
    init(_ outbox: Outbox, _ writeSet: WriteSet, _ store: Store) {
        let beside = store.draft(on: writeSet.base)
        beside.isFromUpstream = true
        applier = SharedApplier(beside)
        note(outbox.commits)
    }

    private mutating func note(_ pending: some Sequence<PendingCommit>) {
        for pending in pending {
            pending.commit.forEachObject { touched.insert($0) }
            pending.undo.forEachObject { touched.insert($0) }
        }
    }

    /// Makes the transaction's objects those of the fold. O(objects that the commits name).
    ///
    /// - Parameters:
    ///   - commits: Those of the log.
    ///   - redone: The pending ones, as they are now.
    func finish(with commits: [SharedCommit], _ redone: [PendingCommit], _ writeSet: WriteSet)
        throws
    {
        var fold = self
        fold.note(redone)
        for commit in commits { commit.forEachObject { fold.touched.insert($0) } }
        try SharedTransition(SharedApplier(writeSet), to: SharedRows(applier.writeSet))
            .run(over: fold.touched, renewed: Set(commits.lazy.flatMap(\.deleted)))
    }

    /// As above, for all objects.
    func finishAll(_ writeSet: WriteSet) throws {
        try SharedTransition(SharedApplier(writeSet), to: SharedRows(applier.writeSet)).run()
    }
}
