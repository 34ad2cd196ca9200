/// What to do about a refused access, for each pair of the place where the realm was opened and
/// the place of the access.
///
/// There are two ways out: the code moves to the realm, or the data (or another realm) come to
/// the code. A remedy names those that the pair allows, at most one of each.
struct ConfinementRemedy {
    /// What the access needed.
    enum Need: CaseIterable {
        /// To read objects or collections: a frozen version has all that.
        case content
        /// To use the realm itself.
        case realm
        /// To write.
        case changes
    }

    /// The owner of the realm.
    enum Owner {
        case main
        case queue(String)
        case actor(String)
        /// A scheduler of the program, by its name.
        case scheduler(String)
        /// A thread that runs an executor, by the executor's name, and the actor that opened
        /// the realm.
        case executorThread(String, actor: String?)
        /// A thread of the program.
        case thread
        /// The pool thread that happened to run a task, or the actor of this type.
        case poolThread(actor: String?)
        /// A task that opened it outside of all actors.
        case task
        /// A frozen realm, which every thread may use.
        case frozen
    }

    let owner: Owner
    let accessed: ConfinementViolation.Place
    let need: Need
    /// Whether the code runs on another instance of the actor type that owns the realm.
    var isOtherInstance = false

    var text: String {
        isOtherInstance
            ? "This code runs on another instance of the same actor. \(textForPlaces)"
            : textForPlaces
    }

    private var textForPlaces: String {
        switch owner {
        case .frozen: return "None needed."
        case .poolThread(let actor): return textForPoolThread(of: actor)
        case .task:
            return need == .content
                ? "\(passFrozen.capitalizedFirst), or \(openHere)."
                : """
                The realm belongs to the task that opened it, until an actor uses it: \
                \(openHere).
                """
        case .thread:
            return need == .content
                ? "\(passFrozen.capitalizedFirst), or \(openHere)."
                : "The realm belongs to one thread: \(openHere)."
        case .main, .queue, .actor, .scheduler, .executorThread:
            return "\(goThere), or \(need == .content ? passFrozen : openHere)."
        }
    }

    // MARK: The code goes to the realm

    private var goThere: String {
        switch owner {
        case .main where isAsynchronous:
            need == .changes
                ? """
                Write in a @MainActor function, which asyncWrite does not hold up (try \
                await realm.asyncWrite { … })
                """
                : "Run this code on the main actor (await MainActor.run { … })"
        case .main:
            need == .changes
                ? """
                Write on the main thread, which writeAsync does not hold up \
                (DispatchQueue.main.async { realm.writeAsync { … } })
                """
                : "Run this code on the main thread (DispatchQueue.main.async { … })"
        case .queue(let label):
            """
            Run this code on the queue '\(label)' that the realm was opened for \
            (queue.async { … })
            """
        case .actor(let type):
            need == .changes
                ? "Write in a method of \(instance(type)) (try await realm.asyncWrite { … })"
                : "Run this code in a method of \(instance(type))"
                    + (isAsynchronous ? "" : " (Task { await … })")
        case .scheduler(let name): "Run this code on \(name) (run(_:))"
        case .executorThread(let name, let actor):
            (need == .changes ? "Write in a method of " : "Run this code in a method of ")
                + (actor.map { "the actor '\($0)', which \(name) runs" }
                    ?? "an actor that \(name) runs")
                + (need == .changes
                    ? " (try await realm.asyncWrite { … })"
                    : isAsynchronous ? "" : " (Task { await … })")
        case .thread, .poolThread, .task, .frozen: ""
        }
    }

    private func instance(_ type: String) -> String {
        isOtherInstance
            ? "the instance of '\(type)' that the realm was opened for" : "the actor '\(type)'"
    }

    private var isAsynchronous: Bool { accessed.kind == .task || accessed.kind == .actor }

    // MARK: The data come to the code

    private var passFrozen: String {
        "pass a frozen version (freeze()), which may be read anywhere"
    }

    private var openHere: String {
        switch accessed.kind {
        case .main, .thread, .scheduler:
            """
            open a realm here with Realm(configuration:) and pass objects to it with \
            @ThreadSafe or as a ThreadSafeReference
            """
        case .serialQueue:
            """
            open a realm for the queue '\(accessed.queue ?? "")' with Realm(queue:) and \
            pass objects to it as a ThreadSafeReference
            """
        case .concurrentQueue:
            """
            use a serial queue with a realm of its own (Realm(queue:)) in place of the \
            concurrent queue '\(accessed.queue ?? "")'
            """
        case .task:
            """
            work in Realm.performBackgroundTask { realm in … } and pass objects to it with \
            @ThreadSafe or as a ThreadSafeReference
            """
        case .actor:
            """
            open a realm for \(accessed.actor.map { "the actor '\($0)'" } ?? "this actor") with \
            Realm.open and pass objects to it as a ThreadSafeReference
            """
        }
    }

    // MARK: The realm should have been opened differently

    private func textForPoolThread(of actor: String?) -> String {
        guard isAsynchronous else {
            return ConfinementRemedy(owner: .thread, accessed: accessed, need: need).text
        }
        if let actor {
            let opening =
                "Open the realm with Realm.open in the actor '\(actor)', which changes threads"
            if accessed.actor == actor { return opening + "." }
            return """
                \(opening), and here \
                \(need == .content ? "read a frozen version (freeze())" : openHere).
                """
        }
        return """
            A task may change threads at each await: open the realm with Realm.open on an actor, \
            or do the whole work in Realm.performBackgroundTask { realm in … }.
            """
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
