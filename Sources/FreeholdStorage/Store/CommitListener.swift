internal import Synchronization

/// What is called after each commit of a store; nothing at first. A load if nothing is.
final class CommitListener: Sendable {
    private final class Box: Sendable {
        let call: @Sendable () -> Void

        init(_ call: @escaping @Sendable () -> Void) { self.call = call }
    }

    /// An unmanaged reference to a box, owned by this object; 0 for none.
    private let box = Atomic<UInt>(0)

    deinit {
        UnsafeRawPointer(bitPattern: box.load(ordering: .acquiring)).map { Unmanaged<Box>.fromOpaque($0).release() }
    }

    func set(_ call: @escaping @Sendable () -> Void) {
        let new = Unmanaged.passRetained(Box(call))
        let isFirst = box.compareExchange(expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing).exchanged
        precondition(isFirst, "a store tells one of its commits")
    }

    @inline(__always)
    func call() {
        guard let pointer = UnsafeRawPointer(bitPattern: box.load(ordering: .acquiring)) else { return }
        Unmanaged<Box>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.call() }
    }
}

extension Store {
    /// Calls back after every commit that this process makes through this store, when the new snapshot is the newest one. Not after one that had nothing to write.
    ///
    /// Once per store; a second time traps.
    /// - Parameter call: Called on the thread that committed, of an asynchronous commit on the writer thread before its completion. Keep it short, and do not begin a blocking write
    ///   in it. Calls for commits of different threads may overlap, and come in another order than the versions.
    package func onCommit(_ call: @escaping @Sendable () -> Void) { commitListener.set(call) }
}
