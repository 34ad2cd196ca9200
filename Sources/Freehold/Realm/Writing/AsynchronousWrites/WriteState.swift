/// The state of one realm's asynchronous writes. ``outcome(of:)`` is a table with an entry for
/// every pair of state and ``Event``.
///
/// The *group* consists of the transactions that were committed in memory and are not on the
/// disk yet. It has one write grant and ends with one sync.
package enum WriteState: CaseIterable, Sendable {
    /// No transaction is open, and there is no group.
    case idle
    /// Like `idle`, and the first pending write, a task, was woken to begin.
    case taskWoken
    /// A transaction is open with a write grant of its own.
    case open
    /// There is a group, and its next step is not decided yet.
    case committed
    /// A transaction that continues from the group is open.
    case joined
    /// The group waits for the scheduler, for a limited time (``RestingGroup``).
    case resting
    /// The group waits for the first pending write, a task that was woken to join it.
    case restingForTask
    /// The storage writes the group.
    case flushing

    package enum Event: CaseIterable, Sendable {
        /// Do everything that is possible.
        case advance
        /// The group must reach the disk, and nothing joins it any more.
        case flush
        /// The first pending write, a task, can begin.
        case wake
        /// A task that was woken has resumed.
        case come
        /// A woken task, if there is one, loses its precedence: it was cancelled, or a
        /// synchronous write goes first.
        case leave
        /// A transaction has begun.
        case begin
        /// The transaction was committed in memory.
        case commit
        /// The transaction and the group that it continues from were committed to the disk.
        case write
        /// The transaction was cancelled.
        case cancel
        /// The transaction was cancelled inside the block of a pending write, after which the
        /// realm continues.
        case cancelInBlock
        /// The group was taken back from its rest.
        case takeBack
        /// The group could not be taken back, because its rest was over.
        case expire
        /// The group is on the disk or lost.
        case end
    }

    /// The action of a state change. ``AsyncWrites/carryOut(_:)`` performs it.
    package enum Action: Sendable {
        case nothing
        /// Do everything that is possible.
        case advance
        /// Let the first pending write begin, if its grant has arrived.
        case beginFirst
        /// Let the first pending write join the group, if it may; else flush.
        case joinFirst
        /// Wake the first pending write's task.
        case wakeFirst
        /// Wake the first pending write's task, and let the group rest meanwhile.
        case restAndWakeFirst
        /// Let the group rest.
        case rest
        /// Take the group back from its rest.
        case takeBack
        /// Hand the group to the storage.
        case flush
        /// Request a grant for the task that was to join the group without one.
        case ask
    }

    package enum Outcome: Sendable, Equatable {
        case next(WriteState, Action)
        /// An error of the program: a violation.
        case misuse
        /// An error of the library, with the reason why the pair cannot occur.
        case fault(String)
    }

    /// Whether a transaction is open.
    package var isOpen: Bool { self == .open || self == .joined }

    /// Whether transactions were committed in memory and are not on the disk yet.
    package var hasGroup: Bool {
        switch self {
        case .idle, .taskWoken, .open: false
        case .committed, .joined, .resting, .restingForTask, .flushing: true
        }
    }
}

extension WriteState {
    package func outcome(of event: Event) -> Outcome {
        switch (self, event) {
        // Transitions that make progress.
        case (.idle, .advance): return .next(.idle, .beginFirst)
        case (.committed, .advance): return .next(.committed, .joinFirst)
        case (.resting, .advance): return .next(.resting, .takeBack)
        // These wait for the end of a transaction, a task, or the disk.
        case (.open, .advance), (.joined, .advance), (.taskWoken, .advance),
            (.restingForTask, .advance), (.flushing, .advance):
            return .next(self, .nothing)

        case (.committed, .flush): return .next(.flushing, .flush)
        case (.resting, .flush), (.restingForTask, .flush): return .next(self, .takeBack)
        case (.idle, .flush), (.taskWoken, .flush), (.flushing, .flush):
            return .next(self, .nothing)
        case (.open, .flush), (.joined, .flush):
            return .fault("The open transaction has the write grant, which the flush would end.")

        // Tasks.
        case (.idle, .wake): return .next(.taskWoken, .wakeFirst)
        case (.committed, .wake): return .next(.restingForTask, .restAndWakeFirst)
        case (.taskWoken, .wake), (.restingForTask, .wake):
            return .fault("The first pending write was woken already.")
        case (.open, .wake), (.joined, .wake):
            return .fault("No pending write begins before the open transaction has ended.")
        case (.resting, .wake), (.flushing, .wake):
            return .fault("A pending write joins a group that the realm has, or begins alone.")

        case (.taskWoken, .come): return .next(.idle, .beginFirst)
        case (.restingForTask, .come): return .next(.resting, .takeBack)
        // A synchronous write or the end of the rest came first: the task waits again.
        case (.idle, .come), (.open, .come), (.committed, .come), (.joined, .come),
            (.resting, .come), (.flushing, .come):
            return .next(self, .nothing)

        case (.taskWoken, .leave): return .next(.idle, .nothing)
        case (.restingForTask, .leave): return .next(.resting, .nothing)
        // No task was woken.
        case (.idle, .leave), (.open, .leave), (.committed, .leave), (.joined, .leave),
            (.resting, .leave), (.flushing, .leave):
            return .next(self, .nothing)

        // Transactions.
        case (.idle, .begin): return .next(.open, .nothing)
        case (.committed, .begin): return .next(.joined, .nothing)
        case (.open, .begin), (.joined, .begin): return .misuse
        case (.taskWoken, .begin), (.restingForTask, .begin):
            return .fault("The task that was woken comes or leaves first.")
        case (.resting, .begin), (.flushing, .begin):
            return .fault("A transaction goes on from a group that the realm has, or from none.")

        case (.open, .commit), (.joined, .commit): return .next(.committed, .advance)
        case (.open, .write), (.joined, .write): return .next(.idle, .nothing)
        case (.idle, .commit), (.taskWoken, .commit), (.committed, .commit), (.resting, .commit),
            (.restingForTask, .commit), (.flushing, .commit), (.idle, .write),
            (.taskWoken, .write), (.committed, .write), (.resting, .write),
            (.restingForTask, .write), (.flushing, .write):
            return .misuse

        case (.open, .cancel), (.open, .cancelInBlock): return .next(.idle, .nothing)
        case (.joined, .cancelInBlock): return .next(.committed, .nothing)
        case (.joined, .cancel): return .next(.resting, .rest)
        case (.idle, .cancel), (.taskWoken, .cancel), (.committed, .cancel), (.resting, .cancel),
            (.restingForTask, .cancel), (.flushing, .cancel), (.idle, .cancelInBlock),
            (.taskWoken, .cancelInBlock), (.committed, .cancelInBlock),
            (.resting, .cancelInBlock), (.restingForTask, .cancelInBlock),
            (.flushing, .cancelInBlock):
            return .misuse

        // The group.
        case (.resting, .takeBack), (.restingForTask, .takeBack): return .next(.committed, .nothing)
        case (.resting, .expire): return .next(.flushing, .nothing)
        case (.restingForTask, .expire): return .next(.flushing, .ask)
        case (.idle, .takeBack), (.taskWoken, .takeBack), (.open, .takeBack),
            (.committed, .takeBack), (.joined, .takeBack), (.flushing, .takeBack),
            (.idle, .expire), (.taskWoken, .expire), (.open, .expire), (.committed, .expire),
            (.joined, .expire), (.flushing, .expire):
            return .fault("No group rests.")

        case (.flushing, .end), (.resting, .end): return .next(.idle, .nothing)
        case (.restingForTask, .end): return .next(.taskWoken, .ask)
        case (.idle, .end), (.taskWoken, .end), (.open, .end), (.committed, .end), (.joined, .end):
            return .fault("No group is on its way to the disk.")
        }
    }
}
