import Foundation
import FreeholdStorage

/// Runs pieces of work that may block, each on a new thread, a few at a time.
///
/// With a new thread each, a realm opened there is new, independent of earlier work, and ends
/// with the thread. Dispatch's threads would not do: as many writers as Dispatch has threads
/// could wait for the write lock, and block all other work.
final class BackgroundThreads: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.
    typealias Work = @Sendable () -> Void

    static let shared = {
        let threads = BackgroundThreads(limit: max(4, ProcessInfo.processInfo.activeProcessorCount))
        ForkGuard.protect(threads.monitor)
        return threads
    }()

    private let limit: Int
    private let monitor = Monitor()
    private var waiting: [Work] = []
    private var threadCount = 0
    /// The number of forks that led to the process of these threads.
    private var forkGeneration = ForkGuard.generation

    init(limit: Int) {
        ForkGuard.install()
        self.limit = limit
    }

    /// Runs the work after all work queued earlier.
    ///
    /// - Throws: `outOfMemory` if the system cannot create a thread and no other work is running;
    ///   the work then does not run.
    func run(_ work: @escaping Work) throws(StorageError) {
        try monitor.withLock { () throws(StorageError) in
            abandonParent()
            if threadCount == limit { return waiting.append(work) }
            do throws(StorageError) {
                try start(work)
            } catch {
                if threadCount == 0 { throw error }
                waiting.append(work)
            }
        }
    }

    /// The caller holds the monitor. In a forked child, forgets threads that only the parent has,
    /// and the work queued for them. That work stays allocated: releasing it could end what
    /// belongs to the parent.
    private func abandonParent() {
        if forkGeneration == ForkGuard.generation { return }
        forkGeneration = ForkGuard.generation
        threadCount = 0
        if !waiting.isEmpty { _ = Unmanaged.passRetained(Abandoned(work: waiting)) }
        waiting = []
    }

    private final class Abandoned {
        private let work: [Work]

        init(work: [Work]) { self.work = work }
    }

    /// The caller holds the monitor.
    private func start(_ work: @escaping Work) throws(StorageError) {
        try SystemThread.start(
            named: "realm-task", to: "start the thread of a background task", path: "realm-task"
        ) {
            work()
            self.threadEnds()
        }.detach()
        threadCount += 1
    }

    private func threadEnds() {
        let inherited: Work? = monitor.withLock {
            threadCount -= 1
            guard !waiting.isEmpty else { return nil }
            let next = waiting.removeFirst()
            do throws(StorageError) {
                try start(next)
                return nil
            } catch {
                if threadCount > 0 {
                    waiting.insert(next, at: 0)
                    return nil
                }
                // No other thread would take it, so this one does.
                threadCount += 1
                return next
            }
        }
        guard let inherited else { return }
        inherited()
        threadEnds()
    }
}
