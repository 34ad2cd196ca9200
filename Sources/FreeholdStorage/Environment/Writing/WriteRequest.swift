/// A write that was asked for without waiting.
///
/// When its grant has come, it is *offered*: the callback is called, and the owner accepts where
/// its block can run. The offer stands for a moment, then it is withdrawn, so that an owner
/// whose scheduler does not come stops nobody. The request keeps its place, and is offered the
/// grant again after the owner has come by, which is when it tries to accept: the grant itself
/// may be there at once.
package final class WriteRequest: WritePlace, @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.
    private let environment: Environment
    private let offered: @Sendable (WriteRequest, StorageError?) -> Void
    /// Its owner, if that accepts on a thread of the tasks' pool.
    private let poolOwner: PoolOwner?
    /// How long it may wait for others; nil: as long as it takes.
    private let timeout: Duration?
    private let begun = ContinuousClock.now
    private let monitor = Monitor()
    /// Runs ``start()``.
    private var starter: ThreadHandle? = .current
    private var isOfferedAtOnce = false
    private var deadline: ContinuousClock.Instant?
    /// Ends the wait.
    private var timer: UInt64?

    init(
        _ environment: Environment, owner: ObjectIdentifier?, poolOwner: PoolOwner?,
        timeout: Duration?,
        offered: @escaping @Sendable (WriteRequest, StorageError?) -> Void
    ) {
        self.environment = environment
        self.poolOwner = poolOwner
        self.timeout = timeout
        self.offered = offered
        super.init(owner: owner)
        startTimeAnew()
    }

    private var queue: WriteQueue { environment.writeQueue }

    // MARK: The owner's calls

    /// Takes the grant that was offered. On the owner's scheduler, where its block runs next.
    ///
    /// - Returns: Nil if the offer was withdrawn: the grant will be offered again, unless the
    ///   request was cancelled.
    /// - Throws: What keeps the grant from being used. The request is over then.
    package func accept(as identity: WriterIdentity = WriterIdentity()) throws(StorageError)
        -> WriteGrant?
    {
        switch queue.accept(self, as: identity) {
        case .held: return try grant(identity)
        case .reserved:
            startTimeAnew()
            return try takeFreeGrant(identity)
        case .waiting:
            startTimeAnew()
            armTimer()
            return nil
        case .ended: return nil
        }
    }

    /// The offer was withdrawn, and now the grant is free.
    private func takeFreeGrant(_ identity: WriterIdentity) throws(StorageError) -> WriteGrant? {
        do throws(StorageError) {
            guard try environment.tryTakeGate() else {
                waitForGate()
                return nil
            }
        } catch {
            _ = queue.cancel(self) {}
            queue.leave()
            throw error
        }
        if queue.move(self, to: .held(WriteHolder(identity))) { return try grant(identity) }
        environment.releaseGate()
        queue.leave()
        return nil
    }

    private func grant(_ identity: WriterIdentity) throws(StorageError) -> WriteGrant {
        disarmTimer()
        environment.counters.noteLockWait(since: begun)
        return try environment.makeGrant(identity)
    }

    /// Takes the request back, and an offer with it.
    ///
    /// - Returns: Whether it had neither been accepted nor failed, now or when it was first
    ///   cancelled. The callback may be being called just now, and is not called later.
    @discardableResult
    package func cancel() -> Bool {
        disarmTimer()
        return queue.cancel(self, byOwner: true) { environment.releaseGate() }
    }

    /// Lets an offer end by itself that was made at once, before the request was returned to
    /// who asked. Others do so without being told; a caller that accepts at once spares itself
    /// the deadline.
    package func armFirstPatience() { if monitor.withLock({ isOfferedAtOnce }) { armPatience() } }

    private func armPatience() {
        // Longer for an owner that came by in vain, which shows that it is only slow. None
        // where it cannot come. On the timer thread even so: here, one offer would be made
        // inside of another, and so on.
        let patience =
            isShutOut ? .zero : Self.patience * (1 << min(withdrawalCount, Self.mostDoublings))
        environment.deadlines.arm(after: patience, path: environment.path, mayBeEarly: true) {
            [weak self] in self?.withdraw()
        }
    }

    /// How many offers were withdrawn.
    package var withdrawalCount: Int { queue.withdrawals(of: self) }

    private var isShutOut: Bool { poolOwner?.isShutOut ?? false }

    /// Withdraws the offer if no thread is left that could accept it. Any thread.
    func withdrawIfShutOut() { if isShutOut { withdraw() } }

    /// How long a grant is left to an owner that has not used it yet, where others may wait.
    package static let patience = Duration.milliseconds(5)
    private static let mostDoublings = 6

    /// Withdraws an offer that was not accepted. Any thread.
    func withdraw() { queue.withdraw(self) { environment.releaseGate() } }

    // MARK: The way to the grant

    func start() {
        defer { monitor.withLock { starter = nil } }
        do {
            try environment.checkWritable()
        } catch {
            return refuse(error)
        }
        queue.enter(self)
        armTimer()
    }

    /// The wait for other processes blocks a thread, which must be the writer thread: nobody
    /// else needs it meanwhile. Where nobody has to be waited for, that thread is spared.
    override func grantHasCome() {
        do throws(StorageError) {
            if try environment.tryTakeGate() { return offer() }
        } catch {
            return fail(error)
        }
        waitForGate()
    }

    private func waitForGate() {
        do {
            try environment.writerThread.submit(path: environment.path) { self.takeGate() }
        } catch {
            fail(error)
        }
    }

    private func takeGate() {
        // Cancelled: the grant is the only thing that is left.
        if queue.hasEnded(self) { return queue.leave() }
        do throws(StorageError) {
            try environment.takeGate(until: monitor.withLock { deadline })
            offer()
        } catch {
            fail(error)
        }
    }

    /// With the grant and the gate.
    private func offer() {
        guard queue.move(self, to: .offered(self)) else {
            environment.releaseGate()
            return queue.leave()
        }
        let isAtOnce = monitor.withLock {
            let isStarter = starter?.isCurrent ?? false
            if isStarter { isOfferedAtOnce = true }
            return isStarter
        }
        if !isAtOnce { armPatience() }
        offered(self, nil)
    }

    /// With the grant, which is given up.
    private func fail(_ error: StorageError) {
        disarmTimer()
        let isWanted = queue.cancel(self) {}
        queue.leave()
        if isWanted { offered(self, error) }
    }

    /// Delivers an early refusal on the writer thread, as every other outcome; without a
    /// thread, here.
    private func refuse(_ error: StorageError) {
        let deliver: @Sendable () -> Void = {
            if self.queue.cancel(self, {}) { self.offered(self, error) }
        }
        do {
            try environment.writerThread.submit(path: environment.path, deliver)
        } catch {
            deliver()
        }
    }

    // MARK: The time that it may wait

    /// From now on it waits for others: what it waited for its own owner does not count.
    private func startTimeAnew() {
        if let timeout { monitor.withLock { deadline = .now + timeout } }
    }

    private func armTimer() {
        guard let deadline = monitor.withLock({ deadline }), queue.isWaiting(self) else { return }
        let armed = environment.deadlines.arm(at: deadline, path: environment.path) { [weak self] in
            self?.timeIsOver()
        }
        let before = monitor.withLock { () -> UInt64? in
            defer { timer = armed }
            return timer
        }
        if let before { environment.deadlines.disarm(before) }
    }

    private func disarmTimer() {
        guard timeout != nil, let armed = monitor.withLock({ timer.take() }) else { return }
        environment.deadlines.disarm(armed)
    }

    /// A request whose owner is away does not wait for others.
    private func timeIsOver() {
        let error = environment.queueTimeout(since: begun)
        if queue.expire(self) { offered(self, error) }
    }
}
