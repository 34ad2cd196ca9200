import FreeholdStorage

extension Realm {
    /// The transactions after a token, and each further one of any process once it is committed,
    /// for `for try await`.
    ///
    /// ```swift
    /// let token = try realm.historyToken  // or the one that was kept
    /// for try await transaction in realm.historyChanges(after: token) {
    ///     print(transaction.changes.count, "changes, up to", transaction.token)
    /// }
    /// ```
    ///
    /// A loop gets each transaction once, in order, when it asks for it. So a slow loop makes no
    /// queue grow: the history itself is the queue. The loop keeps no version of the file while
    /// it waits. It ends when its task is cancelled.
    ///
    /// Thread rule: call it on the realm's thread, queue or actor. The result may be used
    /// anywhere.
    ///
    /// - Parameter token: Where to begin; nil for the oldest transaction that is kept.
    /// - Throws: The loop throws as ``history(after:)``: `historyExpired` also when transactions
    ///   that it did not reach in time were deleted.
    public func historyChanges(after token: HistoryToken? = nil) -> HistoryStream {
        core.checkConfinement("Realm.historyChanges(after:)")
        return HistoryStream(core.coordinator, HistoryNames(core.schema), after: token)
    }
}

/// The transactions of a realm as they are committed: ``Realm/historyChanges(after:)``.
public struct HistoryStream: AsyncSequence, Sendable {
    /// The value of each iteration.
    public typealias Element = HistoryTransaction

    private let coordinator: RealmCoordinator
    private let names: HistoryNames
    private let token: HistoryToken?

    init(_ coordinator: RealmCoordinator, _ names: HistoryNames, after token: HistoryToken?) {
        self.coordinator = coordinator
        self.names = names
        self.token = token
    }

    /// Creates an iterator, which keeps the file open.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(coordinator, names, token) }

    /// Iterates over transactions.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let names: HistoryNames
        private var place: HistoryReader.Token?
        private var token: HistoryToken?
        private var reader: HistoryReader?
        private let waiter: Waiter
        private var store: Store { waiter.coordinator.store }

        fileprivate init(
            _ coordinator: RealmCoordinator, _ names: HistoryNames, _ token: HistoryToken?
        ) {
            self.names = names
            self.token = token
            waiter = Waiter(coordinator)
        }

        /// The next transaction; nil after a cancellation.
        public mutating func next() async throws -> HistoryTransaction? {
            try await next(isolation: #isolation)
        }

        /// The next transaction; nil after a cancellation.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws
            -> HistoryTransaction?
        {
            while !Task.isCancelled {
                if let next = try mappingStorageErrors(read()) { return next }
                guard await waiter.mailbox.wait(isolation: actor) else { return nil }
            }
            return nil
        }

        private mutating func read() throws(StorageError) -> HistoryTransaction? {
            if reader == nil {
                _ = waiter.mailbox.take()
                let newest = try store.historyReader(of: try store.newestSnapshot())
                if let place {
                    _ = try store.checkedToken(HistoryToken(place), in: newest)
                } else {
                    place = try store.checkedToken(token, in: newest)
                }
                reader = newest
            }
            guard let reader, let known = place, known.sequence + 1 < reader.nextSequence else {
                self.reader = nil
                return nil
            }
            let entry = try reader.entry(known.sequence + 1)
            try reader.checkOrder(entry.head, after: known.mark)
            let reached = reader.token(of: entry.head)
            place = reached
            return HistoryTransaction(entry, reached, names)
        }
    }

    /// Wakes a loop after commits, until its last reference is gone.
    private final class Waiter: Sendable {
        let coordinator: RealmCoordinator
        let mailbox = ChangeMailbox<Void>()
        private let number: UInt64

        init(_ coordinator: RealmCoordinator) {
            self.coordinator = coordinator
            let mailbox = mailbox
            number = coordinator.notifier.addWaiter { mailbox.put(()) }
        }

        deinit { coordinator.notifier.removeWaiter(number) }
    }
}
