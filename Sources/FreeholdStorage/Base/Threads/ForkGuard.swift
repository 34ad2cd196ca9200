internal import Synchronization

/// Counts the forks between the first process and this one, to recognise objects that belong to
/// a parent process.
///
/// A forked child inherits the memory of an open environment, but neither its writer thread nor
/// its process locks, and the reader slots it sees belong to the parent. The child cannot use
/// such an environment, or even close it. Each environment notes the count when it opens; in a
/// child the count differs. `posix_spawn` and `vfork` run no handlers and need none: they share
/// no memory after `exec`.
///
/// The child continues to use the locks of process-wide state. So the forking thread takes them
/// first, and no other thread holds one while the memory is copied. State under such a lock
/// never needs another lock, so any order works. The runtime's own locks cannot be taken: a
/// child must not depend on anything that the parent was just initialising.
package enum ForkGuard {
    /// An object that takes its own locks before a fork and releases them after it.
    package protocol Participant: Sendable {
        /// Takes the locks, so that no other thread holds one while the memory is copied.
        func prepareForFork()
        func continueInParentAfterFork()
        func continueInChildAfterFork()
    }

    private static let count = Atomic<Int>(0)

    /// The locks of process-wide state. They live as long as the process.
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

    /// Prevents forks while a lock is held.
    ///
    /// - Parameter monitor: Lives as long as the process. While it is held, no other lock of
    ///   process-wide state may be taken.
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

    /// Makes a participant take its locks before each fork, after those of earlier
    /// participants.
    ///
    /// - Parameter participant: Lives as long as the process.
    package static func add(_ participant: some Participant) {
        install()
        processLocks.add(participant)
    }

    /// Starts counting forks.
    package static func install() { _ = installation }

    /// The number of forks between the first process that used this library and this one.
    @inline(__always)
    package static var generation: Int { count.load(ordering: .relaxed) }
}
