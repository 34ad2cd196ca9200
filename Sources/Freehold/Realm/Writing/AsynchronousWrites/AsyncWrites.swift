import FreeholdStorage

/// The asynchronous writes of one live realm.
///
/// ## How a write runs
/// 1. A **pending write** (a block, or a task that waits in `asyncWrite`) joins ``pending``, and
///    the storage is asked for a **write grant**. The request joins the queue of all writers of
///    the process, so synchronous and asynchronous writes run first in, first out.
/// 2. The grant is offered by mail: at once if it is free, else from the writer before, or from
///    the writer thread, which waits for other processes. The scheduler runs ``process()`` on
///    the realm's own thread, queue or actor, which lets the first pending write accept the
///    offer and run. A task whose grant comes at once goes on without a detour. An offer that
///    is not accepted soon is withdrawn, and made again after the realm has tried to accept it.
/// 3. A commit encrypts the write set. If grouping is allowed and the next request in the queue is
///    this realm's, too, the next pending write goes on from the encrypted write set, with the same
///    grant. Otherwise the group is flushed: the writer thread writes and syncs the last write
///    set, which holds all of them. A group may rest until the next task comes or, after a task
///    cancelled its transaction, until the scheduler comes. If they are late, it is flushed
///    without them (``RestingGroup``).
/// 4. The outcome comes back by mail. The realm moves to the new snapshot, or shows the state
///    before the group, and the completions run.
///
/// So a grant never waits for the scheduler, unless a block runs or the program has a
/// transaction open.
///
/// ``WriteState`` has the states and what leads from one to another; ``move(_:)`` is the only
/// place that changes it, ``carryOut(_:)`` the only one that does what follows.
///
/// The realm stays alive while anything is in flight.
///
/// Lock order: `monitor` is taken last and nothing is called under it.
final class AsyncWrites: @unchecked Sendable {
    // @unchecked: `mail`, `asker` and `reader` are protected by `monitor`; everything else is
    // confined as the realm is.

    /// A realm that is gone has nothing in flight, so nobody calls.
    unowned(unsafe) let core: RealmCore
    let scheduler: any RealmScheduler
    /// This, if it accepts offers on threads of the tasks' pool.
    let poolOwner: PoolOwner?

    // MARK: Shared with other threads

    enum Mail: Sendable {
        /// The request's grant is offered, or never will be.
        case answer(WriteRequest, Result<Void, StorageError>)
        /// The group was written, or is lost.
        case outcome(Result<Snapshot, StorageError>)
    }

    let monitor = Monitor()
    var mail: [Mail] = []
    /// The thread that asks for a grant just now, and reads the mail afterwards; 0 if none does.
    var asker: UInt = 0
    /// A task of the realm's actor that waits for mail, and reads it when it is woken: that
    /// spares the actor a job.
    var reader: CheckedContinuation<Bool, Never>?

    // MARK: Confined

    private(set) var state: WriteState
    var pending = PendingWrites()
    /// The group's last write set, which holds all of them. Encrypted. Nil while the group rests,
    /// and while it is flushed: the writer thread then has the only reference, and spares this
    /// thread its end.
    var committed: WriteSet?
    /// The group, while it rests.
    var rest: RestingGroup?
    /// Whether the last commit allows another transaction to join its group.
    var allowsGrouping = false
    /// The block of a pending write runs, or the observers of a commit: the next one waits.
    var isRunningBlock = false
    /// A task that waited runs its block.
    var isRunningTask = false
    private var lastID: UInt32 = 0
    /// The realm, while anything is in flight, and its actor.
    var keptAlive: (core: RealmCore, actor: (any Actor)?)?

    /// How many transactions may share one sync: so many are lost together if the disk fails,
    /// and others wait for so many.
    static let largestGroup = 256

    /// How often an actor's offer is withdrawn before the actor waits for it.
    static let mostWithdrawals = 2
    /// How long it waits then.
    static let longestStay = Duration.milliseconds(100)

    init(_ core: RealmCore, _ scheduler: any RealmScheduler) {
        self.core = core
        self.scheduler = scheduler
        state = core.writeSet == nil ? .idle : .open
        poolOwner =
            scheduler is ActorScheduler && QueueIdentity.isCurrentTaskPool ? PoolOwner() : nil
    }

    // MARK: States

    /// Changes the state.
    ///
    /// - Returns: What follows, for ``carryOut(_:)``.
    @discardableResult
    func move(_ event: WriteState.Event) -> WriteState.Action {
        switch state.outcome(of: event) {
        case .next(let next, let action):
            state = next
            return action
        case .misuse where event == .begin: violation(.alreadyInTransaction(core))
        case .misuse where event == .commit || event == .write:
            violation(.commitWithoutTransaction(core))
        case .misuse: violation(.cancelWithoutTransaction(core))
        case .fault(let reason):
            preconditionFailure("Asynchronous writes, \(event) while \(state): \(reason)")
        }
    }

    /// Does what a change of state asks for.
    ///
    /// - Returns: Whether more can be done at once.
    @discardableResult
    func carryOut(_ action: WriteState.Action) -> Bool {
        switch action {
        case .nothing: return false
        case .advance: advance()
        case .beginFirst: return pending.hasAnswer && runFirst()
        case .joinFirst: return mayJoin && absorbNext() ? runFirst() : carryOut(move(.flush))
        case .wakeFirst: wakeFirst()
        case .restAndWakeFirst:
            beginRest()
            wakeFirst()
        case .rest: beginRest()
        case .takeBack:
            committed = rest.take()?.take()
            carryOut(move(committed == nil ? .expire : .takeBack))
        case .flush:
            guard let writing = committed.take() else { preconditionFailure("No group.") }
            core.store.commitAsync(writing) { self.deliver(.outcome($0)) }
        case .ask: balance()
        }
        return true
    }

    /// Lets pending writes run, until something has to be waited for.
    func advance() {
        while !isRunningBlock, carryOut(move(.advance)) {}
    }

    /// Hands the group to the storage, if there is one that is not on its way.
    func flush() {
        while carryOut(move(.flush)) {}
    }

    /// Whether a pending write may go on from the group. An observer that was added behind its
    /// transactions is first told what they left, when that is on the disk, and then what the
    /// next one changes.
    private var mayJoin: Bool {
        allowsGrouping && pending.committedCount < Self.largestGroup && pending.first != nil
            && !hasWaitingObservers
    }

    var hasWaitingObservers: Bool { core.listener?.hasWaitingObservers == true }

    private func beginRest() {
        guard let resting = committed.take() else { preconditionFailure("No group.") }
        rest = RestingGroup(resting, core.store) { self.deliver(.outcome($0)) }
    }

    private func wakeFirst() {
        if case .task(let waiter) = pending.first?.stage { waiter.wake() }
    }

    // MARK: Liveness

    var isBusy: Bool { !pending.isEmpty || isRunningBlock }

    /// Whether work of the user's is in flight.
    var isPerforming: Bool { !pending.writes.isEmpty || isRunningBlock || isRunningTask }

    /// Whether the realm's actor is gone, so that nothing will run on it any more but the rest
    /// of its `deinit`.
    var isAbandoned: Bool {
        guard let scheduler = scheduler as? ActorScheduler else { return false }
        return scheduler.actor == nil && keptAlive?.actor == nil
    }

    func nextID() -> UInt32 {
        lastID = lastID == .max ? 1 : lastID + 1
        return lastID
    }

    func noteLiveness() {
        // Nothing stands on the version of the last grant any more.
        if !state.hasGroup, !state.isOpen { core.writing.set(0) }
        if isBusy {
            if keptAlive != nil { return }
            keptAlive = (core, (scheduler as? ActorScheduler)?.actor)
            (scheduler as? ThreadScheduler)?.beginWork()
        } else if let kept = keptAlive {
            keptAlive = nil
            discardMail()
            (scheduler as? ThreadScheduler)?.endWork()
            // The caller may have nothing else that holds the realm.
            withExtendedLifetime(kept) {}
        }
    }
}
