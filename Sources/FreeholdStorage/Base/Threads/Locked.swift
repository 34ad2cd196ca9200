/// A value protected by a lock.
///
/// It uses a POSIX mutex because ThreadSanitizer does not see the futex of
/// `Synchronization.Mutex`: it would report races in values which that mutex protects. The
/// storage layer is tested under ThreadSanitizer.
///
/// `Value` must not be a function or an optional function. The compiler wraps a function that
/// generic code gets by reference, once more with each access, until calling it overflows the
/// stack. Put the function into a structure.
package final class Locked<Value>: @unchecked Sendable {
    // @unchecked: `value` is protected by `monitor`. It leaves the lock only as a copy of
    // something Sendable.
    private let monitor = Monitor()
    private var value: Value

    package init(_ value: sending Value) { self.value = value }

    /// Creates a value of process-wide state, which lives as long as the process and which a
    /// forked child may use.
    ///
    /// `withLock` must not take another lock of this kind.
    package init(processWide value: sending Value) {
        self.value = value
        ForkGuard.protect(monitor)
    }

    /// Calls `body` with the value, under the lock. Not recursive: `body` must not call back
    /// here, not even by releasing a last reference.
    package func withLock<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        monitor.lock()
        defer { monitor.unlock() }
        return try body(&value)
    }

    /// Replaces the value and returns the old one, so that the caller releases it outside of
    /// the lock: a last release may run the program's code.
    package func exchange(_ new: Value) -> Value where Value: Sendable {
        withLock { value in
            let old = value
            value = new
            return old
        }
    }
}
