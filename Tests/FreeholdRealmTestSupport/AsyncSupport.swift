package import Dispatch
import Foundation

/// Waits for a semaphore without a thread of the pool that tasks run on.
package func wait(for semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            semaphore.wait()
            continuation.resume()
        }
    }
}

/// A value that several threads change.
package final class Locker<Value: Sendable>: @unchecked Sendable {
    // Sendable: `stored` is protected by `lock`.
    private let lock = NSLock()
    private var stored: Value

    package init(_ value: Value) { stored = value }

    package var value: Value {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }

    @discardableResult
    package func update<Result>(_ change: (inout Value) -> Result) -> Result {
        lock.withLock { change(&stored) }
    }
}

/// Runs what blocks or takes long on a new thread: tasks and Dispatch share as many threads as
/// the machine has processors, and two bodies that spin would leave none of them to whom they
/// wait for.
package func onThreadsOfTheirOwn<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result)
    async throws -> Result
{
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}
