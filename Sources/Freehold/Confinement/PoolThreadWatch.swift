import FreeholdStorage
import Synchronization

/// Notices that a realm of a thread of the tasks' pool is kept for later than the work that
/// opened it.
///
/// A task, or an actor, goes on on another thread of the pool behind an `await`. A realm that
/// is gone by then did no harm, so nothing is said when it is opened. It is kept for later if
///
/// - another task uses it, which opening it again, a write and `refresh()` look at, or
/// - it is still open when the actor on which it was opened does something else.
///
/// Of a task without an actor it is not known when it suspends. There the mistake shows when
/// the thread has changed, as the violation that it is.
final class PoolThreadWatch: Sendable {
    /// The address of the task that opened the realm. Another task may get it later; then one
    /// warning is missing.
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

    /// Has the actor that runs the caller look at the realm when it next does something else.
    /// Once for each place in the source.
    func askActor() {
        if confinement.opening.actorClass == nil { return }
        if !askedPlaces.withLock({ $0.insert(OpeningPlace(confinement.opening)).inserted }) {
            return
        }
        // The default executor of an actor is the actor. Others that run on the pool are not known.
        guard let actor = currentExecutorObject as? any Actor else { return }
        ActorScheduler(actor).run { if self.isOpen.load(ordering: .relaxed) { self.warn() } }
    }

    /// Called where the realm is used, with the gate passed.
    func noteUse() { if currentTaskAddress != task { warn() } }

    /// Called by the realm's `deinit`.
    func end() { isOpen.store(false, ordering: .relaxed) }

    /// Once for each place in the source, so that a loop does not fill the log.
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
                message: "Realm opened for a thread that its task may leave at any await.",
                access: .operation("Keeping a realm of a thread for later"), path: path,
                opened: place, accessed: .here(), remedy: remedy))
    }
}

/// A place in the source. Only equal for the same literal, which is all that is needed.
private struct OpeningPlace: Hashable {
    let file: UInt
    let line: UInt

    init(_ opening: Confinement.Opening) {
        file =
            opening.fileID.hasPointerRepresentation ? UInt(bitPattern: opening.fileID.utf8Start) : 0
        line = opening.line
    }
}

/// Where realms were opened whose actors were asked.
private let askedPlaces = Locked<Set<OpeningPlace>>(processWide: [])
private let warnedPlaces = Locked<Set<OpeningPlace>>(processWide: [])
