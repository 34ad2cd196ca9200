internal import Synchronization

/// What is called after each commit of a store; nothing at first. A load if nothing is.
final class CommitListener: Sendable {
    private let isSet = Atomic<Bool>(false)
    private let listener = Locked<(@Sendable () -> Void)?>(nil)

    /// Replaces what was called before; a call of that may just be running.
    func set(_ call: @escaping @Sendable () -> Void) {
        let old = listener.withLock { listener in
            defer { listener = call }
            return listener
        }
        isSet.store(true, ordering: .releasing)
        withExtendedLifetime(old) {}
    }

    @inline(__always)
    func call() { if isSet.load(ordering: .acquiring) { listener.withLock { $0 }?() } }
}

extension Store {
    /// Calls back after every commit that this process makes through this store, when the new snapshot is the newest one. Not after one that had nothing to write.
    ///
    /// One listener at a time: a later one replaces it, as where the file's realms ended and others were opened while something else kept the store.
    /// - Parameter call: Called on the thread that committed, of an asynchronous commit on the writer thread before its completion. Keep it short, and do not begin a blocking write
    ///   in it. Calls for commits of different threads may overlap, and come in another order than the versions.
    package func onCommit(_ call: @escaping @Sendable () -> Void) { commitListener.set(call) }
}
