import FreeholdStorage

/// The asynchronous writes of one live realm: who waits for the write lock, and the
/// transactions that wait for the disk.
///
/// ## How a write runs
/// 1. An **entry** (a block, or a task that waits in `asyncWrite`) joins `entries`, and the
///    storage is asked for a turn. That asks in the line of all writers of the process, so
///    synchronous and asynchronous writes run first in, first out.
/// 2. The **turn** is offered by mail: at once where nobody else writes, else from the writer
///    before, or from the writer thread, which waits for other processes. The scheduler runs
///    ``process()`` on the realm's own thread, queue or actor, which lets the first entry
///    accept the offer and run. A task whose turn comes at once goes on without a detour. An
///    offer that is not accepted soon is withdrawn, and made again after the entry has tried to
///    accept it.
/// 3. A commit seals the entry's write set. If grouping is allowed and the next place in the
///    line is this realm's, too, the next entry goes on from the sealed write set, in the same
///    turn. Else the group is flushed: the writer thread writes and syncs the last write set,
///    which holds all of them. A group may wait for the next task, or, where a task's
///    transaction was cancelled, for the scheduler: if these do not come, it is flushed without
///    them (``RestingGroup``).
/// 4. The outcome comes back through the mail; the realm takes over the new snapshot, or shows
///    the state before the group, and the completions run.
///
/// So no turn is ever held that needs the scheduler to end, but by a block that runs or a
/// transaction that the program has open.
///
/// Turns and entries are counted, not paired (``balance()``): a synchronous `beginWrite` that
/// comes while entries wait takes the first turn that arrives, else it would wait for entries
/// that cannot run while it holds their thread; and a cancelled entry takes back the last
/// request, so that nobody behind it loses a place.
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

    enum Event: Sendable {
        /// The request's turn is offered, or never will be.
        case turn(WriteRequest, StorageError?)
        case flushed(Result<Snapshot, StorageError>)
    }

    let monitor = Monitor()
    var mail: [Event] = []
    /// The thread that asks for a turn just now, and looks into the mail afterwards; 0 if none
    /// does.
    var asker: UInt = 0
    /// A task of the realm's actor that waits for mail, and reads it when it is woken: that
    /// spares the actor a job.
    var reader: CheckedContinuation<Bool, Never>?

    // MARK: Confined

    typealias Completion = ((any Error)?) -> Void

    /// One asynchronous write that waits for its turn.
    struct Entry {
        enum Work {
            /// The second is called if the transaction cannot begin.
            case block(() -> Void, onFailure: Completion)
            case waiter(WriteWaiter)
        }
        let id: UInt32
        let work: Work
        /// Whether it can fail: if not, it waits for its turn as long as it takes, and begins
        /// on a damaged file, too.
        var canFail = true
    }

    /// A request that was answered.
    struct Turn {
        let request: WriteRequest
        /// Why there is no turn; nil if it was offered.
        let error: StorageError?
    }

    /// Transactions in memory that share a turn and will share a sync.
    struct Group {
        /// All of them. Sealed. Nil while the group rests, and while it is flushed: the writer
        /// thread then has the only reference, and spares this thread its end.
        var committed: WriteSet?
        var count: Int
        /// Whether another transaction may join.
        var isOpen: Bool
        /// While the group waits for the next task or the scheduler, and when it was flushed
        /// without them.
        var resting: RestingGroup?
        var completions: [(id: UInt32, call: Completion)] = []

        /// Whether it is on its way to the disk.
        var isFlushing: Bool { committed == nil && (resting?.isFlushed ?? true) }
    }

    var entries: [Entry] = []
    /// Asked for, not answered. In order.
    var requests: [WriteRequest] = []
    /// Answered, not used.
    var turns: [Turn] = []
    var group: Group?
    /// The first entry, a task, has been told that it may run; it will call ``begin(_:)``.
    var isAwaitingWaiter = false
    /// That task is to join the group, and its request was absorbed.
    var isAbsorbed = false
    /// A block of an entry runs.
    var isRunningBlock = false
    /// A task that waited runs its block.
    var isRunningTask = false
    /// Completions of a group that ended inside a call of the realm's user.
    var deferred: [(id: UInt32, call: () -> Void)] = []
    private var lastID: UInt32 = 0
    /// The realm, while anything is in flight, and its actor.
    var keptAlive: (core: RealmCore, actor: (any Actor)?)?

    /// How many transactions may share one sync: so many are lost together if the disk fails,
    /// and others wait for so many.
    static let largestGroup = 256

    /// How often a turn of an actor is withdrawn before the actor waits for it.
    static let mostWithdrawals = 2
    /// How long it waits then.
    static let longestStay = Duration.milliseconds(100)

    init(_ core: RealmCore, _ scheduler: any RealmScheduler) {
        self.core = core
        self.scheduler = scheduler
        poolOwner =
            scheduler is ActorScheduler && QueueIdentity.isCurrentTaskPool ? PoolOwner() : nil
    }

    var isBusy: Bool {
        !entries.isEmpty || group != nil || !requests.isEmpty || !turns.isEmpty || !deferred.isEmpty
            || isRunningBlock
    }

    /// Whether work of the user's is in flight.
    var isPerforming: Bool {
        !entries.isEmpty || group != nil || !deferred.isEmpty || isRunningBlock || isRunningTask
    }

    /// Whether transactions were committed in memory that are not on the disk yet.
    var hasGroup: Bool { group != nil }

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
        // Nothing stands on the version of the last turn any more.
        if group == nil, core.writeSet == nil { core.writing.set(0) }
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
