import Dispatch
import FreeholdStorage
package import Synchronization

/// Keeps a realm that is in a write transaction which `beginWrite()` began, so that the program
/// need not: `try! Realm().beginWrite()` and `try! Realm().add(dog)` mean the same realm.
///
/// A thread of the program's keeps it for as long as the thread lives, the main thread for
/// ever, and an actor for as long as there is the actor. A thread of a pool, a queue and a
/// scheduler of the program's outlive the job that began the transaction, or end without
/// anybody being told: there a realm that nobody has referred to for ``patience`` looks in a
/// row is given up, so that a job that failed does not keep all other writers waiting.
package final class TransactionKeeper: @unchecked Sendable {
    // Sendable: protected by `lock`. The realm is not used here: it is given up when nobody
    // else can.

    private let lock = Monitor()
    /// Nil once the transaction has ended.
    private var core: RealmCore?
    /// How often in a row nobody referred to the realm.
    private var idleLooks = 0

    /// The time between two looks, in milliseconds.
    private static let interval = 1000
    /// Long, as a job may have to wait for its queue. Tests shorten it.
    package static let patience = Atomic<Int>(30)
    /// How often any keeper has looked, for tests that wait for it.
    package static let looks = Atomic<Int>(0)

    init(_ core: RealmCore) {
        self.core = core
        if core.confinement.isSharedWithOtherJobs { lookLater() }
    }

    /// Lets the realm go.
    func end() {
        let kept = lock.withLock {
            defer { core = nil }
            return core
        }
        withExtendedLifetime(kept) {}
    }

    private func lookLater() {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Self.interval)) {
            [weak self] in self?.look()
        }
    }

    private func look() {
        let (isOpen, abandoned) = lock.withLock { () -> (Bool, RealmCore?) in
            guard let coordinator = core?.coordinator else { return (false, nil) }
            idleLooks = coordinator.isKeptOnly(&core) ? idleLooks + 1 : 0
            let actor = core?.confinement.scheduler as? ActorScheduler
            let isDue =
                actor.map { $0.isGone && idleLooks > 0 }
                ?? (idleLooks >= Self.patience.load(ordering: .relaxed))
            guard isDue, coordinator.takeOut(&core) else { return (true, nil) }
            defer { core = nil }
            return (false, core)
        }
        Self.looks.add(1, ordering: .relaxed)
        if isOpen { lookLater() }
        // Its `deinit` cancels the transaction, and says so.
        withExtendedLifetime(abandoned) {}
    }
}

extension Confinement {
    /// Whether what a job leaves behind can stay for ever although nobody will come back to it.
    fileprivate var isSharedWithOtherJobs: Bool {
        switch domain {
        case .thread: opening.isOnTaskPool || QueueIdentity.currentLabel != nil
        case .main, .frozen: false
        case .queue, .actor, .scheduler: true
        }
    }
}

extension RealmCore {
    /// Says that a transaction was dropped that the program has begun and did not end.
    func reportDroppedTransaction() {
        EventLog.say(
            .warning, about: .transactions,
            """
            A Realm instance was invalidated during a write transaction and all pending changes have been rolled back.
              What: a write transaction of the realm at '\(store.path)', for \(confinement.scheduler?.name ?? "nobody")
              Opened: \(confinement.place.text(showsInstance: false))
              Remedy: End each beginWrite() with commitWrite() or cancelWrite(), also where an error is thrown in between, or use \
            write { }. A realm in a transaction is kept until its thread or its actor ends; on threads of a pool and on queues \
            for half a minute after its last use.
            """)
    }
}
