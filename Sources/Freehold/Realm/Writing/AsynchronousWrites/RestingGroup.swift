import FreeholdStorage

/// A group of transactions that holds the write grant and waits for one more, whose task has
/// been woken, or for the realm's scheduler.
///
/// Neither need come soon: the actor is busy, or the pool's threads wait for this very grant. So
/// the group is flushed without them when a while has passed.
final class RestingGroup: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.
    private let monitor = Monitor()
    /// Nil when it was taken back or flushed. With the file's reference, which goes with the
    /// write set.
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

    /// Whether it is on its way to the disk, as long as nobody took it back.
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
