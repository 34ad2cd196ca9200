/// A mutex with one condition, for waits that a plain mutex cannot express.
///
/// The state that it protects lives in its owner, which marks that state "protected by". Not
/// recursive.
package final class Monitor: @unchecked Sendable {
    // @unchecked: the two never change and are made for sharing.
    private let mutex = SystemMutex()
    private let condition = SystemCondition()

    package init() {}

    deinit {
        condition.deallocate()
        mutex.deallocate()
    }

    package func lock() {
        if tryLock() { return }
        if SteppedThreads.isOn { SteppedThreads.lock(self) } else { lockAndWait() }
    }

    func lockAndWait() { mutex.lock() }

    /// Takes the lock if it is free; returns whether it did.
    package func tryLock() -> Bool { mutex.tryLock() }

    package func unlock() { mutex.unlock() }

    package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result)
        throws(Failure) -> Result
    {
        lock()
        defer { unlock() }
        return try body()
    }

    /// Releases the lock, waits for a wake, and takes the lock again. Spurious wakes happen:
    /// wait in a loop.
    package func wait() {
        if SteppedThreads.isOn, SteppedThreads.wait(for: self, isTimed: false) != nil { return }
        condition.wait(mutex)
    }

    /// As ``wait()``, at most until a time. Returns false if the time has passed.
    ///
    /// Setting the system's clock neither prolongs nor shortens the wait.
    package func wait(until deadline: ContinuousClock.Instant) -> Bool {
        wait(for: ContinuousClock.now.duration(to: deadline))
    }

    /// As ``wait()``, for at most a duration. Returns false if it has passed.
    @discardableResult
    package func wait(for duration: Duration) -> Bool {
        if duration <= .zero { return false }
        if SteppedThreads.isOn, let isInTime = SteppedThreads.wait(for: self, isTimed: true) {
            return isInTime
        }
        return condition.wait(mutex, for: duration)
    }

    package func wakeOne() {
        condition.wakeOne()
        if SteppedThreads.isOn { SteppedThreads.wake(self, all: false) }
    }

    package func wakeAll() {
        condition.wakeAll()
        if SteppedThreads.isOn { SteppedThreads.wake(self, all: true) }
    }

    /// Reinitialises the monitor. Only in a forked child, whose single thread owns everything
    /// that the parent's threads held.
    func unsafeReinitializeAfterFork() {
        mutex.reinitialize()
        condition.reinitialize()
    }
}
