/// The turns of the writers inside this process: first come, first served.
///
/// A turn is asked for by a thread, which waits, or by a closure, which is called. It ends with `leave`, which passes the turn
/// to the next in line before anyone new can take it.
final class WriteQueue: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.

    /// One place in the line.
    final class Place: @unchecked Sendable {
        // @unchecked: `hasTurn` is protected by `wake`, the rest never changes.
        fileprivate let call: (@Sendable () -> Void)?
        fileprivate let wake: Monitor?
        fileprivate var hasTurn = false

        fileprivate init(call: (@Sendable () -> Void)?) {
            self.call = call
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
        let place = Place(call: nil)
        line.append(place)
        monitor.unlock()
        place.wake?.withLock {
            while !place.hasTurn { place.wake?.wait() }
        }
    }

    /// Calls back when the turn has come: at once, or from the thread that leaves.
    func enter(_ call: @escaping @Sendable () -> Void) -> Place {
        let place = Place(call: call)
        let isFirst = monitor.withLock {
            if isTaken {
                line.append(place)
                return false
            }
            isTaken = true
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
        monitor.withLock {
            guard let index = line.firstIndex(where: { $0 === place }) else { return false }
            line.remove(at: index)
            return true
        }
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
        if let call = next.call { return call() }
        next.wake?.withLock {
            next.hasTurn = true
            next.wake?.wakeOne()
        }
    }
}
