/// The turns of the writers inside this process: first come, first served.
///
/// A turn is asked for by a thread, which waits, or by a closure, which is called. It ends with `leave`, which passes the turn
/// to the next in line before anyone new can take it.
final class WriteQueue: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.

    /// One place in the line.
    final class Place: @unchecked Sendable {
        // @unchecked: `hasTurn` is protected by `wake`, `call` belongs to the line and then to who takes the place out of it; the rest never changes.

        /// Keeps who asked, who keeps the place: so it goes with the place's time in the line.
        fileprivate var call: (@Sendable () -> Void)?
        /// Who asked, where a turn may be passed on to the next place of the same owner.
        fileprivate let owner: ObjectIdentifier?
        fileprivate let wake: Monitor?
        fileprivate var hasTurn = false

        fileprivate init(call: (@Sendable () -> Void)?, owner: ObjectIdentifier?) {
            self.call = call
            self.owner = owner
            wake = call == nil ? Monitor() : nil
        }
    }

    private let monitor = Monitor()
    private var isTaken = false
    private var line: [Place] = []

    /// Waits for a turn.
    func enter() {
        monitor.lock()
        if !isTaken {
            isTaken = true
            return monitor.unlock()
        }
        let place = Place(call: nil, owner: nil)
        line.append(place)
        monitor.unlock()
        place.wake?.withLock {
            while !place.hasTurn { place.wake?.wait() }
        }
    }

    /// Takes a turn if nobody has it, and without waiting for who asks just now.
    func tryEnter() -> Bool {
        guard monitor.tryLock() else { return false }
        defer { monitor.unlock() }
        if isTaken { return false }
        isTaken = true
        return true
    }

    /// Calls back when the turn has come: at once, or from the thread that leaves.
    ///
    /// - Parameter owner: Lets the owner's turn absorb this place; see ``absorb(owner:)``.
    func enter(owner: ObjectIdentifier? = nil, _ call: @escaping @Sendable () -> Void) -> Place {
        let place = Place(call: call, owner: owner)
        let isFirst = monitor.withLock {
            if isTaken {
                line.append(place)
                return false
            }
            isTaken = true
            place.call = nil
            return true
        }
        if isFirst { call() }
        return place
    }

    /// The number of writers that wait for a turn.
    var waitingCount: Int { monitor.withLock { line.count } }

    /// Takes a place out of the line.
    ///
    /// - Returns: Whether it was still waiting there. If not, its turn has come.
    func abandon(_ place: Place) -> Bool {
        let isWaiting = monitor.withLock {
            guard let index = line.firstIndex(where: { $0 === place }) else { return false }
            line.remove(at: index)
            return true
        }
        if isWaiting { place.call = nil }
        return isWaiting
    }

    /// Takes the next place out of the line if it is the owner's: the turn that the owner has stands for it, too. Called by the one who has the
    /// turn. So writes of one owner that stand next to each other share a turn, and nobody is overtaken.
    func absorb(owner: ObjectIdentifier) -> Bool {
        let absorbed: Place? = monitor.withLock {
            guard let next = line.first, next.owner == owner else { return nil }
            return line.removeFirst()
        }
        // Not under the lock: who asked may go with it.
        absorbed?.call = nil
        return absorbed != nil
    }

    /// Ends the current turn.
    func leave() {
        let next: Place? = monitor.withLock {
            guard !line.isEmpty else {
                isTaken = false
                return nil
            }
            return line.removeFirst()
        }
        guard let next else { return }
        if let call = next.call.take() { return call() }
        next.wake?.withLock {
            next.hasTurn = true
            next.wake?.wakeOne()
        }
    }
}
