/// A write request that does not block a thread.
///
/// When the request gets the grant, the grant is *offered*: the callback is called, and the
/// owner accepts where its block can run. After a moment the offer is withdrawn, so that an
/// owner whose scheduler does not run delays no other writer. The request keeps its place. It
/// is ready for another offer once the owner tries to accept, which may also yield the grant
/// immediately.
package final class WriteRequest: WritePlace, @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.
    private let environment: Environment
    private let offered: @Sendable (WriteRequest, StorageError?) -> Void
    /// The request's owner, if it accepts on a thread of the task pool.
    private let poolOwner: PoolOwner?
    /// How long the request may wait for others; nil for no limit.
    private let timeout: Duration?
    private let begun = ContinuousClock.now
    private let monitor = Monitor()
    /// The thread that runs ``start()``; nil afterwards.
    private var starter: ThreadHandle? = .current
    private var isOfferedAtOnce = false
    private var deadline: ContinuousClock.Instant?
    /// Ends the wait at the deadline.
    private var timer: UInt64?

    init(
        _ environment: Environment, owner: ObjectIdentifier?, poolOwner: PoolOwner?,
        timeout: Duration?, offered: @escaping @Sendable (WriteRequest, StorageError?) -> Void
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

    /// Accepts the offered grant. Called on the owner's scheduler, where its block runs next.
    ///
    /// - Returns: Nil if the offer was withdrawn: the grant will be offered again, unless the
    ///   request was cancelled.
    /// - Throws: The error that keeps the grant from being used. The request has ended then.
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

    /// Takes the grant, which is free now after the offer was withdrawn.
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

    /// Cancels the request, and any offer with it.
    ///
    /// - Returns: Whether it had neither been accepted nor failed, at this call or at the first
    ///   cancellation. The callback may be running, but is not called later.
    @discardableResult
    package func cancel() -> Bool {
        disarmTimer()
        return queue.cancel(self, byOwner: true) { environment.releaseGate() }
    }

    /// Lets an offer expire that was made at once, before
    /// ``Writer/request(owner:poolOwner:timeout:_:)`` returned. Other offers expire
    /// automatically; a caller that accepts at once saves the deadline.
    package func armFirstPatience() { if monitor.withLock({ isOfferedAtOnce }) { armPatience() } }

    private func armPatience() {
        // Longer for an owner that came too late, which shows that it is only slow. Zero for an
        // owner that cannot come; still on the timer thread, because here offers would be made
        // inside of one another.
        let patience =
            isShutOut ? .zero : Self.patience * (1 << min(withdrawalCount, Self.mostDoublings))
        environment.deadlines.arm(after: patience, path: environment.path, mayBeEarly: true) {
            [weak self] in self?.withdraw()
        }
    }

    /// The number of withdrawn offers.
    package var withdrawalCount: Int { queue.withdrawals(of: self) }

    private var isShutOut: Bool { poolOwner?.isShutOut ?? false }

    /// Withdraws the offer if no thread remains that could accept it. Any thread.
    func withdrawIfShutOut() { if isShutOut { withdraw() } }

    /// How long an owner may hold an unused grant while others may wait.
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

    /// Waiting for other processes blocks a thread. It must be the writer thread, which no
    /// other request needs meanwhile. That thread is not involved if there is no need to wait.
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
        // Cancelled: only the grant remains to be released.
        if queue.hasEnded(self) { return queue.leave() }
        do throws(StorageError) {
            try environment.takeGate(until: monitor.withLock { deadline })
            offer()
        } catch {
            fail(error)
        }
    }

    /// Offers the grant. With the grant and the gate.
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

    /// Ends the request with an error. With the grant, which is released.
    private func fail(_ error: StorageError) {
        disarmTimer()
        let isWanted = queue.cancel(self) {}
        queue.leave()
        if isWanted { offered(self, error) }
    }

    /// Delivers an early refusal on the writer thread, like every other result; without a
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

    /// Restarts the time: from now on it waits for others. The time spent waiting for its own
    /// owner does not count.
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

    /// Ends the request, unless its owner is away: then it is not waiting for others.
    private func timeIsOver() {
        let error = environment.queueTimeout(since: begun)
        if queue.expire(self) { offered(self, error) }
    }
}
