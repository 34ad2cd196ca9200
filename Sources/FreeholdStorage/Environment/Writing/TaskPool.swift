internal import Synchronization

/// Counts the task pool's threads that are waiting in calls of the library.
///
/// An actor's realm accepts an offer on one of these threads. While all of them wait for the
/// grant, it cannot.
enum TaskPool {
    private static let waiting = Atomic<Int>(0)

    /// The number of threads in the pool: as many as the processors that the process may use.
    /// Dispatch adds a thread when threads have waited for a second; a grant should not be
    /// offered for that long.
    private static let width = max(1, SystemProcess.processorCount)

    /// Whether no thread remains that could accept an offer.
    static var isFull: Bool { waiting.load(ordering: .relaxed) >= width }

    static func beginWait() { waiting.add(1, ordering: .relaxed) }

    static func endWait() { waiting.subtract(1, ordering: .relaxed) }
}

/// An owner of requests that can accept only on a thread of the task pool.
package final class PoolOwner: Sendable {
    private let threads = Atomic<Int>(0)

    package init() {}

    /// Whether a thread is waiting that accepts the owner's offers.
    var isHere: Bool { threads.load(ordering: .relaxed) > 0 }

    /// Whether an offer is hopeless: each thread that could accept it waits for the grant.
    var isShutOut: Bool { TaskPool.isFull && !isHere }

    fileprivate func beginWait() { threads.add(1, ordering: .relaxed) }

    fileprivate func endWait() { threads.subtract(1, ordering: .relaxed) }
}

extension Environment {
    /// Runs a call that waits for the grant on a thread of the task pool.
    ///
    /// - Parameter owner: The owner whose offers the call accepts; nil for none.
    package func waitingInPool<Value, Failure: Error>(
        for owner: PoolOwner? = nil, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        TaskPool.beginWait()
        owner?.beginWait()
        defer {
            owner?.endWait()
            TaskPool.endWait()
        }
        // The owner of the current offer may need this thread.
        if TaskPool.isFull { writeQueue.offeredRequest?.withdrawIfShutOut() }
        return try body()
    }
}
