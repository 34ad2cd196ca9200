import FreeholdStorage

/// The asynchronous writes of one live realm: who waits for the write lock, and the transactions that wait for the disk.
///
/// ## How a write runs
/// 1. An **entry** (a block, or a task that waits in `asyncWrite`) joins `entries`, and the storage is asked for a turn. That asks in the
///    line of all writers of the process, so synchronous and asynchronous writes run first in, first out.
/// 2. The **turn** comes by mail: at once where nobody else writes, else from the writer before, or from the writer thread, which waits for other
///    processes. The scheduler runs ``process()`` on the realm's own thread, queue or actor, which lets the first entry run on it. A task whose
///    turn comes at once goes on without a detour.
/// 3. A commit seals the entry's write set. If grouping is allowed and the next place in the line is this realm's, too, the next entry goes on from
///    the sealed write set, in the same turn. Else the group is flushed: the writer thread writes and syncs the last write set,
///    which holds all of them.
/// 4. The outcome comes back through the mail; the realm takes over the new snapshot, or shows the state before the group, and the completions run.
///
/// Turns and entries are counted, not paired (``balance()``): a synchronous `beginWrite` that comes while entries wait takes the first turn
/// that arrives, else it would wait for entries that cannot run while it holds their thread; and a cancelled entry takes back the last
/// request, so that nobody behind it loses a place.
///
/// The realm stays alive while anything is in flight.
///
/// Lock order: `monitor` is taken last and nothing is called under it.
final class AsyncWrites: @unchecked Sendable {
    // @unchecked: `mail`, `asker` and `reader` are protected by `monitor`; everything else is confined as the realm is.

    /// A realm that is gone has nothing in flight, so nobody calls.
    private unowned(unsafe) let core: RealmCore
    private let scheduler: any RealmScheduler

    // MARK: Shared with the writer thread

    private enum Event: Sendable {
        case turn(UInt64, Result<WriteTicket, StorageError>)
        case flushed(Result<Snapshot, StorageError>)
    }

    private let monitor = Monitor()
    private var mail: [Event] = []
    /// The thread that asks for a turn just now, and looks into the mail afterwards; 0 if none does.
    private var asker: UInt = 0
    /// A task of the realm's actor that waits for mail, and reads it when it is woken: that spares the actor a job.
    private var reader: CheckedContinuation<Void, Never>?

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
    }

    /// Transactions in memory that share a turn and will share a sync.
    private struct Group {
        /// All of them. Sealed. Nil while it is flushed: the writer thread then has the only reference, and spares this thread its end.
        var committed: WriteSet?
        var count: Int
        /// Whether another transaction may join.
        var isOpen: Bool
        var isFlushing: Bool { committed == nil }
        var completions: [(id: UInt32, call: Completion)] = []
    }

    private(set) var entries: [Entry] = []
    /// Asked for, not answered. In order.
    private var requests: [(number: UInt64, request: WriteRequest)] = []
    /// Answered, not used.
    private var turns: [Result<WriteTicket, StorageError>] = []
    private var group: Group?
    /// The first entry, a task, has been told that it may run; it will call ``begin(_:)``.
    private var isAwaitingWaiter = false
    /// A block of an entry runs.
    private var isRunningBlock = false
    /// A task that waited runs its block.
    var isRunningTask = false
    /// Completions of a group that ended inside a call of the realm's user.
    private var deferred: [(id: UInt32, call: () -> Void)] = []
    private var lastID: UInt32 = 0
    private var lastNumber: UInt64 = 0
    /// The realm, while anything is in flight, and its actor.
    private var keptAlive: (core: RealmCore, actor: (any Actor)?)?

    /// How many transactions may share one sync: so many are lost together if the disk fails, and others wait for so many.
    private static let largestGroup = 256

    init(_ core: RealmCore, _ scheduler: any RealmScheduler) {
        self.core = core
        self.scheduler = scheduler
    }

    var isBusy: Bool { !entries.isEmpty || group != nil || !requests.isEmpty || !turns.isEmpty || !deferred.isEmpty || isRunningBlock }

    /// Whether work of the user's is in flight.
    var isPerforming: Bool { !entries.isEmpty || group != nil || !deferred.isEmpty || isRunningBlock || isRunningTask }

    /// Whether transactions were committed in memory that are not on the disk yet.
    var hasGroup: Bool { group != nil }

    func nextID() -> UInt32 {
        lastID = lastID == .max ? 1 : lastID + 1
        return lastID
    }

    private func noteLiveness() {
        if isBusy {
            if keptAlive != nil { return }
            keptAlive = (core, (scheduler as? ActorScheduler)?.actor)
            (scheduler as? ThreadScheduler)?.beginWork()
        } else if let kept = keptAlive {
            keptAlive = nil
            core.writing.set(0)
            (scheduler as? ThreadScheduler)?.endWork()
            // The caller may have nothing else that holds the realm.
            withExtendedLifetime(kept) {}
        }
    }
}

// MARK: - Mail

extension AsyncWrites {
    /// Any thread.
    private func deliver(_ event: Event) {
        if case .turn(_, .success(let ticket)) = event { core.writing.set(ticket.base.version) }
        let (isExpected, woken) = monitor.withLock {
            mail.append(event)
            monitor.wakeAll()
            let isExpected = asker == currentThreadToken()
            return (isExpected, isExpected ? nil : reader.take())
        }
        if isExpected { return }
        if let woken { woken.resume() } else { scheduler.run { self.process() } }
    }

    private func takeMail() -> [Event] {
        monitor.withLock {
            let taken = mail
            mail = []
            return taken
        }
    }

    /// Reads the mail and goes on. On the realm's scheduler, as work of its own: it runs the users' blocks and completions.
    func process() {
        // Nothing is in flight: an earlier call did everything, and the realm may be gone.
        guard let alive = keptAlive else { return }
        readMail()
        runDeferred()
        advance()
        noteLiveness()
        withExtendedLifetime(alive) {}
    }

    /// Reads what turns are in the mail, and leaves the rest there.
    private func readTurns() {
        let answers = monitor.withLock {
            let answers = mail
            mail.removeAll { if case .turn = $0 { true } else { false } }
            return answers
        }
        for case .turn(let number, let result) in answers {
            requests.removeAll { $0.number == number }
            turns.append(result)
        }
    }

    private func readMail() {
        for event in takeMail() {
            switch event {
            case .turn(let number, let result):
                requests.removeAll { $0.number == number }
                turns.append(result)
            case .flushed(let result): finishFlush(result)
            }
        }
    }

    private func runDeferred() {
        let calls = deferred
        deferred = []
        for completion in calls { completion.call() }
        // A commit may have ended without mail, with a synchronous one: the task that waits for mail may be the one that waited for it.
        if !calls.isEmpty { monitor.withLock { reader.take() }?.resume() }
    }

    /// Lets a task of the realm's actor wait for mail, and read it.
    ///
    /// - Returns: False, at once, if another task does so.
    func readNextMail(isolation: isolated any Actor) async -> Bool {
        guard keptAlive != nil, monitor.withLock({ reader == nil }) else { return false }
        await withCheckedContinuation { continuation in
            let isThere = monitor.withLock {
                if mail.isEmpty { reader = continuation }
                return !mail.isEmpty
            }
            if isThere { continuation.resume() }
        }
        process()
        return true
    }

    /// Waits for mail, as a synchronous call must.
    private func waitForMail() {
        monitor.withLock {
            while mail.isEmpty { monitor.wait() }
        }
        readMail()
    }

    /// Goes on later, as work of the scheduler's.
    func wakeUpLater() {
        // A task's transaction that ended here may have been the last that was in flight.
        guard isBusy else { return noteLiveness() }
        scheduler.run { self.process() }
    }
}

// MARK: - Turns

extension AsyncWrites {
    func enqueue(_ entry: Entry) {
        entries.append(entry)
        // First: the answer may come at once, and needs a scheduler that expects it.
        noteLiveness()
        requestTurn()
        let isThere = monitor.withLock { !mail.isEmpty }
        guard isThere else { return }
        switch entry.work {
        case .waiter: process()
        // Blocks run as work of the scheduler's, never inside of the call that asks for them.
        case .block: wakeUpLater()
        }
    }

    private func requestTurn() {
        lastNumber += 1
        let number = lastNumber
        monitor.withLock { asker = currentThreadToken() }
        let request = core.store.requestWrite(owner: ObjectIdentifier(self)) { self.deliver(.turn(number, $0)) }
        monitor.withLock { asker = 0 }
        requests.append((number, request))
    }

    /// Takes an entry out that has not begun. Returns false if it is not there.
    @discardableResult
    func remove(_ id: UInt32) -> Bool {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return false }
        entries.remove(at: index)
        if index == 0 { isAwaitingWaiter = false }
        balance()
        if group != nil || !turns.isEmpty { wakeUpLater() }
        noteLiveness()
        return true
    }

    /// Makes the turns that were asked for or are there as many as the entries that need one.
    private func balance() {
        // The entry that was told to go on in the group needs none: its request was absorbed.
        let needed = entries.count - (group != nil && isAwaitingWaiter ? 1 : 0)
        if turns.count + requests.count < needed {
            while turns.count + requests.count < needed { requestTurn() }
            wakeUpLater()
        }
        // A request that cannot be taken back is being answered; ``advance()`` gives back what nobody needs.
        while turns.count + requests.count > needed, let last = requests.last, last.request.cancel() { requests.removeLast() }
    }

    /// Lets whoever is next run, until somebody has to be waited for.
    private func advance() {
        while core.writeSet == nil, !isRunningBlock {
            if let group {
                if group.isFlushing { return }
                guard group.isOpen, let next = entries.first else { return flush() }
                if isAwaitingWaiter { return }
                guard group.count < Self.largestGroup, core.store.absorbNextRequest(owner: ObjectIdentifier(self)) else { return flush() }
                requests.removeFirst()
                run(next)
            } else if let entry = entries.first {
                if isAwaitingWaiter || turns.isEmpty { return }
                run(entry)
            } else {
                return returnTurns()
            }
        }
    }

    private func returnTurns() {
        for case .success(let ticket) in turns { ticket.cancel() }
        turns = []
    }

    private func run(_ entry: Entry) {
        switch entry.work {
        case .waiter(let waiter):
            isAwaitingWaiter = true
            waiter.wake()
        case .block(let block, let onFailure):
            entries.removeFirst()
            isRunningBlock = true
            defer { isRunningBlock = false }
            do throws(StorageError) {
                try openTransaction()
            } catch {
                return onFailure(Realm.Error(error))
            }
            block()
            if core.writeSet != nil { core.cancelWrite() }
        }
    }

    /// Begins the transaction of the entry whose turn it is: from the group, or with the first turn.
    private func openTransaction() throws(StorageError) {
        if group != nil {
            core.resumeWrite()
        } else {
            try core.beginWrite(with: turns.removeFirst().get())
        }
    }
}

// MARK: - Tasks

extension AsyncWrites {
    /// Begins the write of a task, which was told that it may.
    ///
    /// - Returns: False if a synchronous write took the turn in between: the task waits again.
    func begin(_ id: UInt32) throws(StorageError) -> Bool {
        guard isAwaitingWaiter, entries.first?.id == id, core.writeSet == nil else { return false }
        isAwaitingWaiter = false
        // The group that was to be joined was flushed by somebody, or the turn was taken.
        if group?.isFlushing == true || (group == nil && turns.isEmpty) { return false }
        entries.removeFirst()
        try openTransaction()
        isRunningTask = true
        return true
    }
}

// MARK: - Commits

extension AsyncWrites {
    /// Commits the open transaction in memory; it is written with its group. The realm reads it from now on.
    func commit(_ id: UInt32, allowGrouping: Bool, _ completion: @escaping Completion) {
        guard let committing = core.suspendWrite() else { violation(.commitWithoutTransaction(core)) }
        if group == nil {
            group = Group(committed: committing, count: 1, isOpen: allowGrouping)
        } else {
            group?.committed = committing
            group?.count += 1
            group?.isOpen = allowGrouping
        }
        group?.completions.append((id, completion))
        noteLiveness()
        // Inside of an entry's block the loop of `advance` goes on.
        if !isRunningBlock { advance() }
    }

    /// Drops a completion that has not run.
    func removeCompletion(_ id: UInt32) {
        if let index = group?.completions.firstIndex(where: { $0.id == id }) { group?.completions[index].call = { _ in } }
        // The commit has ended, and the scheduler has not come to its completion.
        if let index = deferred.firstIndex(where: { $0.id == id }) { deferred[index].call = {} }
    }

    private func flush() {
        guard let writing = group?.committed.take() else { return }
        core.store.commitAsync(writing) { self.deliver(.flushed($0)) }
    }

    private func finishFlush(_ result: Result<Snapshot, StorageError>) {
        guard let finished = group else { return }
        group = nil
        core.finishWrite(try? result.get())
        let error: (any Error)? =
            switch result {
            case .success: nil
            case .failure(let error): Realm.Error(error)
            }
        for completion in finished.completions { deferred.append((completion.id, { completion.call(error) })) }
    }

    /// The committed transaction that a cancelled one went on from.
    var committed: WriteSet? { group?.committed }

    /// Waits until everything that was committed is on the disk, or has failed. Completions run later.
    func settle() {
        guard group != nil else { return }
        isAwaitingWaiter = false
        flush()
        while group != nil { waitForMail() }
        balance()
        wakeUpLater()
    }

    /// Takes over the outcome of the commit that is on its way to the disk, if it has come.
    ///
    /// If others have committed after it, it is over, and only the message is on its way: that is waited for, some moments, or the realm would stay behind them.
    /// Completions run later, as the work that comes with each piece of mail.
    func takeOutcome() {
        if group?.isFlushing != true { return }
        readMail()
        while group != nil, core.isPendingOvertaken { waitForMail() }
    }

    /// A synchronous commit wrote the group with it.
    func finishGroup(_ result: Result<Snapshot, StorageError>) {
        guard group != nil else { return }
        finishFlush(result)
        wakeUpLater()
    }

    /// A turn for a synchronous write, where asynchronous ones wait. Nil: nobody waits, ask in the ordinary way.
    func takeTurn() throws(StorageError) -> WriteTicket? {
        readMail()
        if entries.isEmpty {
            // A turn that came for a write that was cancelled is this one's: who asked again would wait behind it, for himself.
            if turns.isEmpty, requests.isEmpty { return nil }
        } else {
            requestTurn()
        }
        isAwaitingWaiter = false
        while turns.isEmpty { waitForMail() }
        return try turns.removeFirst().get()
    }

    /// Drops everything that has not begun.
    func cancelAll() {
        for entry in entries {
            if case .waiter(let waiter) = entry.work { waiter.cancel() }
        }
        entries = []
        isAwaitingWaiter = false
        // A turn that lies in the mail is given back now: the scheduler may never come to it, and all writers would wait.
        readTurns()
        balance()
        returnTurns()
        if let group, !group.isFlushing { flush() }
        noteLiveness()
    }
}
