import Dispatch
import FreeholdStorage

/// Where a realm may be used, and where it was opened.
struct Confinement: Sendable {
    /// The unit of mutual exclusion. Realms of one file in one domain are one instance.
    enum Domain: Hashable, Sendable {
        /// One thread, by the number of its ``ThreadIdentity``.
        case thread(UInt64)
        /// The main thread and the main queue. They are one domain, although `dispatchMain()`
        /// moves the main queue off the main thread: afterwards, only the last frames of `main`
        /// run on that thread.
        case main
        /// A serial queue, by its ``QueueIdentity`` number.
        case queue(UInt64)
        /// An actor, by its address; see ``Confinement/isSameScheduler(as:)``.
        case actor(ObjectIdentifier)
        /// A scheduler of the program.
        case scheduler(ObjectIdentifier)
        /// No domain: an immutable version, usable anywhere.
        case frozen
    }

    let domain: Domain
    /// Runs work in the domain from elsewhere; nil if frozen.
    let scheduler: (any RealmScheduler)?
    /// The token that the gate compares with the calling thread's first; 0 if only the current
    /// queue can decide.
    let ownerThread: UInt
    /// The actor's, for the gate; nil for other domains.
    let executor: UnownedSerialExecutor?
    /// Where the realm was opened.
    let opening: Opening

    /// What is recorded of the place where a realm was opened: little, because realms are opened
    /// often and violations are rare.
    struct Opening: Sendable {
        let fileID: StaticString
        let line: UInt
        let thread: ThreadIdentity
        /// The label of the queue that the realm is confined to.
        var queue: String?
        /// Whether a task opened it on a thread of the task pool.
        var isOnTaskPool = false
        /// The actor that the realm is confined to or, if `isOnTaskPool`, on which it was opened.
        var actorClass: AnyClass?
        /// The address of the actor; nil if only its executor is known.
        var actorAddress: UInt?
    }

    private init(
        domain: Domain, scheduler: (any RealmScheduler)?, ownerThread: UInt,
        executor: UnownedSerialExecutor? = nil, opening: Opening
    ) {
        self.domain = domain
        self.scheduler = scheduler
        self.ownerThread = ownerThread
        self.executor = executor
        self.opening = opening
    }

    /// Returns the confinement of a realm that the caller opens here.
    ///
    /// - Parameter queue: The queue to confine to; nil for the calling thread.
    /// - Throws: ``Realm/Error`` if the queue runs blocks concurrently,
    ///   ``ConfinementViolation`` if the caller does not run on it.
    static func here(queue: DispatchQueue?, fileID: StaticString, line: UInt) throws -> Confinement
    {
        let thread = ThreadIdentity.current
        var opening = Opening(fileID: fileID, line: line, thread: thread, queue: queue?.label)
        guard let queue else {
            // This also covers a thread that serves the main queue after dispatchMain().
            if MainScheduler.shared.isCurrent { return main(opening) }
            if runsInTask, QueueIdentity.isCurrentTaskPool {
                opening.isOnTaskPool = true
                let actor = currentActor
                opening.actorClass = actor?.objectClass
                if actor?.isExecutor == false { opening.actorAddress = actor?.address }
            }
            return ofThread(opening)
        }
        let number = QueueIdentity.number(of: queue)
        guard try number == QueueIdentity.main || QueueIdentity.isSerial(queue) else {
            throw Realm.Error(
                .invalidInput,
                """
                Invalid queue '\(queue.label)' (concurrent): Realms can only be confined to \
                serial queues or the main queue.
                """)
        }
        let confinement =
            number == QueueIdentity.main
            ? main(opening)
            : Confinement(
                domain: .queue(number), scheduler: QueueScheduler(queue), ownerThread: 0,
                opening: opening)
        guard confinement.allowsCaller else {
            let here = ConfinementViolation.Place.here(file: fileID.description, line: line)
            throw ConfinementViolation(
                message: "Realm opened from incorrect dispatch queue.",
                access: .operation("Opening a realm for the queue '\(queue.label)'"), opened: here,
                accessed: here,
                remedy: """
                    Open the realm in a block that runs on the queue: queue.async { let \
                    realm = try Realm(queue: queue) }.
                    """)
        }
        return confinement
    }

    /// Returns the confinement of a realm that is opened on the actor that runs the caller;
    /// without an actor, of a realm that the task opens.
    static func here(actor: isolated (any Actor)?, fileID: StaticString, line: UInt) -> Confinement
    {
        if let actor { return unsafeHere(actor: actor, fileID: fileID, line: line) }
        // A task that prefers a pinned executor returns to its thread after each await.
        let thread = ThreadIdentity.current
        if !thread.isMain, thread.scheduler.isExecutor {
            return ofThread(Opening(fileID: fileID, line: line, thread: thread))
        }
        return ofCurrentTask(fileID: fileID, line: line)
    }

    /// Returns the confinement of a realm that belongs to the calling thread.
    private static func ofThread(_ opening: Opening) -> Confinement {
        Confinement(
            domain: .thread(opening.thread.number), scheduler: opening.thread.scheduler,
            ownerThread: currentThreadToken(), opening: opening)
    }

    /// Returns the confinement of a realm that the calling task opens outside of all actors; see
    /// ``OpeningTask``.
    static func ofCurrentTask(fileID: StaticString, line: UInt) -> Confinement {
        let task = OpeningTask()
        var opening = Opening(fileID: fileID, line: line, thread: .current)
        opening.isOnTaskPool = true
        return Confinement(
            domain: .scheduler(ObjectIdentifier(task)), scheduler: task, ownerThread: 0,
            opening: opening)
    }

    /// Returns the confinement of a realm that the actor running the caller takes over; nil if no
    /// actor runs it.
    static func ofCurrentActor(fileID: StaticString, line: UInt) -> Confinement? {
        if MainScheduler.shared.isCurrent {
            return main(Opening(fileID: fileID, line: line, thread: .current))
        }
        guard runsInTask, let object = currentExecutorObject else { return nil }
        // The default executor of an actor is the actor.
        if let actor = object as? any Actor {
            return unsafeHere(actor: actor, fileID: fileID, line: line)
        }
        return (object as? any SerialExecutor).map {
            unsafeHere(actor: ExecutorActor(executor: $0), fileID: fileID, line: line)
        }
    }

    /// The current confinement. It differs from the initial one after an actor has taken over the
    /// realm of a task. Any thread may ask.
    var current: Confinement { (scheduler as? OpeningTask)?.ownerConfinement ?? self }

    /// Returns the same confinement in another domain.
    func inDomain(_ domain: Domain) -> Confinement {
        Confinement(
            domain: domain, scheduler: scheduler, ownerThread: ownerThread, executor: executor,
            opening: opening)
    }

    /// Throws unless the caller runs on an actor.
    static func verifyCaller(on actor: any Actor, _ fileID: StaticString, _ line: UInt)
        throws(ConfinementViolation)
    {
        if isCurrentExecutor(actor.unownedExecutor) { return }
        let here = ConfinementViolation.Place.here(file: fileID.description, line: line)
        throw ConfinementViolation(
            message: "Realm opened from incorrect thread.",
            access: .operation("Opening a realm for the actor '\(type(of: actor))'"),
            opened: here, accessed: here,
            remedy: "Open the realm in a method of the actor, with Realm.open(configuration:).")
    }

    /// As ``here(actor:fileID:line:)``, for callers of which the compiler cannot know that they
    /// run on the actor.
    static func unsafeHere(actor: any Actor, fileID: StaticString, line: UInt) -> Confinement {
        let thread = ThreadIdentity.current
        let opening = Opening(
            fileID: fileID, line: line, thread: thread, actorClass: type(of: actor),
            actorAddress: UInt(bitPattern: ObjectIdentifier(actor)))
        if actor === MainActor.shared { return main(opening) }
        // An actor that stays on its thread: the realm is confined as if the thread had opened it
        // synchronously.
        if thread.scheduler.isRun(by: actor.unownedExecutor) { return ofThread(opening) }
        return Confinement(
            domain: .actor(ObjectIdentifier(actor)), scheduler: ActorScheduler(actor),
            ownerThread: 0, executor: actor.unownedExecutor, opening: opening)
    }

    /// Returns the confinement of a realm on a scheduler of the program.
    static func here(scheduler: any RealmScheduler, fileID: StaticString, line: UInt)
        throws(ConfinementViolation) -> Confinement
    {
        let opening = Opening(fileID: fileID, line: line, thread: .current)
        guard scheduler.isCurrent else {
            let here = ConfinementViolation.Place.here(file: fileID.description, line: line)
            throw ConfinementViolation(
                message: "Realm opened from incorrect thread.",
                access: .operation("Opening a realm for \(scheduler.name)"), opened: here,
                accessed: here, remedy: "Open the realm in work that the scheduler runs.")
        }
        return Confinement(
            domain: .scheduler(ObjectIdentifier(scheduler)), scheduler: scheduler, ownerThread: 0,
            opening: opening)
    }

    /// A realm that is opened on a thread that serves the main queue after dispatchMain() has
    /// no owner thread.
    private static func main(_ opening: Opening) -> Confinement {
        Confinement(
            domain: .main, scheduler: MainScheduler.shared,
            ownerThread: opening.thread.isMain ? currentThreadToken() : 0, opening: opening)
    }

    /// Returns the confinement of a frozen version of a realm that was opened at `opening`.
    static func frozen(of live: Confinement) -> Confinement {
        Confinement(domain: .frozen, scheduler: nil, ownerThread: 0, opening: live.opening)
    }

    /// Whether this confinement allows the caller. The gate asks only if comparing threads and
    /// executors does not decide. Costs a call of the runtime for a living actor, or a look-up
    /// for a queue.
    var allowsCaller: Bool { scheduler?.isCurrent ?? true }

    /// Whether another confinement with the same domain means the same scheduler. False if an
    /// actor ended and another one got its address.
    func isSameScheduler(as other: Confinement) -> Bool {
        guard let own = scheduler as? ActorScheduler,
            let others = other.scheduler as? ActorScheduler
        else { return true }
        return own.actor === others.actor
    }
}
