import FreeholdStorage

/// An actor, by its executor.
///
/// The actor usually holds the realm, so the realm does not hold the actor. Asynchronous writes in flight do.
final class ActorScheduler: RealmScheduler {
    weak let actor: (any Actor)?
    /// Compared only, never used: the actor may be gone.
    private let executor: UnownedSerialExecutor
    private let type: String

    init(_ actor: any Actor) {
        self.actor = actor
        executor = actor.unownedExecutor
        type = String(describing: Swift.type(of: actor))
    }

    var isCurrent: Bool { isCurrentExecutor(executor) }

    var name: String { "the actor '\(type)'" }

    func run(_ work: @escaping @Sendable () -> Void) {
        guard let actor else { return }
        Task { await Self.run(work, on: actor) }
    }

    private static func run(_ work: () -> Void, on actor: isolated any Actor) { work() }
}
