import FreeholdStorage

// Observers of a draft hear of its edits on the draft's own thread or actor. A write block (its
// beginning and its end), a checkpoint, an undo and a save tell them at once; other edits are told
// when the scheduler runs next. The versions that observers compare are states of the draft
// (`ObservedVersion`).
extension RealmCore {
    /// Tells a draft's observers of its edits so far. Returns whether there were any since the
    /// last delivery; false without observers.
    ///
    /// - Parameters:
    ///   - inCallbacks: Whether to deliver inside of a callback, too, as a realm does when a write
    ///     transaction begins there. Otherwise the delivery follows the callback.
    ///   - tokens: Observers of the draft as a whole that are left out.
    func deliverEdits(inCallbacks: Bool = false, except tokens: [NotificationToken] = []) -> Bool {
        guard let draft, !draft.isOver else { return false }
        guard isObserved else { return false }
        if isDelivering, !inCallbacks {
            hasMissedDelivery = true
            return false
        }
        let version = observedEdits()
        let isNew = noteDelivery()
        tracking?.forgetProvisional()
        if draft.deliveredMoveCount != draft.moves.count {
            draft.deliveredMoveCount = draft.moves.count
            tracking?.tellMoved()
        }
        listener?.follow(self)
        deliver(version)
        if isNew { callRealmObservers(.didChange, except: tokens) }
        return isNew
    }

    private func deliver(_ version: ObservedVersion) {
        guard let listener, listener.hasObservers else { return }
        do throws(StorageError) {
            guard let package = try listener.packageNow(version, includesInitial: true) else {
                return
            }
            delivering { listener.deliver(package) }
        } catch {
            store.noteDamage(error)
        }
    }

    /// Notes that the current edits are delivered. Returns whether they were not yet.
    private func noteDelivery() -> Bool {
        guard let draft else { return false }
        let edits = savepoint()
        // An edit is noted when it opens a collection. One that is open already, because of
        // something that had no effect, would hide the next edit.
        if writeSet?.hasOpenCollections == true { generation &+= 1 }
        defer { draft.deliveredEdits = edits }
        return draft.deliveredEdits !== edits
    }

    private var isObserved: Bool {
        !realmObservers.isEmpty || (listener?.hasObservers ?? false)
    }

    /// The current edits of a draft as a version.
    func observedEdits() -> ObservedVersion {
        guard let draft else { preconditionFailure("Only drafts have edits.") }
        let edits = savepoint()
        if let known = draft.observed, known.edits === edits { return known.version }
        draft.observedCount += 1
        let version = observedVersion(of: edits, number: draft.observedCount)
        draft.observed = (edits, version)
        return version
    }

    private func observedVersion(of edits: WriteSet, number: UInt64) -> ObservedVersion {
        let frozen = RealmCore(
            freezing: origin, snapshot: edits.base, edits: FrozenEdits(edits, number: number))
        frozen.frozenOrigin = draft?.moment
        return ObservedVersion(frozen)
    }

    /// A state of the draft with the row keys that the draft has now, so that a later state can be
    /// compared with it. O(its edits).
    func renamed(_ version: ObservedVersion) throws(StorageError) -> ObservedVersion {
        guard let draft, let edits = version.edits, let moment = version.moment,
            let moves = draft.moves(since: moment), !moves.isEmpty
        else { return version }
        let changes = try DetachedChanges(from: edits.base, to: edits)
        let renamed = store.draft(on: edits.base)
        try renamed.apply(changes.renamed(moves.map(\.keys), on: edits.base))
        return observedVersion(of: renamed, number: version.order)
    }

    /// The current edits of a draft as a frozen realm.
    func frozenEditsCore() -> RealmCore {
        let core = observedEdits().core(of: origin)
        if core.frozenPin == nil {
            let opening = confinement.opening
            core.frozenPin = ReaderPin(
                .frozen, core.currentSnapshot.version,
                FreezingSite.current
                    ?? CreationSite(fileID: opening.fileID, line: opening.line),
                in: coordinator.pins)
        }
        return core
    }

    // MARK: Later

    /// The listener of a draft's observers. It takes no part in the deliveries of the file: a
    /// draft moves to other versions when the program says so.
    func listenToEdits() -> RealmListener {
        if !isObserved, let draft {
            _ = noteDelivery()
            draft.deliveredMoveCount = draft.moves.count
        }
        if let listener { return listener }
        let made = RealmListener(origin, snapshot, of: draft?.reference)
        listener = made
        draft?.reference.begin(self)
        return made
    }

    /// Called with an edit that the last delivered state does not have.
    func noteEdit() { if isObserved { deliverEditsLater() } }

    /// Delivers when the draft's scheduler runs next. On a thread that never runs a loop, nothing
    /// does: the program calls `refresh()` there.
    func deliverEditsLater() {
        // A task that owns the draft cannot be called; the actor that takes it over can.
        if belongsToTask { return }
        guard let draft, !draft.willDeliver, let scheduler = confinement.scheduler else { return }
        draft.willDeliver = true
        // The thread may run its loop later.
        if let thread = scheduler as? ThreadScheduler, !thread.isAttended { thread.attend() }
        draft.reference.deliver(on: scheduler)
    }
}

/// Finds the core of a draft in a job of its scheduler, without owning it; see
/// ``RealmCoordinator`` for why this is no weak reference.
final class DraftReference: @unchecked Sendable {
    // Sendable: protected by `lock`; the core is used on its scheduler only.

    private let lock = Monitor()
    private var unsafeCore: Unmanaged<RealmCore>?

    func begin(_ core: RealmCore) { lock.withLock { unsafeCore = .passUnretained(core) } }

    /// Called by the core's `deinit`.
    func end() { lock.withLock { unsafeCore = nil } }

    /// The core, unless it is gone. Call it on its scheduler.
    private var core: RealmCore? { lock.withLock { unsafeCore.flatMap { unsafeTryRetain($0) } } }

    /// Delivers the draft's edits when a scheduler, which is the draft's, runs next. Any thread.
    func deliver(on scheduler: any RealmScheduler) {
        scheduler.run { [self] in
            if let thread = scheduler as? ThreadScheduler, thread.isEnding { return }
            guard let core else { return }
            core.draft?.willDeliver = false
            if core.draft?.group == nil { _ = core.deliverEdits() }
            withExtendedLifetime(core) {}
        }
    }
}
