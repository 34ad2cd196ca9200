import Foundation
import FreeholdStorage

/// Schedules work on one thread. Nothing can interrupt the thread, so the work waits in a
/// mailbox.
///
/// If a run loop or an executor of ours runs the thread, it empties the mailbox. Otherwise the
/// thread empties it in `Realm.refresh()` and at the beginning of each write. When the thread
/// ends, it first finishes its asynchronous writes (``finish()``), so these complete on every
/// kind of thread.
final class ThreadScheduler: RealmScheduler, @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.

    private let identity: UInt64
    private let systemID: Int
    private let monitor = Monitor()
    /// Protected by `monitor`.
    private var jobs: [@Sendable () -> Void] = []
    /// Wakes up the thread's run loop or executor, to call ``runPending()``. Nil on a thread
    /// without either. Protected by `monitor`.
    private var waker: (@Sendable () -> Void)?
    /// The executor that runs actors on the thread, with a name for reports. Only its identity is
    /// compared: it may be gone. Protected by `monitor`.
    private var executor: (identity: UnownedSerialExecutor, name: String)?
    /// How many realms have asynchronous writes in flight on this thread. Protected by `monitor`.
    private var busyCount = 0
    /// Whether the thread ends. On the thread only.
    private(set) var isEnding = false

    init(_ identity: ThreadIdentity) {
        self.identity = identity.number
        systemID = identity.systemID
    }

    var isCurrent: Bool { ThreadIdentity.current.number == identity }

    var name: String {
        monitor.withLock { executor.map { "the executor '\($0.name)'" } } ?? "thread \(systemID)"
    }

    func run(_ work: @escaping @Sendable () -> Void) {
        let wake = monitor.withLock {
            jobs.append(work)
            monitor.wakeAll()
            return waker
        }
        wake?()
    }

    /// Runs the waiting work. On the thread only.
    func runPending() {
        while let job = monitor.withLock({ jobs.isEmpty ? nil : jobs.removeFirst() }) { job() }
    }

    /// Sets the executor that runs the thread, and what wakes it up. On the thread only.
    func attachExecutor(
        _ executor: UnownedSerialExecutor, named name: String,
        _ waker: @escaping @Sendable () -> Void
    ) {
        monitor.withLock {
            self.executor = (executor, name)
            self.waker = waker
        }
    }

    private func setWaker(_ waker: (@Sendable () -> Void)?) {
        monitor.withLock { self.waker = waker }
    }

    /// Records that a realm of this thread has begun asynchronous writes, which need the thread
    /// to run more work.
    func beginWork() {
        let isFirst = monitor.withLock {
            busyCount += 1
            return busyCount == 1
        }
        if isFirst { useRunLoopIfPresent() }
    }

    /// Makes the thread's run loop, if it has one, empty the mailbox. On the thread only.
    func attend() { useRunLoopIfPresent() }

    func endWork() { monitor.withLock { busyCount -= 1 } }

    /// Whether an executor runs the thread.
    var isExecutor: Bool { monitor.withLock { executor != nil } }

    /// Whether an executor is the one that runs the thread.
    func isRun(by executor: UnownedSerialExecutor) -> Bool {
        monitor.withLock { self.executor.map { isSameExecutor($0.identity, executor) } ?? false }
    }

    /// Whether the thread's run loop or executor empties the mailbox while the caller runs. On
    /// the thread only.
    var isAttended: Bool { isExecutor || RunLoop.current.currentMode != nil }

    /// Uses a timer: with Foundation's public API on Linux, nothing else can be added to a run
    /// loop by another thread and wakes it up.
    private func useRunLoopIfPresent() {
        if isExecutor { return }
        // Created if the thread has none: the thread may run it later.
        nonisolated(unsafe) let loop = RunLoop.current
        setWaker { [weak self] in
            guard let self else { return }
            let timer = Timer(fire: Date(), interval: 0, repeats: false) { _ in self.runPending() }
            loop.add(timer, forMode: .common)
        }
    }

    /// Called as the thread ends; waits until its asynchronous writes are done.
    func finish() {
        setWaker(nil)
        isEnding = true
        while let job = nextJob() { job() }
    }

    private func nextJob() -> (@Sendable () -> Void)? {
        monitor.withLock {
            while jobs.isEmpty {
                if busyCount == 0 { return nil }
                monitor.wait()
            }
            return jobs.removeFirst()
        }
    }
}
