/// A value that is reached only under a lock.
///
/// On a POSIX mutex and not on `Synchronization.Mutex`, whose futex ThreadSanitizer does not
/// see: what that one protects is reported as a race, and the storage layer is tested under
/// ThreadSanitizer.
///
/// `Value` must not be a function, nor an optional one: the compiler wraps a function that
/// generic code gets by reference, and wraps it once more with each access, until calling it
/// takes more stack than there is. Put it into a structure.
package final class Locked<Value>: @unchecked Sendable {
    // @unchecked: `value` is protected by `monitor`. It does not leave but by copying what is
    // Sendable.
    private let monitor = Monitor()
    private var value: Value

    package init(_ value: sending Value) { self.value = value }

    /// A value of the process's own state, kept for its life, which a forked child goes on using.
    ///
    /// `withLock` must not take another lock of this kind.
    package init(processWide value: sending Value) {
        self.value = value
        ForkGuard.protect(monitor)
    }

    /// Not recursive: what `body` calls, the release of a last reference included, must not
    /// come back here.
    package func withLock<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        monitor.lock()
        defer { monitor.unlock() }
        return try body(&value)
    }

    /// Replaces the value and returns the old one, so that the caller releases it outside of
    /// the lock: a last reference may run a program's code.
    package func exchange(_ new: Value) -> Value where Value: Sendable {
        withLock { value in
            let old = value
            value = new
            return old
        }
    }
}
