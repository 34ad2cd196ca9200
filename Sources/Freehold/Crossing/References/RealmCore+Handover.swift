import FreeholdStorage

// A realm that a task opened outside of all actors; see OpeningTask.

extension RealmCore {
    /// How the realm is confined.
    var confinement: Confinement { openingTask?.ownerConfinement ?? initialConfinement }

    /// Whether no actor has taken the realm over yet from the task that opened it: nobody can
    /// be called back.
    var belongsToTask: Bool { openingTask.map { $0.ownerConfinement == nil } ?? false }

    /// Whether the caller runs where the realm may be used, as a thread of its own does not
    /// say. An actor that is the first one to use a realm of a task takes it over.
    ///
    /// Never inlined: what calls it is in front of each access by an actor.
    @inline(never)
    func allowsCallerElsewhere() -> Bool {
        if let openingTask, openingTask.ownerConfinement == nil, takeOver(from: openingTask) {
            return true
        }
        return initialConfinement.allowsCaller
    }

    private func takeOver(from task: OpeningTask) -> Bool {
        let opening = initialConfinement.opening
        guard let offered = Confinement.ofCurrentActor(fileID: opening.fileID, line: opening.line)
        else { return false }
        guard task.handOver(to: { coordinator.move(self, to: offered) }) else { return false }
        RealmCoordinator.noteThreadRealm(self)
        gate.pointee.executor = offered.executor
        listenIfReachable()
        return true
    }

    /// Traps where what is asked for needs to call back later, and only a task has the realm.
    func requireOwner(_ text: String, _ operation: String) {
        if !belongsToTask { return }
        violation(
            .misuse(
                text: text,
                remedy:
                    """
                    \(operation) calls back later, and the task that opened the realm outside \
                    of all actors cannot be called. Use it in a method of an actor: the first \
                    one that uses the realm owns it from then on.
                    """))
    }
}
