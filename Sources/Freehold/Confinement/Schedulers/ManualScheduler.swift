public import Foundation
import FreeholdStorage

/// A scheduler that runs its work only when the program asks. Tests with it need no sleeps, and
/// can produce every order of events.
///
/// It belongs to the thread that made it: realms on it are used there, and its work runs there.
///
/// ```swift
/// let scheduler = ManualScheduler()
/// let realm = try Realm(configuration: configuration, scheduler: scheduler)
/// realm.writeAsync { realm.add(Person()) }
/// scheduler.waitForWork()     // waits until the write lock is granted
/// scheduler.runAll()          // runs the block
/// scheduler.waitForWork()     // waits until the commit is on disk
/// scheduler.runAll()          // runs the completion
/// ```
public final class ManualScheduler: RealmScheduler, @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.

    private let thread = ThreadIdentity.current.number
    private let monitor = Monitor()
    /// Protected by `monitor`.
    private var jobs: [@Sendable () -> Void] = []

    /// Makes a scheduler of the calling thread.
    public init() {}

    public var isCurrent: Bool { ThreadIdentity.current.number == thread }

    public var name: String { "a manual scheduler" }

    public func run(_ work: @escaping @Sendable () -> Void) {
        monitor.withLock {
            jobs.append(work)
            monitor.wakeAll()
        }
    }

    /// The number of waiting pieces of work.
    public var workCount: Int { monitor.withLock { jobs.count } }

    /// Runs the oldest piece of work.
    ///
    /// - Returns: False if there was none.
    /// - Precondition: The caller is on the scheduler's thread.
    @discardableResult
    public func runNext() -> Bool {
        if !isCurrent {
            misuse(
                "The work of a ManualScheduler runs on the thread that made it.",
                remedy: "Call runNext() and runAll() there, or make a scheduler here.")
        }
        guard let job = monitor.withLock({ jobs.isEmpty ? nil : jobs.removeFirst() }) else {
            return false
        }
        job()
        return true
    }

    /// Runs all waiting work, and the work that it adds, until none is left.
    public func runAll() { while runNext() {} }

    /// Waits until another thread adds work.
    ///
    /// - Returns: Whether there is work; false if `deadline` passed first.
    @discardableResult
    public func waitForWork(until deadline: Date = .distantFuture) -> Bool {
        let end = ContinuousClock.now + .seconds(min(max(deadline.timeIntervalSinceNow, 0), 1e9))
        monitor.lock()
        defer { monitor.unlock() }
        while jobs.isEmpty {
            if !monitor.wait(until: end) { return !jobs.isEmpty }
        }
        return true
    }
}
