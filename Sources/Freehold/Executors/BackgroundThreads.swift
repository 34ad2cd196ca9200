import Foundation
import FreeholdStorage

/// Runs pieces of work that may block, each on a new thread, a few at a time.
///
/// A new one each, so that a realm that is opened there is new, whatever earlier work left behind, and ends with the thread. Not Dispatch's
/// threads: as many writers as it has would wait for the write lock there, and everybody else for them.
final class BackgroundThreads: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.
    typealias Work = @Sendable () -> Void

    static let shared = BackgroundThreads(limit: max(4, ProcessInfo.processInfo.activeProcessorCount))

    private let limit: Int
    private let monitor = Monitor()
    private var waiting: [Work] = []
    private var threadCount = 0

    init(limit: Int) { self.limit = limit }

    /// Runs the work, after what waits.
    ///
    /// - Throws: `outOfMemory` if the system gives no thread and no other work is under way; the work then does not run.
    func run(_ work: @escaping Work) throws(StorageError) {
        try monitor.withLock { () throws(StorageError) in
            if threadCount == limit { return waiting.append(work) }
            do throws(StorageError) {
                try start(work)
            } catch {
                if threadCount == 0 { throw error }
                waiting.append(work)
            }
        }
    }

    /// Under the monitor.
    private func start(_ work: @escaping Work) throws(StorageError) {
        try SystemThread.start(named: "realm-task", to: "start the thread of a background task", path: "realm-task") {
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
                // Nobody else will come: this thread does it.
                threadCount += 1
                return next
            }
        }
        guard let inherited else { return }
        inherited()
        threadEnds()
    }
}
