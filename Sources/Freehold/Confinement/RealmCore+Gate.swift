import FreeholdStorage

extension RealmCore {
    /// The gate for everything that is not a property of an object.
    ///
    /// - Parameter operation: What is tried, for the diagnosis: "count of Results<Dog>".
    @inline(__always)
    func checkConfinement(_ operation: @autoclosure () -> String) {
        if !gate.pointee.admitsCaller { checkConfinementSlowly(.operation(operation())) }
    }

    /// Called when the gate does not admit the calling thread: returns if it runs on the right queue, else reports.
    @inline(never)
    func checkConfinementSlowly(_ access: @autoclosure () -> ConfinedAccess) {
        if confinement.allowsCaller { return }
        violation(.wrongThread(report(of: access())))
    }

    /// The gate for functions that can throw.
    @inline(__always)
    func verifyConfinement(_ operation: @autoclosure () -> String) throws(ConfinementViolation) {
        if gate.pointee.admitsCaller || confinement.allowsCaller { return }
        throw report(of: .operation(operation()))
    }

    private func report(of access: ConfinedAccess) -> ConfinementViolation {
        let accessed = ConfinementViolation.Place.here()
        return ConfinementViolation(
            message: "Realm accessed from incorrect thread.", access: access.text, path: store.path,
            opened: confinement.opening.place, accessed: accessed, remedy: remedy(from: accessed))
    }

    /// The advice for this pair of places.
    private func remedy(from accessed: ConfinementViolation.Place) -> String {
        let crossing = """
            pass a frozen object (freeze()) across instead of the live one, or open a realm here with Realm(configuration:) and look the \
            object up by its primary key
            """
        switch confinement.domain {
        case .frozen: return "None needed."
        case .queue:
            let label = confinement.opening.queue ?? ""
            return "Run this code on the queue '\(label)' that the realm was opened for (queue.async or queue.sync), or \(crossing)."
        case .actor, .scheduler:
            return "Run this code on \(confinement.scheduler?.name ?? ""), or \(crossing)."
        case .main:
            return "Run this code on the main thread (DispatchQueue.main.async), or \(crossing)."
        case .thread:
            if let thread = confinement.scheduler as? ThreadScheduler, thread.isExecutor {
                let owner = confinement.opening.actor.map { "the actor '\($0)', which \(thread.name) runs" } ?? "an actor that \(thread.name) runs"
                return "Run this code on \(owner) (await a method of it), or \(crossing)."
            }
            if accessed.isMainThread {
                return "The realm belongs to a background thread, which should pass its result to the main thread: \(crossing)."
            }
            if let queue = accessed.queue, QueueIdentity.isPool(queue) {
                return """
                    This runs on a pool of threads (a global queue, a task or an actor), where code changes threads from call to call and at \
                    every await: confine the realm to a serial queue with Realm(queue:), or \(crossing).
                    """
            }
            if let queue = accessed.queue, !QueueIdentity.currentIsSerial {
                return """
                    The queue '\(queue)' is concurrent, and runs its blocks on several threads at once: confine the realm to a serial queue with \
                    Realm(queue:), or \(crossing).
                    """
            }
            if accessed.queue != nil {
                return "A queue does not stay on one thread: confine the realm to the queue with Realm(queue:), or \(crossing)."
            }
            return "Each thread uses a realm of its own: \(crossing)."
        }
    }
}
