/// The write grant inside this process: first come, first served among those who can run.
///
/// A thread that asks waits and then has the grant. A closure that asks is *offered* the grant:
/// until its owner accepts, the offer can be withdrawn, because the owner's scheduler may never
/// come. The place of a withdrawn offer stays in the queue, in its order, and is passed over
/// until its owner comes by.
///
/// A held grant ends with `leave`, which passes it on before anyone new can take it.
final class WriteQueue: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.

    let monitor = Monitor()
    var grant = Grant.free
    /// In the order of their numbers.
    var places: [WritePlace] = []
    /// Of the places so far. Under the monitor.
    private var lastNumber: UInt64 = 0

    enum Grant {
        case free
        /// A thread, or an owner that accepted.
        case held(WriteHolder)
        /// A closure's, which has not been offered it yet: the lock between processes is waited
        /// for.
        case reserved(WritePlace)
        case offered(WritePlace)
    }

    /// Puts a new place at the end of the queue. Under the monitor.
    func append(_ place: WritePlace) {
        number(place)
        places.append(place)
    }

    /// Gives a new place its number. Under the monitor.
    func number(_ place: WritePlace) {
        lastNumber += 1
        place.number = lastNumber
    }

    /// The number of writers that wait for a grant.
    var waitingCount: Int { monitor.withLock { places.count } }

    /// Who has the grant; nil where it is free or its owner has not accepted it.
    var holder: WriteHolder? {
        monitor.withLock {
            if case .held(let holder) = grant { holder } else { nil }
        }
    }

    /// Ends the current grant.
    func leave() { monitor.withLock { passOn() }?.grantHasCome() }

    /// Gives the grant to the next place that can use it. Under the monitor.
    ///
    /// - Returns: That place, to be called without the monitor (``WritePlace/grantHasCome()``).
    func passOn() -> WritePlace? {
        guard let index = indexOfNext() else {
            grant = .free
            return nil
        }
        let next = places.remove(at: index)
        if let thread = next as? WaitingThread {
            next.state = .ended
            grant = .held(WriteHolder(thread.identity))
        } else {
            next.state = .reserved
            grant = .reserved(next)
        }
        return next
    }

    /// The first place whose owner is not known to be away. Under the monitor.
    ///
    /// - Parameter present: An owner that is here, whatever is known of it.
    func indexOfNext(present: ObjectIdentifier? = nil) -> Int? {
        var away: Set<ObjectIdentifier> = []
        for (index, place) in places.enumerated() {
            if let present, place.owner == present { return index }
            if place.state == .away {
                if let owner = place.owner { away.insert(owner) }
            } else if place.owner.map({ !away.contains($0) }) ?? true {
                return index
            }
        }
        return nil
    }

    /// Takes the next place out of the queue if it is the owner's: the grant that the owner has
    /// stands for it, too. Called by the one who has the grant. So writes of one owner that
    /// stand next to each other share a grant, and nobody that can run is overtaken.
    func absorb(owner: ObjectIdentifier) -> WritePlace? {
        monitor.withLock {
            guard let index = indexOfNext(present: owner), places[index].owner == owner else {
                return nil
            }
            let absorbed = places.remove(at: index)
            absorbed.state = .ended
            return absorbed
        }
    }
}
