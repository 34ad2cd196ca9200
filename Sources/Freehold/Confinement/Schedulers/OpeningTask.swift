import FreeholdStorage

/// The task that opened a realm outside of all actors. It is the realm's scheduler until an actor
/// takes the realm over.
///
/// Initialisers of actors need it. An actor's initialiser runs outside of the actor until the
/// last property has its value. So where `realm = try await Realm.open()` sets that property, the
/// compiler has no actor to name. Afterwards, the initialiser runs on the actor.
///
/// So the task may use the realm first, on whichever threads it runs. The first actor that uses
/// the realm becomes its owner.
final class OpeningTask: RealmScheduler, @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`; `task` is only compared.

    /// The task's address.
    private let task: UInt
    private let monitor = Monitor()
    /// The confinement after an actor has taken the realm over. Set once. Protected by `monitor`.
    private var owner: Confinement?

    /// Records the task that runs the caller; there must be one.
    init() { task = currentTaskAddress }

    /// The confinement after an actor has taken the realm over; nil before. Any thread may ask.
    var ownerConfinement: Confinement? { monitor.withLock { owner } }

    /// Makes an actor take the realm over, unless one has.
    ///
    /// - Parameter makeOwner: Returns the realm's new confinement. Called under the lock.
    /// - Returns: Whether this call handed the realm over.
    func handOver(to makeOwner: () -> Confinement) -> Bool {
        monitor.withLock {
            if owner != nil { return false }
            owner = makeOwner()
            return true
        }
    }

    /// A task on an actor counts as that actor, which takes the realm over at its first use.
    var isCurrent: Bool {
        ownerConfinement.map(\.allowsCaller) ?? (currentTaskAddress == task && !hasCurrentExecutor)
    }

    var name: String { ownerConfinement?.scheduler?.name ?? "the task that opened it" }

    /// Does nothing before a handover: operations that would need a later call are refused
    /// (``RealmCore/belongsToTask``).
    func run(_ work: @escaping @Sendable () -> Void) { ownerConfinement?.scheduler?.run(work) }
}
