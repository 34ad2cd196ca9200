import FreeholdStorage

extension ConfinementViolation {
    /// A place in the program while it runs: the line of source, the thread, the queue, the actor.
    public struct Place: Hashable, Codable, Sendable {
        /// What ran the code: a thread, a queue, a task, an actor or a scheduler.
        public enum Kind: String, Codable, CaseIterable, Sendable {
            /// The main thread, the main queue, the main actor.
            case main
            /// A thread that neither a queue nor a task uses.
            case thread
            /// A dispatch queue that runs one block at a time.
            case serialQueue
            /// A dispatch queue that runs several blocks at once, as the global ones.
            case concurrentQueue
            /// A task outside of all actors.
            case task
            /// An actor.
            case actor
            /// A ``RealmScheduler`` of the program's.
            case scheduler
        }

        /// What ran the code there.
        public let kind: Kind
        /// `Module/File.swift`, where known.
        public let file: String?
        /// The line in ``file``; known where the file is.
        public let line: UInt?
        /// The thread's number in the kernel, as `ps -L` and debuggers show it.
        public let threadID: Int
        /// The thread's name at the time of the report; empty if the thread has none or has ended.
        public let threadName: String
        /// Whether the thread is the process's main thread.
        public let isMainThread: Bool
        /// The label of the program's dispatch queue, if any.
        public let queue: String?
        /// The type of the actor, where it is known.
        public let actor: String?
        /// Which instance of ``actor`` it is, by its address; known where ``actor`` is, but for
        /// actors with an executor of their own that opened no realm.
        public let actorAddress: UInt?
        /// The type of the actor's executor, if it has one of its own; ``actor`` is then not known.
        public let executor: String?

        /// The caller's place.
        static func here(file: String? = nil, line: UInt? = nil) -> Place {
            let thread = ThreadIdentity.current
            let label = QueueIdentity.currentLabel
            // A queue that a task entered with sync is what runs the code; the pool of the
            // tasks is not.
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
                threadName: thread.name, isMainThread: thread.isMain,
                queue: isMain ? nil : queue,
                actor: isOnExecutor ? nil : type, actorAddress: isOnExecutor ? nil : actor?.address,
                executor: isOnExecutor ? type : nil)
        }

        /// Whether two places are in different instances of actors of one name.
        func isOtherInstance(of other: Place) -> Bool {
            guard actor != nil, actor == other.actor, let actorAddress,
                let address = other.actorAddress
            else { return false }
            return actorAddress != address
        }

        /// Whether the description has the words that name what a realm is confined to.
        func describes(_ confinement: String) -> Bool {
            confinement.isEmpty || kind == .main || kind == .thread
                || description.contains(confinement)
        }
    }
}

extension ConfinementViolation.Place: CustomStringConvertible {
    /// The line of source, the actor, the thread and the queue, as far as they are known, on
    /// one line.
    public var description: String { text(showsInstance: false) }

    /// - Parameter showsInstance: Whether to say which instance the actor is.
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
