import FreeholdStorage

extension ConfinementViolation {
    /// A place in the running program: the source line, the thread, the queue and the actor.
    public struct Place: Hashable, Codable, Sendable {
        /// What ran the code: a thread, a queue, a task, an actor or a scheduler.
        public enum Kind: String, Codable, CaseIterable, Sendable {
            /// The main thread, the main queue, the main actor.
            case main
            /// A thread that neither a queue nor a task uses.
            case thread
            /// A dispatch queue that runs one block at a time.
            case serialQueue
            /// A dispatch queue that runs several blocks at once, such as a global queue.
            case concurrentQueue
            /// A task outside of all actors.
            case task
            /// An actor.
            case actor
            /// A ``RealmScheduler`` of the program.
            case scheduler
        }

        /// What ran the code at this place.
        public let kind: Kind
        /// The source file, as `Module/File.swift`; nil if unknown.
        public let file: String?
        /// The line in ``file``; nil if the file is unknown.
        public let line: UInt?
        /// The thread's number in the kernel, as `ps -L` and debuggers show it.
        public let threadID: Int
        /// The thread's name at the time of the report; empty if the thread has none or has ended.
        public let threadName: String
        /// Whether the thread is the process's main thread.
        public let isMainThread: Bool
        /// The label of the program's dispatch queue; nil if none ran the code.
        public let queue: String?
        /// The type of the actor; nil if it is unknown.
        public let actor: String?
        /// The address of the ``actor``, which identifies the instance. Nil if the actor is
        /// unknown, and for an actor with an executor of its own that opened no realm.
        public let actorAddress: UInt?
        /// The type of the actor's executor, if the actor has its own; ``actor`` is unknown then.
        public let executor: String?

        /// The caller's place.
        static func here(file: String? = nil, line: UInt? = nil) -> Place {
            let thread = ThreadIdentity.current
            let label = QueueIdentity.currentLabel
            // The code runs on a queue that a task entered with sync, but not on the pool's own
            // queue.
            let queue = label == QueueIdentity.taskPoolLabel ? nil : label
            let isMain = MainScheduler.shared.isCurrent
            let actor = isMain || !runsInTask ? nil : currentActor
            let type = actor.map { String(describing: $0.objectClass) }
            let isOnExecutor = actor?.isExecutor == true
            let kind: Kind =
                if isMain { .main } else if queue == nil {
                    runsInTask ? (actor == nil ? .task : .actor) : .thread
                } else { QueueIdentity.currentIsSerial ? .serialQueue : .concurrentQueue }
            return Place(
                kind: kind, file: file, line: line, threadID: thread.systemID,
                threadName: thread.name, isMainThread: thread.isMain, queue: isMain ? nil : queue,
                actor: isOnExecutor ? nil : type, actorAddress: isOnExecutor ? nil : actor?.address,
                executor: isOnExecutor ? type : nil)
        }

        /// Whether two places are in different instances of actors with the same type name.
        func isOtherInstance(of other: Place) -> Bool {
            guard actor != nil, actor == other.actor, let actorAddress,
                let address = other.actorAddress
            else { return false }
            return actorAddress != address
        }

        /// Whether the description contains the name of what a realm is confined to.
        func describes(_ confinement: String) -> Bool {
            confinement.isEmpty || kind == .main || kind == .thread
                || description.contains(confinement)
        }
    }
}

extension ConfinementViolation.Place: CustomStringConvertible {
    /// The source line, the actor, the thread and the queue on one line, as far as they are
    /// known.
    public var description: String { text(showsInstance: false) }

    /// - Parameter showsInstance: Whether to name the instance of the actor.
    func text(showsInstance: Bool) -> String {
        var parts: [String] = []
        if let file { parts.append("at \(file):\(line ?? 0)") }
        if let actor {
            let instance =
                showsInstance ? actorAddress.map { " (instance 0x\(String($0, radix: 16)))" } : nil
            parts.append("in the actor '\(actor)'" + (instance ?? ""))
        } else if let executor {
            parts.append("in an actor of the executor '\(executor)'")
        } else if kind == .task {
            parts.append("in a task without an actor")
        }
        let number = threadName.isEmpty ? "\(threadID)" : "\(threadID), '\(threadName)'"
        if isMainThread {
            parts.append("on the main thread (\(number))")
        } else if kind == .main {
            parts.append("on the main queue (thread \(number))")
        } else {
            parts.append("on thread \(threadID)" + (threadName.isEmpty ? "" : " ('\(threadName)')"))
        }
        if let queue { parts.append("on the queue '\(queue)'") }
        return parts.joined(separator: " ")
    }
}
