import Foundation
import FreeholdStorage

/// One thread, which nobody can interrupt: work for it lies in a mailbox.
///
/// The mailbox is emptied by whoever runs the thread, if that is a run loop or an executor of
/// ours, and else when the thread comes by: in `Realm.refresh()` and at the beginning of each
/// write. When the thread ends, it first finishes the asynchronous writes that it has begun
/// (``finish()``), so these complete on every kind of thread.
final class ThreadScheduler: RealmScheduler, @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.

    private let identity: UInt64
    private let systemID: Int
    private let monitor = Monitor()
    /// Protected by `monitor`.
    private var jobs: [@Sendable () -> Void] = []
    /// Wakes the thread's run loop or executor up, to call ``runPending()``. Nil on a thread
    /// without either. Protected by `monitor`.
    private var waker: (@Sendable () -> Void)?
    /// What runs actors on the thread, with a name for diagnoses. Only its identity is
    /// compared: it may be gone. Protected by `monitor`.
    private var executor: (identity: UnownedSerialExecutor, name: String)?
    /// How many realms have asynchronous writes in flight here. Protected by `monitor`.
    private var busyCount = 0

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

    /// Runs what waits. On the thread only.
    func runPending() {
        while let job = monitor.withLock({ jobs.isEmpty ? nil : jobs.removeFirst() }) { job() }
    }

    /// Names who runs the thread from now on, and what wakes it up. On the thread only.
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

    /// Takes note that a realm of this thread has begun asynchronous writes, which need the
    /// thread to come back.
    func beginWork() {
        let isFirst = monitor.withLock {
            busyCount += 1
            return busyCount == 1
        }
        if isFirst { useRunLoopIfPresent() }
    }

    /// Lets the thread's run loop, if it has one, look after the mailbox from now on. On the
    /// thread only.
    func attend() { useRunLoopIfPresent() }

    func endWork() { monitor.withLock { busyCount -= 1 } }

    /// Whether an executor runs the thread.
    var isExecutor: Bool { monitor.withLock { executor != nil } }

    /// Whether an executor is the one that runs the thread.
    func isRun(by executor: UnownedSerialExecutor) -> Bool {
        monitor.withLock { self.executor.map { isSameExecutor($0.identity, executor) } ?? false }
    }

    /// Whether the thread's run loop or executor looks after the mailbox while the caller runs.
    /// On the thread only.
    var isAttended: Bool { isExecutor || RunLoop.current.currentMode != nil }

    /// A timer is the one thing that another thread can add to a run loop, with Foundation's
    /// public means on Linux, and that wakes it up.
    private func useRunLoopIfPresent() {
        if isExecutor { return }
        // Made now, if the thread has none: it may be run later.
        nonisolated(unsafe) let loop = RunLoop.current
        setWaker { [weak self] in
            guard let self else { return }
            let timer = Timer(fire: Date(), interval: 0, repeats: false) { _ in self.runPending() }
            loop.add(timer, forMode: .common)
        }
    }

    /// Called as the thread ends: stays until its asynchronous writes are done.
    func finish() {
        setWaker(nil)
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
