import Dispatch
import Foundation
import Freehold
import FreeholdStorage

/// Drives the core over a real upstream: makes its calls, runs its blocks, tells the program.
///
/// The core and the agent's realm are used on `queue` alone. ``run()`` is the only task that makes
/// calls.
final class SharingAgent: @unchecked Sendable {
    // Sendable: `core`, `realm` and what follows them are protected by `queue`; `connection` and
    // `waiter` belong to the task of `run()`; everything else is constant or locked.

    let configuration: Realm.Configuration
    private let upstream: any Upstream
    let name: String
    private let options: SharingOptions
    /// Whether the file's own classes are used, because it was not migrated yet.
    private let usesStoredClasses: Bool
    /// Whether calls of the program wait for a snapshot until this client makes one.
    private let isPatient: Bool
    let queue = DispatchQueue(label: "Freehold.sharing")
    let wakeUp = WakeUp()
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let startDate = Date()

    // MARK: Protected by `queue`

    /// Held until the end.
    var lock: SharingLock?
    var core: SharingCore?
    var realm: Realm?
    var commits: CommitWaiter?
    var writes: [UInt64: any PendingSharedWrite] = [:]
    /// Ends shared writes while a call is under way; nil before the first one with a deadline.
    var deadlineTimer: (any DispatchSourceTimer)?
    /// The rows of rejections that loops of the program have, and have not dealt with.
    var givenRejections: Set<Int64> = []
    /// Calls of the program that wait for something.
    var waiting: [UUID: Waiting] = [:]
    private var progress: SharedStatus.Progress?
    /// Until when the agent may go on to write the snapshot of an epoch that it began, though it
    /// was closed; nil if it was not.
    var closingTime: Double?
    var isClosed: Bool { closingTime != nil }

    // MARK: Of the task

    private var connection: (any UpstreamConnection)?
    private var waiter: Task<Void, Never>?
    let headWait = Locked(HeadWait())

    struct HeadWait {
        /// Of the connection: counts those that have ended.
        var number = 0
        var isOver = false
    }

    /// The task of ``run()``.
    let work = Locked(Work())

    struct Work {
        var task: Task<Void, Never>?
        /// Whether the call that is under way is to end, and none is to begin.
        var isCancelled = false
    }

    let shown: Locked<Shown>

    struct Shown {
        var status: SharedStatus
        var listeners: [UUID: AsyncStream<SharedStatus>.Continuation] = [:]
        var rejectionWaiters: [UUID: AsyncStream<Void>.Continuation] = [:]
        /// Whether nobody will tell the listeners anything any more.
        var isOver = false
    }

    init(
        _ configuration: Realm.Configuration, _ upstream: any Upstream, _ name: String,
        _ options: SharingOptions, _ lock: SharingLock, usesStoredClasses: Bool = false,
        isPatient: Bool = false
    ) {
        self.isPatient = isPatient
        self.usesStoredClasses = usesStoredClasses || options.usesStoredClasses
        self.configuration = configuration
        self.upstream = upstream
        self.name = name
        self.options = options
        self.lock = lock
        start = clock.now
        shown = Locked(
            Shown(
                status: SharedStatus(
                    connection: .connecting, behind: 0, pending: 0, applied: 0, epoch: 0)))
    }

    /// Nil for a program without classes.
    var programVersion: UInt64? {
        options.usesStoredClasses ? nil : configuration.schemaVersion
    }

    var now: Double { seconds(at: clock.now) }

    private func seconds(at time: ContinuousClock.Instant) -> Double {
        let elapsed = start.duration(to: time).components
        return Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
    }

    /// Failures of the storage become those of realms.
    func onQueue<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws
        -> Result
    {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                let result = Swift.Result { try body() }.mapError { error -> any Error in
                    (error as? StorageError).map { Realm.Error($0) } ?? error
                }
                continuation.resume(with: result)
            }
        }
    }

    // MARK: Opening

    /// Opens the realm and its part in sharing.
    func open(_ identity: SharingState?) async throws {
        try await onQueue { [self] in
            let realm = try openRealm()
            try realm.checkClassesAreShareable()
            let file = try SharedFile(
                realm.sharedStore, name: name, key: try configuration.sharedFile().key,
                identity: identity, programVersion: programVersion,
                declaredColumns: options.usesStoredClasses
                    ? nil : try configuration.declaredColumns())
            self.realm = realm
            core = SharingCore(file, options, random: SystemRandomNumberGenerator())
            let wakeUp = wakeUp
            commits = realm.onCommits { wakeUp.wake() }
            show()
        }
    }

    private func openRealm() throws -> Realm {
        if usesStoredClasses,
            FileManager.default.fileExists(atPath: try configuration.sharedFile().path)
        {
            return try Realm.withStoredClasses(configuration, queue: queue)
        }
        return try Realm(configuration: configuration, queue: queue)
    }

    // MARK: Running

    /// Works until the shared realm is closed.
    func run() async {
        let task = Task { await makeSteps() }
        let isCancelled = work.withLock { work in
            work.task = task
            return work.isCancelled
        }
        if isCancelled { task.cancel() }
        await task.value
    }

    private func makeSteps() async {
        while true {
            let isCancelled = Task.isCancelled
            do {
                let step = try await onQueue { [self] () throws -> SharingStep? in
                    if isClosed { return isCancelled ? nil : try stepWhileClosing() }
                    let step = try core?.next(at: now)
                    deliver()
                    return step
                }
                guard let step else { break }
                try await take(step)
            } catch {
                // The file cannot be read or written now.
                try? await onQueue { [self] in fail(Self.sharingError(error)) }
                await dropConnection()
                // The next step may fail before it looks at the time.
                await wakeUp.wait(seconds: min(options.longestRetry, 5))
            }
        }
        await dropConnection()
        try? await onQueue { [self] in end() }
    }

    private func take(_ step: SharingStep) async throws {
        switch step {
        case .call(let call):
            let reply = await reply(to: call)
            let isConnected = try await onQueue { [self] in
                try core?.received(reply, at: now)
                show()
                if case .failed(let error) = reply, error.code == .permissionDenied {
                    failWaiting(error)
                }
                if case .failed(let error) = reply,
                    [.fileFailed, .serverFull].contains(error.code)
                {
                    failWaiting(error) { $0.purpose.isEnded(byFailureOf: call) }
                }
                deliver()
                return core?.isConnected ?? false
            }
            if !isConnected { await dropConnection() }
        case .runBlock(let id): try await onQueue { [self] in runBlock(id) }
        case .idle(let above, let time): await wait(above: above, until: time)
        case .sleep(let time):
            await wakeUp.wait(seconds: min(max(time - now, 0.01), 60))
        }
    }

    /// Waits until there is something to do. One wait for the head stays open meanwhile.
    private func wait(above head: Int64, until time: Double?) async {
        forgetEndedWait()
        if waiter == nil, let connection {
            let number = headWait.withLock { $0.number }
            waiter = Task { [weak self] in
                let result: (any Error)?
                do {
                    try await connection.waitForHead(above: head)
                    result = nil
                } catch {
                    result = error
                }
                if !Task.isCancelled { self?.waitEnded(number, result) }
            }
        }
        if let time {
            await wakeUp.wait(seconds: min(max(time - now, 0.01), 60))
        } else {
            await wakeUp.wait()
        }
    }

    /// A wait that ended says nothing of what comes after it: the next one begins. Also one that
    /// ended while a call was under way, whose answer was older.
    private func forgetEndedWait() {
        let isOver = headWait.withLock { wait in
            defer { wait.isOver = false }
            return wait.isOver
        }
        if isOver { waiter = nil }
    }

    private func waitEnded(_ number: Int, _ error: (any Error)?) {
        queue.async { [self] in
            let isCurrent = headWait.withLock { wait in
                if wait.number == number { wait.isOver = true }
                return wait.number == number
            }
            // The connection has ended, and another one may be there already.
            guard isCurrent else { return }
            if let error {
                core?.disconnected(Self.sharingError(error), at: now)
            } else {
                core?.headMayHaveMoved()
            }
            wakeUp.wake()
        }
    }

    private func dropConnection() async {
        let old = connection
        connection = nil
        waiter?.cancel()
        waiter = nil
        headWait.withLock { $0 = HeadWait(number: $0.number + 1) }
        await old?.close()
    }

    // MARK: Calls

    private func reply(to call: SharingCall) async -> SharingReply {
        do {
            return try await makeCall(call)
        } catch {
            return .failed(Self.sharingError(error))
        }
    }

    static func sharingError(_ error: any Error) -> SharingError {
        if let error = error as? SharingError { return error }
        if error is CancellationError {
            return SharingError(
                .unreachable, "The call was cancelled.", remedy: "None: the client tries again.")
        }
        if error is StorageError || error is Realm.Error { return SharingError(ofFile: error) }
        return SharingError(
            .serverFailed, "A call of the upstream failed.", remedy: "Look at the cause.",
            cause: "\(error)")
    }

    private func connect(as client: UpstreamClient) async throws -> SharingReply {
        await dropConnection()
        connection = try await upstream.connect(to: name, as: client)
        return .connected
    }

    private func makeCall(_ call: SharingCall) async throws -> SharingReply {
        if case .connect(let client) = call { return try await connect(as: client) }
        guard let connection else {
            throw SharingError(
                .unreachable, "There is no connection.", remedy: "None: the client tries again.")
        }
        switch call {
        case .connect: return .connected
        case .state: return .state(try await connection.state())
        case .push(let commits, let epoch, let head):
            try await onQueue { [self] in notePush(commits) }
            queue.async { [self] in
                // A failure is met again where the answer is taken.
                try? core?.applyArrived()
                deliver()
            }
            return .pushed(try await connection.push(commits, in: epoch, expecting: head))
        case .commits(let sequence, let epoch):
            return .commits(
                try await connection.commits(
                    after: sequence, in: epoch, upTo: options.pullBytes))
        case .readSnapshot: return try await readSnapshot(from: connection)
        case .writeSnapshot: return try await writeSnapshot(to: connection)
        case .beginEpoch(let request, withSnapshot: true):
            return .begun(try await beginEpochWithSnapshot(request, on: connection))
        case .beginEpoch(let request, withSnapshot: false):
            return .begun(try await connection.beginEpoch(request, with: nil) { nil })
        case .trim:
            try await connection.trim(olderThan: .seconds(options.retention))
            return .trimmed
        }
    }

    func note(_ done: Int64?, of total: Int64) {
        queue.async { [self] in
            progress = done.map { SharedStatus.Progress(done: $0, total: total) }
            show()
        }
    }

    // MARK: Events. On `queue`.

    func deliver() {
        guard let core else { return }
        // The status shows an end before any caller hears of it.
        show()
        for event in core.takeEvents() {
            switch event {
            case .finished(let id, let result):
                writes.removeValue(forKey: id)?.end(result.mapError { $0 })
            case .rejected:
                for waiter in shown.withLock({ Array($0.rejectionWaiters.values) }) {
                    waiter.yield()
                }
            case .statusChanged, .settled: break
            }
        }
        end(.success(())) {
            switch $0.purpose {
            case .snapshot: $0.callCount < core.snapshotCall
            case .epoch: $0.callCount < core.seededEpochCall
            case .migration: core.migrated == nil
            case .synchronization: false
            }
        }
        if core.isSettled {
            endSynchronizations(core)
        } else if core.isAtHead, let refusal = core.refusal(at: now) {
            // What is pending does not get into the log now.
            failWaiting(refusal)
        } else if !isPatient, let error = core.overdueSnapshot {
            failWaiting(error)
        } else if !core.isConnected, let error = core.lastError {
            failWaiting(error) { $0.connectionCount < core.failedConnection }
            if !waiting.isEmpty { core.retryNow() }
        }
    }

    func failWaiting(_ error: any Error, where isOver: (Waiting) -> Bool = { _ in true }) {
        end(.failure(error), where: isOver)
    }

    func end(_ result: Result<Void, any Error>, where isOver: (Waiting) -> Bool) {
        let ended = waiting.filter { isOver($0.value) }
        for (id, call) in ended {
            waiting[id] = nil
            call.continuation.resume(with: result)
        }
    }

    func show() {
        guard let core else { return }
        let state = core.file.state
        let connection: SharedStatus.Connection =
            if isClosed {
                .closed
            } else if core.isConnected, core.server != nil {
                .online
            } else if let since = core.offlineSince, core.lastError != nil {
                .offline(since: startDate.addingTimeInterval(since))
            } else {
                .connecting
            }
        show(
            SharedStatus(
                connection: connection, behind: max(0, (core.server?.head ?? 0) - state.applied),
                pending: core.pendingCount, applied: state.applied, epoch: state.epoch,
                snapshotProgress: progress,
                lastError: core.lastError?.about(configuration.fileURL)))
    }

    private func show(_ status: SharedStatus) {
        shown.withLock { shown in
            if shown.status == status { return }
            shown.status = status
            // Under the lock: a listener keeps the value that came last.
            for listener in shown.listeners.values { listener.yield(status) }
        }
    }

    private func fail(_ error: SharingError) {
        failWaiting(error)
        core?.fileFailed(error, at: now)
        deliver()
    }
}
