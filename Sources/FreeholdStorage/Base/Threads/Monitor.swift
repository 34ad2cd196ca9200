internal import CLMDB
internal import Glibc

/// A mutex with one condition, for waits that a plain mutex cannot express.
///
/// The state that it protects lives in its owner, which marks that state "protected by". Not
/// recursive.
package final class Monitor: @unchecked Sendable {
    // @unchecked: the pointers never change, and POSIX mutexes and conditions are made for
    // sharing.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init() {
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        initialize()
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        condition.deallocate()
    }

    private func initialize() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        // Setting the wall clock must neither prolong nor shorten waits.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    package func lock() {
        if tryLock() { return }
        if SteppedThreads.isOn { SteppedThreads.lock(self) } else { lockAndWait() }
    }

    func lockAndWait() { pthread_mutex_lock(mutex) }

    /// Takes the lock if it is free; returns whether it did.
    package func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }

    package func unlock() { pthread_mutex_unlock(mutex) }

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
        pthread_cond_wait(condition, mutex)
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
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let (seconds, attoseconds) = min(duration, .seconds(1_000_000_000)).components
        time.tv_sec += Int(seconds)
        time.tv_nsec += Int(attoseconds / 1_000_000_000)
        if time.tv_nsec >= 1_000_000_000 {
            time.tv_sec += 1
            time.tv_nsec -= 1_000_000_000
        }
        return pthread_cond_timedwait(condition, mutex, &time) == 0
    }

    package func wakeOne() {
        pthread_cond_signal(condition)
        if SteppedThreads.isOn { SteppedThreads.wake(self, all: false) }
    }

    package func wakeAll() {
        pthread_cond_broadcast(condition)
        if SteppedThreads.isOn { SteppedThreads.wake(self, all: true) }
    }

    /// Reinitialises the monitor. Only in a forked child, whose single thread owns everything
    /// that the parent's threads held.
    func unsafeReinitializeAfterFork() { initialize() }
}
