import FreeholdStorage

extension Confinement {
    /// Warns of a realm that is confined to whichever thread of the tasks' pool runs the caller: the task, or the actor, will go on on another one.
    ///
    /// Only where a task runs on the pool. The main thread, a queue and the thread of an executor of its own stay what they are for the caller. Once for each
    /// place in the source, so a loop does not fill the log.
    func warnIfOnTaskPool(_ configuration: Realm.Configuration) {
        guard opening.isOnTaskPool else { return }
        let site = CallSite(opening)
        if !warnedSites.withLock({ $0.insert(site).inserted }) { return }
        Confinement.warn(opening, configuration)
    }

    @inline(never)
    private static func warn(_ opening: Opening, _ configuration: Realm.Configuration) {
        let place = ConfinementViolation.Place.here(file: opening.fileID.description, line: opening.line)
        let remedy =
            if let actor = place.actor {
                "Open it with try await Realm.open() in the actor '\(actor)': then it belongs to the actor, on whichever thread that runs."
            } else {
                """
                Open it with try await Realm.open() on an actor, or work in Realm.performBackgroundTask { realm in … }. Without an await \
                between its opening and its last use it is right as it is.
                """
            }
        ConfinementReports.deliver(ConfinementViolation(
            severity: .warning, message: "Realm opened for a thread that its task may leave at any await.",
            access: .operation("Opening a realm for the calling thread"), path: (try? configuration.path()) ?? "", opened: place,
            accessed: place, remedy: remedy))
    }
}

/// A place in the source. Only equal for the same literal, which is all that is needed.
private struct CallSite: Hashable {
    let file: UInt
    let line: UInt

    init(_ opening: Confinement.Opening) {
        file = opening.fileID.hasPointerRepresentation ? UInt(bitPattern: opening.fileID.utf8Start) : 0
        line = opening.line
    }
}

private let warnedSites = Locked<Set<CallSite>>(processWide: [])
