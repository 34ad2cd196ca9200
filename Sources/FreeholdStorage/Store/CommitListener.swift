internal import Synchronization

/// The function to call after each commit of a store; none at first. A commit without one costs
/// a load.
package final class CommitListener: Sendable {
    private let isSet = Atomic<Bool>(false)
    private let listener = Locked<Listener?>(nil)

    private struct Listener: Sendable {
        let call: @Sendable () -> Void
    }

    package init() {}

    /// Replaces the function; a call of the previous one may still be running.
    package func set(_ call: @escaping @Sendable () -> Void) {
        let old = listener.withLock { listener in
            defer { listener = Listener(call: call) }
            return listener
        }
        isSet.store(true, ordering: .releasing)
        withExtendedLifetime(old) {}
    }

    /// Calls the function, if one is set.
    package func call() { if isSet.load(ordering: .acquiring) { listener.withLock { $0 }?.call() } }
}

extension Store {
    /// Sets a function to call after every commit of this process through this store, when the
    /// new snapshot is the newest one. It is not called after a commit that had nothing to
    /// write.
    ///
    /// There is one listener at a time, and a later one replaces it. This happens if the file's
    /// realms have ended and others are opened while another owner keeps the store.
    ///
    /// - Parameter call: Called on the committing thread; for an asynchronous commit, on the
    ///   writer thread, before the completion. Keep it short, and begin no blocking write in
    ///   it. Calls for commits of different threads may overlap, and may not follow the order
    ///   of versions.
    package func onCommit(_ call: @escaping @Sendable () -> Void) { commitListener.set(call) }
}
