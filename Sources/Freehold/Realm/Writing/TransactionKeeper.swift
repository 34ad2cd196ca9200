import Dispatch
import FreeholdStorage
package import Synchronization

/// Keeps a realm during a write transaction that `beginWrite()` began, so that the program need
/// not: `try! Realm().beginWrite()` and `try! Realm().add(dog)` refer to the same realm.
///
/// The main thread keeps it for ever; any other thread of the program and an actor keep it while
/// they exist. A pool thread, a queue and a scheduler of the program outlive the job that began
/// the transaction, or end without a notification. There a realm is given up after ``patience``
/// looks in a row without another reference. So a failed job does not block all other writers.
package final class TransactionKeeper: @unchecked Sendable {
    // Sendable: protected by `lock`. This class does not use the realm: it gives it up when
    // there is no other reference.

    private let lock = Monitor()
    /// Nil once the transaction has ended.
    private var core: RealmCore?
    /// The number of looks in a row without another reference to the realm.
    private var idleLooks = 0

    /// The time between two looks, in milliseconds.
    private static let interval = 1000
    /// Long, because a job may have to wait for its queue. Tests shorten it.
    package static let patience = Atomic<Int>(30)
    /// How often any keeper has looked, for tests that wait for it.
    package static let looks = Atomic<Int>(0)

    init(_ core: RealmCore) {
        self.core = core
        if core.confinement.isSharedWithOtherJobs { lookLater() }
    }

    /// Releases the realm.
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
        // Its `deinit` cancels the transaction, and reports it.
        withExtendedLifetime(abandoned) {}
    }
}

extension Confinement {
    /// Whether a job can leave a transaction open for ever, because no later job will end it.
    fileprivate var isSharedWithOtherJobs: Bool {
        switch domain {
        case .thread: opening.isOnTaskPool || QueueIdentity.currentLabel != nil
        case .main, .frozen: false
        case .queue, .actor, .scheduler: true
        }
    }
}

extension RealmCore {
    /// Reports that a transaction was dropped that the program began and did not end.
    func reportDroppedTransaction() {
        let owner = confinement.scheduler?.name ?? "no thread"
        EventLog.say(
            .warning, about: .transactions,
            """
            A Realm instance was invalidated during a write transaction and all pending changes \
            have been rolled back.
              What: a write transaction of the realm at '\(store.path)', for \(owner)
              Opened: \(confinement.place.text(showsInstance: false))
              Remedy: End each beginWrite() with commitWrite() or cancelWrite(), also where an \
            error is thrown in between, or use write { }. A realm in a transaction is kept until \
            its thread or its actor ends; on threads of a pool and on queues for half a minute \
            after its last use.
            """)
    }
}
