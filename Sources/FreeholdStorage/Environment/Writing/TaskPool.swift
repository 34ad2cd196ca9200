internal import Synchronization

/// The threads that run the program's tasks, as far as they wait in calls of the library.
///
/// An actor's realm accepts an offer on one of them. While all of them wait for the grant, it
/// cannot.
enum TaskPool {
    private static let waiting = Atomic<Int>(0)

    /// How many threads the pool has: as many as there are processors that the process may use.
    /// Dispatch adds one to threads that wait for a second; that is no reason to offer a grant
    /// for so long.
    private static let width = max(1, SystemProcess.processorCount)

    /// Whether no thread is left that could accept an offer.
    static var isFull: Bool { waiting.load(ordering: .relaxed) >= width }

    static func beginWait() { waiting.add(1, ordering: .relaxed) }

    static func endWait() { waiting.subtract(1, ordering: .relaxed) }
}

/// An owner of requests that can accept only on a thread of the tasks' pool.
package final class PoolOwner: Sendable {
    private let threads = Atomic<Int>(0)

    package init() {}

    /// Whether a thread waits for the owner's offers, and accepts them.
    var isHere: Bool { threads.load(ordering: .relaxed) > 0 }

    /// Whether an offer waits in vain: each thread that could accept it waits for the grant.
    var isShutOut: Bool { TaskPool.isFull && !isHere }

    fileprivate func beginWait() { threads.add(1, ordering: .relaxed) }

    fileprivate func endWait() { threads.subtract(1, ordering: .relaxed) }
}

extension Environment {
    /// Runs a call that waits for the grant on a thread of the tasks' pool.
    ///
    /// - Parameter owner: Whose offers the call accepts, if anybody's.
    package func waitingInPool<Value, Failure: Error>(
        for owner: PoolOwner? = nil, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        TaskPool.beginWait()
        owner?.beginWait()
        defer {
            owner?.endWait()
            TaskPool.endWait()
        }
        // This may have been the thread that the owner of the offer needs.
        if TaskPool.isFull { writeQueue.offeredRequest?.withdrawIfShutOut() }
        return try body()
    }
}
