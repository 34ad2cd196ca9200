import FreeholdStorage
import Synchronization

/// Detects that a realm of a pool thread is kept for longer than the work that opened it.
///
/// After an `await`, a task or an actor may continue on another thread of the pool. A realm that
/// is gone by then did no harm, so opening it gives no warning. It is kept too long if
///
/// - another task uses it, which opening it again, a write and `refresh()` check, or
/// - it is still open when the actor on which it was opened does something else.
///
/// When a task without an actor suspends is not known. There, the mistake shows as a violation
/// once the thread has changed.
final class PoolThreadWatch: Sendable {
    /// The address of the task that opened the realm. If another task gets the same address
    /// later, one warning is missed.
    private let task: UInt
    private let confinement: Confinement
    private let path: String
    private let isOpen = Atomic(true)

    /// - Returns: Nil unless a task opens the realm for a thread of the pool.
    init?(_ confinement: Confinement, path: String) {
        guard confinement.opening.isOnTaskPool, case .thread = confinement.domain else {
            return nil
        }
        task = currentTaskAddress
        self.confinement = confinement
        self.path = path
    }

    /// Makes the actor that runs the caller check the realm when it next runs something else.
    /// Once for each place in the source.
    func askActor() {
        if confinement.opening.actorClass == nil { return }
        if !askedPlaces.withLock({ $0.insert(OpeningPlace(confinement.opening)).inserted }) {
            return
        }
        // The default executor of an actor is the actor. Other executors that use the pool are
        // not recognised.
        guard let actor = currentExecutorObject as? any Actor else { return }
        ActorScheduler(actor).run { if self.isOpen.load(ordering: .relaxed) { self.warn() } }
    }

    /// Called where the realm is used, after the confinement check.
    func noteUse() { if currentTaskAddress != task { warn() } }

    /// Called by the realm's `deinit`.
    func end() { isOpen.store(false, ordering: .relaxed) }

    /// Warns once for each place in the source, so that a loop does not fill the log.
    @inline(never)
    private func warn() {
        if !warnedPlaces.withLock({ $0.insert(OpeningPlace(confinement.opening)).inserted }) {
            return
        }
        let place = confinement.place
        let remedy =
            if let actor = place.actor {
                """
                Open it with try await Realm.open() in the actor '\(actor)': then it \
                belongs to the actor, on whichever thread that runs.
                """
            } else {
                """
                Open it with try await Realm.open(), on an actor or in the task that uses \
                it, or work in Realm.performBackgroundTask { realm in … }.
                """
            }
        ConfinementReports.deliver(
            ConfinementViolation(
                severity: .warning,
                message:
                    "Realm opened for a thread, but its task may change threads at each await.",
                access: .operation("Keeping a realm of a thread for later"), path: path,
                opened: place, accessed: .here(), remedy: remedy))
    }
}

/// A place in the source. Only the same literal is equal, which suffices here.
private struct OpeningPlace: Hashable {
    let file: UInt
    let line: UInt

    init(_ opening: Confinement.Opening) {
        file =
            opening.fileID.hasPointerRepresentation ? UInt(bitPattern: opening.fileID.utf8Start) : 0
        line = opening.line
    }
}

/// The places of openings whose actors were asked already.
private let askedPlaces = Locked<Set<OpeningPlace>>(processWide: [])
private let warnedPlaces = Locked<Set<OpeningPlace>>(processWide: [])
