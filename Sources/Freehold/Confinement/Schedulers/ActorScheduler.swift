import FreeholdStorage

/// Schedules work on an actor, through its executor.
///
/// The actor usually holds the realm, so the realm does not hold the actor. Asynchronous writes
/// in flight do.
final class ActorScheduler: RealmScheduler {
    weak let actor: (any Actor)?
    /// The actor, if only the scheduler holds it.
    private let kept: ExecutorActor?
    /// Only its identity is compared: the executor may be gone with its actor.
    private let executor: UnownedSerialExecutor
    private let type: String
    /// The work queued for the actor.
    private let jobs = Jobs()

    init(_ actor: any Actor) {
        self.actor = actor
        kept = actor as? ExecutorActor
        executor = actor.unownedExecutor
        type = String(describing: Swift.type(of: actor))
    }

    var isCurrent: Bool {
        if isIdenticalToCurrentExecutor(executor) { return true }
        // The check may call an executor of the program, which lives as long as its actor.
        guard let actor else { return false }
        return withExtendedLifetime(actor) { isCurrentExecutor(actor.unownedExecutor) }
    }

    /// Whether the actor has ended.
    var isGone: Bool { actor == nil }

    var name: String { "the actor '\(type)'" }

    func run(_ work: @escaping @Sendable () -> Void) {
        guard let actor else { return }
        jobs.append(work)
        if SteppedThreads.isOn {
            Task(executorPreference: InlineExecutor.shared) { await self.runNext(on: actor) }
        } else {
            Task { await runNext(on: actor) }
        }
    }

    /// Tasks reach an actor in any order, so each runs the oldest job instead of its own.
    private func runNext(on actor: isolated any Actor) { jobs.removeFirst()?() }

    /// A queue: first in, first out.
    private final class Jobs: @unchecked Sendable {
        // @unchecked: `jobs` is protected by `monitor`.
        private let monitor = Monitor()
        /// The jobs in order, from `first` on. Earlier entries have been taken.
        private var jobs: [(@Sendable () -> Void)?] = []
        private var first = 0

        func append(_ job: @escaping @Sendable () -> Void) { monitor.withLock { jobs.append(job) } }

        func removeFirst() -> (@Sendable () -> Void)? {
            monitor.withLock {
                guard first < jobs.count else { return nil }
                let job = jobs[first]
                jobs[first] = nil
                first += 1
                if first == jobs.count || first >= 256 && first * 2 >= jobs.count {
                    jobs.removeFirst(first)
                    first = 0
                }
                return job
            }
        }
    }
}
