/// The write grant inside this process: first come, first served among the requesters that can
/// run.
///
/// A requesting thread waits until it has the grant. A requesting closure is *offered* the
/// grant. Until its owner accepts, the offer can be withdrawn, because the owner's scheduler
/// may never run it. A withdrawn place stays in the queue, in its order, and is skipped until
/// its owner tries to accept.
///
/// A held grant ends with `leave`, which passes it on before any new requester can take it.
final class WriteQueue: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.

    let monitor = Monitor()
    var grant = Grant.free
    /// In the order of their numbers.
    var places: [WritePlace] = []
    /// The number of the newest place. Under the monitor.
    private var lastNumber: UInt64 = 0

    enum Grant {
        case free
        /// Held by a thread, or by an owner that accepted.
        case held(WriteHolder)
        /// Reserved for a closure that has not been offered it yet: waiting for the lock
        /// between processes.
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

    /// The holder of the grant; nil if it is free or not yet accepted.
    var holder: WriteHolder? {
        monitor.withLock {
            if case .held(let holder) = grant { holder } else { nil }
        }
    }

    /// Ends the current grant.
    func leave() { monitor.withLock { passOn() }?.grantHasCome() }

    /// Passes the grant to the next place that can use it. Under the monitor.
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
    /// - Parameter present: An owner that is present, whatever its recorded state.
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

    /// Removes the next place from the queue if it belongs to `owner`, which holds the grant:
    /// the grant then serves that place, too. So adjacent writes of one owner share a grant,
    /// and no requester that can run is overtaken. Called by the holder of the grant.
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
