import FreeholdStorage

/// The asynchronous writes of one live realm.
///
/// ## How a write runs
/// 1. A **pending write** (a block, or a task that waits in `asyncWrite`) joins ``pending`` and
///    requests a **write grant** from the storage. The request joins the queue of all writers of
///    the process, so synchronous and asynchronous writes run first in, first out.
/// 2. The grant is offered by mail: at once if it is free, otherwise by the previous writer, or
///    by the writer thread, which waits for other processes. The scheduler runs ``process()`` on
///    the realm's own thread, queue or actor. There the first pending write accepts the offer
///    and runs. A task whose grant comes at once continues without the scheduler. An offer that
///    is not accepted soon is withdrawn. It is made again after the realm has tried to accept
///    it.
/// 3. A commit makes the write set immutable. If grouping is allowed and this realm also has the
///    next request in the queue, the next pending write continues from the immutable write set
///    with the same grant. Otherwise the group is flushed: the writer thread writes and syncs
///    the last write set, which contains all of them. A group may rest until the next task comes
///    or, after a task cancelled its transaction, until the scheduler comes. If they are late,
///    it is flushed without them (``RestingGroup``).
/// 4. The outcome comes back by mail. The realm moves to the new snapshot, or shows the state
///    before the group, and the completions run.
///
/// So a grant never waits for the scheduler, unless a block runs or the program has a
/// transaction open.
///
/// ``WriteState`` defines the states and their transitions. Only ``move(_:)`` changes the state;
/// only ``carryOut(_:)`` performs the resulting actions.
///
/// The realm stays alive while anything is in flight.
///
/// Lock order: `monitor` is taken last and nothing is called under it.
final class AsyncWrites: @unchecked Sendable {
    // @unchecked: `mail`, `asker` and `reader` are protected by `monitor`; everything else is
    // confined like the realm.

    /// Unowned is safe: a released realm has nothing in flight, so there are no calls.
    unowned(unsafe) let core: RealmCore
    let scheduler: any RealmScheduler
    /// This object as a pool owner, if it accepts offers on threads of the task pool.
    let poolOwner: PoolOwner?

    // MARK: Shared with other threads

    enum Mail: Sendable {
        /// The request's grant is offered, or will never be.
        case answer(WriteRequest, Result<Void, StorageError>)
        /// The group was written, or is lost.
        case outcome(Result<Snapshot, StorageError>)
    }

    let monitor = Monitor()
    var mail: [Mail] = []
    /// The thread that is requesting a grant and then reads the mail; 0 if there is none.
    var asker: UInt = 0
    /// A task of the realm's actor that waits for mail and reads it when woken. This saves the
    /// actor a job.
    var reader: CheckedContinuation<Bool, Never>?

    // MARK: Confined

    private(set) var state: WriteState
    var pending = PendingWrites()
    /// The group's last write set, which contains all of them. Immutable. Nil while the group
    /// rests or is flushed: the writer thread then has the only reference, so this thread need
    /// not release it.
    var committed: WriteSet?
    /// The group, while it rests.
    var rest: RestingGroup?
    /// Whether the last commit allows another transaction to join its group.
    var allowsGrouping = false
    /// The author of the last transaction, which those that join its group have, too: the history
    /// has one entry for a commit.
    var groupAuthor: String?
    /// Whether the block of a pending write or the observers of a commit are running: the next
    /// write waits.
    var isRunningBlock = false
    /// Whether a task that waited is running its block.
    var isRunningTask = false
    private var lastID: UInt32 = 0
    /// The realm and its actor, while anything is in flight.
    var keptAlive: (core: RealmCore, actor: (any Actor)?)?

    /// The largest number of transactions that share one sync. They are lost together if the
    /// disk fails, and other writers wait for all of them.
    static let largestGroup = 256

    /// How often an actor's offer is withdrawn before the actor waits for it.
    static let mostWithdrawals = 2
    /// How long the actor then waits.
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
    /// - Returns: The resulting action, for ``carryOut(_:)``.
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

    /// Performs the action of a state change.
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

    /// Runs pending writes until one has to wait.
    func advance() {
        while !isRunningBlock, carryOut(move(.advance)) {}
    }

    /// Hands the group to the storage, unless it is already being written.
    func flush() {
        while carryOut(move(.flush)) {}
    }

    /// Whether a pending write may continue from the group. An observer that was added after the
    /// group's transactions must first receive their result, once it is on the disk. Only then
    /// does it receive the changes of the next one.
    private var mayJoin: Bool {
        allowsGrouping && pending.committedCount < Self.largestGroup && pending.first != nil
            && !hasWaitingObservers && pending.first?.author == groupAuthor
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

    /// Whether the user's work is in flight.
    var isPerforming: Bool { !pending.writes.isEmpty || isRunningBlock || isRunningTask }

    /// Whether the realm's actor is gone, so that only the rest of its `deinit` can still run on
    /// it.
    var isAbandoned: Bool {
        guard let scheduler = scheduler as? ActorScheduler else { return false }
        return scheduler.actor == nil && keptAlive?.actor == nil
    }

    func nextID() -> UInt32 {
        lastID = lastID == .max ? 1 : lastID + 1
        return lastID
    }

    func noteLiveness() {
        // No transaction uses the version of the last grant any more.
        if !state.hasGroup, !state.isOpen { core.writing.set(0) }
        if isBusy {
            if keptAlive != nil { return }
            keptAlive = (core, (scheduler as? ActorScheduler)?.actor)
            (scheduler as? ThreadScheduler)?.beginWork()
        } else if let kept = keptAlive {
            keptAlive = nil
            discardMail()
            (scheduler as? ThreadScheduler)?.endWork()
            // The caller may have no other reference to the realm.
            withExtendedLifetime(kept) {}
        }
    }
}
