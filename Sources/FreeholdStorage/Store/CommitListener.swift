internal import Synchronization

/// What is called after each commit of a store; nothing at first. A load if nothing is.
package final class CommitListener: Sendable {
    private let isSet = Atomic<Bool>(false)
    private let listener = Locked<Listener?>(nil)

    private struct Listener: Sendable {
        let call: @Sendable () -> Void
    }

    package init() {}

    /// Replaces what was called before; a call of that may just be running.
    package func set(_ call: @escaping @Sendable () -> Void) {
        let old = listener.withLock { listener in
            defer { listener = Listener(call: call) }
            return listener
        }
        isSet.store(true, ordering: .releasing)
        withExtendedLifetime(old) {}
    }

    /// Calls it, if there is one.
    package func call() { if isSet.load(ordering: .acquiring) { listener.withLock { $0 }?.call() } }
}

extension Store {
    /// Calls back after every commit that this process makes through this store, when the new
    /// snapshot is the newest one. Not after one that had nothing to write.
    ///
    /// One listener at a time: a later one replaces it, as where the file's realms ended and
    /// others were opened while something else kept the store.
    /// - Parameter call: Called on the thread that committed, of an asynchronous commit on the
    ///   writer thread before its completion. Keep it short, and do not begin a blocking write
    ///   in it. Calls for commits of different threads may overlap, and come in another order
    ///   than the versions.
    package func onCommit(_ call: @escaping @Sendable () -> Void) { commitListener.set(call) }
}
