import Dispatch
import Foundation

/// Where a realm may be used, and where it was opened.
struct Confinement: Sendable {
    /// The unit of exclusion. Realms of one file in one domain are one instance.
    enum Domain: Hashable, Sendable {
        /// One thread, by the number of its ``ThreadIdentity``.
        case thread(UInt64)
        /// The main thread and the main queue. They are one domain although `dispatchMain()` moves the main queue off the main
        /// thread: nothing but a few last frames of `main` runs there afterwards.
        case main
        /// A serial queue, by its ``QueueIdentity`` number.
        case queue(UInt64)
        /// None: an immutable version, usable anywhere.
        case frozen
    }

    let domain: Domain
    /// What the gate compares with the calling thread's token first; 0 where only a look at the queue can tell.
    let ownerThread: UInt
    /// Where the realm was opened.
    let opening: Opening

    /// What is kept of the place where a realm was opened: little, because realms are opened often and violations are rare.
    struct Opening: Sendable {
        let fileID: StaticString
        let line: UInt
        let thread: ThreadIdentity
        /// The label of the queue that the realm is confined to.
        let queue: String?

        /// For diagnoses. The name is the thread's present one; empty if the thread has ended.
        var place: ConfinementViolation.Place {
            ConfinementViolation.Place(
                file: fileID.description, line: line, threadID: thread.systemID, threadName: thread.name, isMainThread: thread.isMain, queue: queue)
        }
    }

    private init(domain: Domain, ownerThread: UInt, opening: Opening) {
        self.domain = domain
        self.ownerThread = ownerThread
        self.opening = opening
    }

    /// The confinement of a realm that the caller opens here.
    ///
    /// - Parameter queue: The queue to confine to; nil for the calling thread.
    /// - Throws: ``Realm/Error`` if the queue runs blocks concurrently, ``ConfinementViolation`` if the caller does not run on it.
    static func here(queue: DispatchQueue?, fileID: StaticString, line: UInt) throws -> Confinement {
        let thread = ThreadIdentity.current
        let opening = Opening(fileID: fileID, line: line, thread: thread, queue: queue?.label)
        guard let queue else {
            if thread.isMain { return Confinement(domain: .main, ownerThread: currentThreadToken(), opening: opening) }
            // On a thread that serves the main queue after dispatchMain().
            if QueueIdentity.current == QueueIdentity.main { return Confinement(domain: .main, ownerThread: 0, opening: opening) }
            return Confinement(domain: .thread(thread.number), ownerThread: currentThreadToken(), opening: opening)
        }
        guard QueueIdentity.isSerial(queue) else {
            throw Realm.Error(.invalidInput, """
                Invalid queue '\(queue.label)' (concurrent): Realms can only be confined to serial queues or the main queue.
                """)
        }
        let number = QueueIdentity.number(of: queue)
        let domain = number == QueueIdentity.main ? Domain.main : .queue(number)
        guard isInside(domain) else {
            let here = ConfinementViolation.Place.here(file: fileID.description, line: line)
            throw ConfinementViolation(
                message: "Realm opened from incorrect dispatch queue.", access: "Opening a realm for the queue '\(queue.label)'", path: "",
                opened: here, accessed: here,
                remedy: "Open the realm in a block that runs on the queue: queue.async { let realm = try Realm(queue: queue) }.")
        }
        let ownerThread = domain == .main && thread.isMain ? currentThreadToken() : 0
        return Confinement(domain: domain, ownerThread: ownerThread, opening: opening)
    }

    /// The confinement of a frozen version of a realm that was opened at `opening`.
    static func frozen(of live: Confinement) -> Confinement {
        Confinement(domain: .frozen, ownerThread: 0, opening: live.opening)
    }

    /// Whether the caller runs where this confinement allows. A lookup of the queue; the gate asks only where comparing threads is not enough.
    var allowsCaller: Bool { Confinement.isInside(domain) }

    private static func isInside(_ domain: Domain) -> Bool {
        switch domain {
        case .frozen: true
        case .thread(let number): ThreadIdentity.current.number == number
        case .main: Thread.isMainThread || QueueIdentity.current == QueueIdentity.main
        case .queue(let number): QueueIdentity.current == number
        }
    }
}
