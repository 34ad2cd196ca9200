extension WriteQueue {
    /// Requests a grant. The place is called when it has the grant: before this function
    /// returns, or from the thread that passes the grant on. The grant is reserved until
    /// ``move(_:to:)``.
    func enter(_ place: WritePlace) {
        let isFirst = monitor.withLock {
            guard case .free = grant else {
                append(place)
                return false
            }
            number(place)
            place.state = .reserved
            grant = .reserved(place)
            return true
        }
        if isFirst { place.grantHasCome() }
    }

    /// Turns a reserved grant into an offered or a held one. Returns false if the place was
    /// cancelled meanwhile; the caller then leaves.
    func move(_ place: WritePlace, to next: Grant) -> Bool {
        monitor.withLock {
            guard place.state == .reserved else { return false }
            place.state = if case .held = next { .ended } else { .offered }
            grant = next
            return true
        }
    }

    enum Acceptance {
        /// The grant is held, and the lock between processes with it.
        case held
        /// The grant was free and is reserved; the lock between processes has to be taken.
        case reserved
        /// The place waits in the queue for another offer.
        case waiting
        case ended
    }

    /// Takes the offered grant for the place's owner, if the offer still stands. If it was
    /// withdrawn, the place becomes ready again.
    func accept(_ place: WritePlace, as identity: WriterIdentity) -> Acceptance {
        monitor.withLock {
            switch place.state {
            case .offered:
                place.state = .ended
                grant = .held(WriteHolder(identity))
                return .held
            case .away, .waiting:
                guard case .free = grant else {
                    place.state = .waiting
                    return .waiting
                }
                places.removeAll { $0 === place }
                place.state = .reserved
                grant = .reserved(place)
                return .reserved
            case .reserved: return .waiting
            case .ended: return .ended
            }
        }
    }

    /// Withdraws an offer that was not accepted, and passes the grant on.
    ///
    /// - Parameter releasing: Releases the lock between processes. Called under the monitor.
    func withdraw(_ place: WritePlace, _ releasing: () -> Void) {
        let next = monitor.withLock { () -> WritePlace? in
            guard place.state == .offered else { return nil }
            releasing()
            place.state = .away
            place.withdrawals += 1
            places.insert(place, at: places.firstIndex { $0.number > place.number } ?? places.count)
            return passOn()
        }
        next?.grantHasCome()
    }

    /// Gives up a place, in any state. If the grant is reserved for it, the thread that takes
    /// the lock between processes leaves the queue.
    ///
    /// - Parameters:
    ///   - byOwner: Whether the owner cancels, rather than a failure.
    ///   - releasing: As in ``withdraw(_:_:)``.
    /// - Returns: False if the place had already ended, unless its owner had cancelled it
    ///   before.
    func cancel(_ place: WritePlace, byOwner: Bool = false, _ releasing: () -> Void) -> Bool {
        let (isCancelled, next) = monitor.withLock { () -> (Bool, WritePlace?) in
            let before = place.state
            switch before {
            case .ended: return (byOwner && place.isTakenBack, nil)
            case .waiting, .away: places.removeAll { $0 === place }
            case .reserved: break
            case .offered: releasing()
            }
            place.state = .ended
            place.isTakenBack = byOwner
            // Other places of its owner, behind it, may have been skipped while it was away.
            if case .free = grant { return (true, passOn()) }
            return (true, before == .offered ? passOn() : nil)
        }
        next?.grantHasCome()
        return isCancelled
    }

    /// Ends a place that has waited in the queue for too long. Returns false in any state
    /// except waiting.
    func expire(_ place: WritePlace) -> Bool {
        monitor.withLock {
            guard place.state == .waiting else { return false }
            places.removeAll { $0 === place }
            place.state = .ended
            return true
        }
    }

    /// The request that the grant is currently offered to.
    var offeredRequest: WriteRequest? {
        monitor.withLock {
            if case .offered(let place) = grant { place as? WriteRequest } else { nil }
        }
    }

    /// The number of withdrawn offers of a place.
    func withdrawals(of place: WritePlace) -> Int { monitor.withLock { place.withdrawals } }

    /// Whether a place is in the queue, and its owner is not away.
    func isWaiting(_ place: WritePlace) -> Bool {
        monitor.withLock { place.state == .waiting && place.number != 0 }
    }

    func hasEnded(_ place: WritePlace) -> Bool { monitor.withLock { place.state == .ended } }
}
