import FreeholdStorage

// A realm that a task opened outside of all actors; see OpeningTask.

extension RealmCore {
    /// The realm's current confinement.
    var confinement: Confinement { openingTask?.ownerConfinement ?? initialConfinement }

    /// Whether a task opened the realm and no actor has taken it over yet. Nothing can be
    /// scheduled on it then.
    var belongsToTask: Bool { openingTask.map { $0.ownerConfinement == nil } ?? false }

    /// Whether the caller may use the realm, where its thread alone does not decide. The first
    /// actor that uses a task's realm takes it over here.
    ///
    /// Never inlined: the calling code is in front of each access by an actor.
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
        // A draft goes along with the task's realm, which is the one that is registered and
        // listens.
        let live = draft == nil ? self : coordinator.core(in: initialConfinement.domain)
        let isOwner = task.handOver {
            live.map { coordinator.move($0, to: offered) } ?? offered
        }
        if !isOwner { return false }
        gate.pointee.executor = offered.executor
        if let live {
            live.gate.pointee.executor = offered.executor
            RealmCoordinator.noteThreadRealm(live)
            live.listenIfReachable()
        }
        // Of what was edited before anything could be called.
        if draft != nil { requestDelivery() }
        return true
    }

    /// Traps if an operation needs a later call, and only a task has the realm.
    func requireOwner(_ text: String, _ operation: String) {
        if !belongsToTask { return }
        misuse(
            text,
            remedy: """
                \(operation) calls back later, and the task that opened the realm outside \
                of all actors cannot be called. Use it in a method of an actor: the first \
                one that uses the realm owns it from then on.
                """)
    }
}
