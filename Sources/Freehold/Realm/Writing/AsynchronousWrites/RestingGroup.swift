import FreeholdStorage

/// A group of transactions that holds the write grant while it waits for one more transaction,
/// whose task has been woken, or for the realm's scheduler.
///
/// Either may be late: the actor is busy, or the pool's threads wait for this very grant. So the
/// group is flushed without them after a while.
final class RestingGroup: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.
    private let monitor = Monitor()
    /// Nil once taken back or flushed. Includes the reference to the file, which is released
    /// with the write set.
    private var content: (committed: WriteSet, store: Store)?
    private var deadline: UInt64?
    private let flushed: @Sendable (Result<Snapshot, StorageError>) -> Void

    init(
        _ committed: WriteSet, _ store: Store,
        flushed: @escaping @Sendable (Result<Snapshot, StorageError>) -> Void
    ) {
        content = (committed, store)
        self.flushed = flushed
        let armed = store.environment.arm(after: WriteRequest.patience) { [weak self] in
            guard let self, let taken = takeContent() else { return }
            taken.store.commitAsync(taken.committed, completion: self.flushed)
        }
        monitor.withLock { deadline = armed }
    }

    /// Whether the group is being written to the disk, provided that it was not taken back.
    var isFlushed: Bool { monitor.withLock { content == nil } }

    /// Takes the write set back; nil if it is flushed.
    func take() -> WriteSet? {
        guard let taken = takeContent() else { return nil }
        if let armed = monitor.withLock({ deadline }) { taken.store.environment.disarm(armed) }
        return taken.committed
    }

    private func takeContent() -> (committed: WriteSet, store: Store)? {
        monitor.withLock { content.take() }
    }
}
