import FreeholdStorage

/// A group of transactions that holds the turn and waits for one more, whose task has been
/// woken, or for the realm's scheduler.
///
/// Neither need come soon: the actor is busy, or the pool's threads wait for this very turn. So
/// the group is flushed without them when a while has passed.
final class RestingGroup: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.
    private let monitor = Monitor()
    private var committed: WriteSet?
    /// With the file's reference: gone with the write set.
    private var store: Store?
    private var deadline: UInt64?
    private var flushed: (@Sendable (Result<Snapshot, StorageError>) -> Void)?
    private var wasTaken = false

    init(
        _ committed: WriteSet, _ store: Store,
        flushed: @escaping @Sendable (Result<Snapshot, StorageError>) -> Void
    ) {
        self.committed = committed
        self.store = store
        self.flushed = flushed
        let armed = store.arm(after: Store.patience) { [weak self] in self?.flush() }
        monitor.withLock { deadline = armed }
    }

    /// Whether it is on its way to the disk.
    var isFlushed: Bool { monitor.withLock { committed == nil && !wasTaken } }

    /// Takes the write set back; nil if it is flushed.
    func take() -> WriteSet? {
        let (taken, store, deadline) = monitor.withLock { () -> (WriteSet?, Store?, UInt64?) in
            guard let taken = committed.take() else { return (nil, nil, nil) }
            wasTaken = true
            flushed = nil
            return (taken, self.store.take(), self.deadline)
        }
        if let deadline { store?.disarm(deadline) }
        return taken
    }

    /// Any thread.
    private func flush() {
        let (writing, store, flushed) = monitor.withLock {
            (committed.take(), self.store.take(), self.flushed)
        }
        guard let writing, let store, let flushed else { return }
        monitor.withLock { self.flushed = nil }
        store.commitAsync(writing) { flushed($0) }
    }
}
