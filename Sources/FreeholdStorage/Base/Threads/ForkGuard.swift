internal import Synchronization

/// Counts the forks that lead to this process, so that what belongs to a parent can be told apart.
///
/// A forked child inherits the memory of an open environment, but neither its writer thread nor
/// its process locks; and the reader slots it sees are its parent's. Nothing can be done with
/// such an environment, not even closing it. Each environment notes the count when it opens; in
/// a child the numbers differ. `posix_spawn` and `vfork` run no handlers and need none: they
/// share no memory after `exec`.
///
/// The locks of the process's own state, which a child goes on using, are taken by who forks:
/// so no other thread is inside of one when the memory is copied. What they protect never needs
/// another lock, so any order will do. The runtime's locks are nobody's to take: a child must
/// not depend on what the parent was just using for the first time.
package enum ForkGuard {
    /// What takes locks of its own before a fork and releases them after it.
    package protocol Participant: Sendable {
        /// Takes the locks. No other thread is inside of one when the memory is copied.
        func prepareForFork()
        func continueInParentAfterFork()
        func continueInChildAfterFork()
    }

    private static let count = Atomic<Int>(0)

    /// The locks of the process's own state. They live as long as the process.
    private final class ProcessLocks: @unchecked Sendable {
        // @unchecked: `participants` is protected by `adding`, `monitors` by `monitor`.
        // Order of locks: `adding`, the participants' in their order, `monitor`, `monitors`.
        private let adding = Monitor()
        private var participants: [any Participant] = []
        private let monitor = Monitor()
        private var monitors: [Monitor] = []

        func add(_ added: Monitor) { monitor.withLock { monitors.append(added) } }

        func add(_ added: any Participant) { adding.withLock { participants.append(added) } }

        func prepareForFork() {
            adding.lock()
            for participant in participants { participant.prepareForFork() }
            monitor.lock()
            for monitor in monitors { monitor.lock() }
        }

        func continueInParentAfterFork() {
            for monitor in monitors { monitor.unlock() }
            monitor.unlock()
            for participant in participants.reversed() { participant.continueInParentAfterFork() }
            adding.unlock()
        }

        func continueInChildAfterFork() {
            for monitor in monitors { monitor.unsafeReinitializeAfterFork() }
            monitor.unsafeReinitializeAfterFork()
            for participant in participants.reversed() { participant.continueInChildAfterFork() }
            adding.unsafeReinitializeAfterFork()
        }
    }

    private static let processLocks = ProcessLocks()

    /// Keeps forks away from a lock while it is held.
    ///
    /// - Parameter monitor: Lives as long as the process. No other lock of the process's state
    ///   is taken while it is held.
    package static func protect(_ monitor: Monitor) {
        install()
        processLocks.add(monitor)
    }

    private static let installation: Void = {
        SystemProcess.atFork(
            before: { processLocks.prepareForFork() },
            inParent: { processLocks.continueInParentAfterFork() },
            inChild: {
                ForkGuard.count.wrappingAdd(1, ordering: .relaxed)
                processLocks.continueInChildAfterFork()
            })
    }()

    /// Lets a participant take its locks before each fork, after those that were added before it.
    ///
    /// - Parameter participant: Lives as long as the process.
    package static func add(_ participant: some Participant) {
        install()
        processLocks.add(participant)
    }

    /// Watches for forks from now on.
    package static func install() { _ = installation }

    /// The number of forks between the first process that used this library and this one.
    @inline(__always)
    package static var generation: Int { count.load(ordering: .relaxed) }
}
