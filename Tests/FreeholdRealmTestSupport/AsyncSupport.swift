package import Dispatch
import Foundation
import FreeholdTestSupport

/// Waits for a semaphore without a thread of the pool that tasks run on.
package func wait(for semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
        startThread {
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
