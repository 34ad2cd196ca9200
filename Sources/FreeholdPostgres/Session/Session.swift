import FreeholdSharing
import FreeholdStorage
import Synchronization

/// A connection to a server and the thread that alone uses it.
///
/// Tasks hand jobs to the thread and suspend, so that no thread of the cooperative pool ever waits
/// for the network. Jobs run one after the other; between them the thread listens for
/// notifications. A task that is cancelled while its job runs resumes at once, and ends the
/// session: what the server makes of the statement is no longer known.
///
/// States: connecting (the first job), open, ended. `ended` is final; the thread then closes the
/// connection and exits.
final class Session: Sendable {
    private struct State {
        var jobs: [Job] = []
        var running: Job?
        var waits: [HeadWait] = []
        var heads = HeadKnowledge()
        /// Cancelled before they were added.
        var cancelled: Set<Int> = []
        var lastNumber = 0
        /// Why the session ended; nil while it is open.
        var end: SharingError?
        var isThreadOver = false
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let wake: WakeSignal
    let address: ServerAddress
    private let silence: SilenceLimits

    private init(_ address: ServerAddress, _ silence: SilenceLimits) throws(ServerError) {
        wake = try WakeSignal()
        self.address = address
        self.silence = silence
    }

    /// Connects on a thread of its own.
    ///
    /// - Throws: ``SharingError``, `CancellationError`.
    static func open(_ address: ServerAddress, _ silence: SilenceLimits) async throws -> Session {
        let session: Session
        do throws(ServerError) {
            session = try Session(address, silence)
            try session.startThread()
        } catch {
            throw SharingError(error, at: address)
        }
        do {
            // Runs when the thread has connected.
            try await session.run { _ in }
        } catch {
            // The caller never gets this session, so its thread must end here.
            session.end()
            throw error
        }
        return session
    }

    // MARK: Jobs

    /// Runs a closure on the session's thread.
    ///
    /// - Parameter isCancellable: Whether the task's cancellation ends the session.
    /// - Throws: ``SharingError``, `CancellationError`.
    func run<Value: Sendable>(
        isCancellable: Bool = true,
        _ body: @escaping @Sendable (ServerConnection) throws(ServerError) -> Value
    ) async throws -> Value {
        let number = nextNumber()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Job(number: number, continuation: continuation, body: body))
            }
        } onCancel: {
            if isCancellable { cancel(number) }
        }
    }

    private func nextNumber() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    private func add(_ job: Job) {
        let refusal: (any Error)? = state.withLock { state in
            if state.cancelled.remove(job.number) != nil { return CancellationError() }
            if let end = state.end { return end }
            state.jobs.append(job)
            return nil
        }
        if let refusal { job.fail(refusal) } else { wake.signal() }
    }

    private func cancel(_ number: Int) {
        let job: Job? = state.withLock { state in
            if let running = state.running, running.number == number {
                state.end = state.end ?? .closed
                state.running = nil
                return running
            }
            if let index = state.jobs.firstIndex(where: { $0.number == number }) {
                return state.jobs.remove(at: index)
            }
            // Also after the job's end: the number stays, an integer for each such race.
            state.cancelled.insert(number)
            return nil
        }
        job?.fail(CancellationError())
        wake.signal()
    }

    // MARK: Waits

    /// Suspends until the head may be above a number.
    func waitForHead(above sequence: Int64) async throws {
        let number = nextNumber()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(HeadWait(number: number, sequence: sequence, continuation: continuation))
            }
        } onCancel: {
            let wait = state.withLock { state in
                let index = state.waits.firstIndex { $0.number == number }
                if index == nil { state.cancelled.insert(number) }
                return index.map { state.waits.remove(at: $0) }
            }
            wait?.continuation.resume(throwing: CancellationError())
        }
    }

    private func add(_ wait: HeadWait) {
        let answer: Result<Void, any Error>? = state.withLock { state in
            if state.cancelled.remove(wait.number) != nil { return .failure(CancellationError()) }
            if let end = state.end { return .failure(end) }
            if state.heads.endsWait(above: wait.sequence) { return .success(()) }
            var wait = wait
            wait.epoch = state.heads.known.epoch
            state.waits.append(wait)
            return nil
        }
        if let answer { wait.continuation.resume(with: answer) } else { wake.signal() }
    }

    /// The newest head that an answer of the server told.
    var knownHead: KnownHead { state.withLock { $0.heads.known } }

    /// Notes a head that an answer of the server told.
    func note(_ head: KnownHead) {
        let over: [HeadWait] = state.withLock { state in
            state.heads.note(answer: head)
            let known = state.heads.known
            return state.waits.removeAll { $0.isOver(known) }
        }
        over.forEach { $0.continuation.resume() }
    }

    /// Notes a head that a notification told, which may be anybody's.
    private func note(hint head: KnownHead) {
        let over: [HeadWait] = state.withLock { state in
            let over = state.waits.removeAll { $0.isOver(head) }
            if over.isEmpty { state.heads.note(hint: head) }
            return over
        }
        over.forEach { $0.continuation.resume() }
    }

    // MARK: End

    /// Ends the session: open calls throw, and the thread closes the connection.
    func end(_ reason: SharingError = .closed) {
        let ended: (jobs: [Job], waits: [HeadWait]) = state.withLock { state in
            state.end = state.end ?? reason
            defer { (state.jobs, state.running, state.waits) = ([], nil, []) }
            return (state.jobs + (state.running.map { [$0] } ?? []), state.waits)
        }
        for job in ended.jobs { job.fail(reason) }
        for wait in ended.waits { wait.continuation.resume(throwing: reason) }
        wake.signal()
    }

    /// Ends the session and returns when the connection is closed.
    func close() async {
        end()
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isThreadOver { state.closers.append(continuation) }
                return state.isThreadOver
            }
            if isOver { continuation.resume() }
        }
    }

    private var isEnded: Bool { state.withLock { $0.end != nil } }

    // MARK: Thread

    private func startThread() throws(ServerError) {
        do {
            try SystemThread.start(
                named: "freehold-pq", to: "start the thread of a connection", path: "PostgreSQL"
            ) { [self] in runThread() }.detach()
        } catch {
            throw ServerError(.noResources, message: error.message)
        }
    }

    private func runThread() {
        do {
            // Closed when this function returns, before anybody is told.
            let connection = try ServerConnection.connect(
                to: address, wake: wake, silence: silence, isInterrupted: { self.isEnded })
            try connection.runScript([SessionSettings.statement])
            while !isEnded { try step(connection) }
            end()
        } catch {
            end(SharingError(error, at: address))
        }
        let closers = state.withLock { state in
            state.isThreadOver = true
            defer { state.closers = [] }
            return state.closers
        }
        closers.forEach { $0.resume() }
    }

    /// Runs the next job, or waits for one.
    private func step(_ connection: ServerConnection) throws(ServerError) {
        let next: (job: Job?, deadline: ContinuousClock.Instant?) = state.withLock { state in
            if !state.jobs.isEmpty, state.end == nil { state.running = state.jobs.removeFirst() }
            return (state.running, state.waits.map(\.deadline).min())
        }
        let clock = ContinuousClock()
        if let job = next.job {
            let outcome = job.body(connection)
            let isOurs = state.withLock { state in
                defer { state.running = nil }
                return state.running != nil
            }
            switch outcome {
            case .success(let resume):
                if isOurs { resume() }
            case .failure(let error):
                if isOurs { job.fail(SharingError(error, at: address)) }
                if error.endsConnection { throw error }
            }
        } else {
            let deadlines = [next.deadline, connection.announcer?.deadline].compactMap { $0 }
            try connection.waitWhileIdle(
                timeout: deadlines.min().map { max(.zero, $0 - clock.now) })
            try connection.announceIfDue()
        }
        for payload in connection.takeNotifications() {
            if let head = KnownHead(payload) { note(hint: head) }
        }
        endOverdueWaits()
    }

    private func endOverdueWaits() {
        let now = ContinuousClock().now
        let over: [HeadWait] = state.withLock { state in
            state.waits.removeAll { $0.deadline <= now }
        }
        over.forEach { $0.continuation.resume() }
    }
}

extension Array {
    /// Removes and returns the elements that fulfil a condition.
    fileprivate mutating func removeAll(taking isTaken: (Element) -> Bool) -> [Element] {
        let taken = filter(isTaken)
        removeAll(where: isTaken)
        return taken
    }
}
