import FreeholdStorage

/// The task that opened a realm outside of all actors, until an actor takes the realm over.
///
/// Initialisers of actors need it. Until an actor's last property has its value its initialiser
/// runs outside of the actor, so the compiler has no actor to name where
/// `realm = try await Realm.open()` gives that property its value; from then on it runs on the
/// actor. So the first actor that uses such a realm owns it from then on, and until then the
/// task does, on whichever threads it runs.
final class OpeningTask: RealmScheduler, @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`; `task` is only compared.

    /// The task's address.
    private let task: UInt
    private let monitor = Monitor()
    /// How the realm is confined since an actor took it over. Set once. Protected by `monitor`.
    private var owner: Confinement?

    /// The task that runs the caller, which there must be.
    init() { task = currentTaskAddress }

    /// How the realm is confined since an actor took it over; nil before. Any thread.
    var ownerConfinement: Confinement? { monitor.withLock { owner } }

    /// Has an actor take the realm over, unless one has.
    ///
    /// - Parameter makeOwner: How the realm is confined from now on. Called under the lock.
    /// - Returns: Whether this call did it.
    func handOver(to makeOwner: () -> Confinement) -> Bool {
        monitor.withLock {
            if owner != nil { return false }
            owner = makeOwner()
            return true
        }
    }

    /// The task on an actor is the actor, which takes the realm over with its first use.
    var isCurrent: Bool {
        ownerConfinement.map(\.allowsCaller) ?? (currentTaskAddress == task && !hasCurrentExecutor)
    }

    var name: String { ownerConfinement?.scheduler?.name ?? "the task that opened it" }

    /// Before a handover nobody can be called back: what would have to be is refused
    /// (``RealmCore/belongsToTask``).
    func run(_ work: @escaping @Sendable () -> Void) { ownerConfinement?.scheduler?.run(work) }
}
