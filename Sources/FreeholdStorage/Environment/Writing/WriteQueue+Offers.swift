extension WriteQueue {
    /// Asks for a grant. The place is called when it has come: before this function returns, or
    /// from the thread that passes it on. The grant is reserved then, until ``move(_:to:)``.
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

    /// Makes a reserved grant an offered or a held one. False if the place was cancelled
    /// meanwhile: the caller leaves.
    func move(_ place: WritePlace, to next: Grant) -> Bool {
        monitor.withLock {
            guard place.state == .reserved else { return false }
            place.state = if case .held = next { .ended } else { .offered }
            grant = next
            return true
        }
    }

    enum Acceptance {
        /// The grant is held, and with it the lock between processes.
        case held
        /// The grant was free, and is reserved: the lock between processes is yet to be taken.
        case reserved
        /// The place waits in the queue, and will be offered the grant again.
        case waiting
        case ended
    }

    /// The owner of a place that was offered the grant is here and takes it, if the offer
    /// stands. If it was withdrawn, the place is one of those that can run again.
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

    /// Takes an offer back that was not accepted, and passes the grant on.
    ///
    /// - Parameter releasing: Gives the lock between processes back. Called under the monitor.
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

    /// Gives a place up, whatever its state. A grant that is reserved for it is left by the one
    /// who takes the lock between processes.
    ///
    /// - Parameters:
    ///   - byOwner: Whether the owner takes the place back, and not something that failed.
    ///   - releasing: As in ``withdraw(_:_:)``.
    /// - Returns: False if the place had ended, unless its owner took it back then and asks again.
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
            // Behind a place that was away, others of its owner may have been passed over.
            if case .free = grant { return (true, passOn()) }
            return (true, before == .offered ? passOn() : nil)
        }
        next?.grantHasCome()
        return isCancelled
    }

    /// Gives a place up that waits in the queue for others, because it has waited long enough.
    /// False for every other state.
    func expire(_ place: WritePlace) -> Bool {
        monitor.withLock {
            guard place.state == .waiting else { return false }
            places.removeAll { $0 === place }
            place.state = .ended
            return true
        }
    }

    /// Who is offered the grant just now.
    var offeredRequest: WriteRequest? {
        monitor.withLock {
            if case .offered(let place) = grant { place as? WriteRequest } else { nil }
        }
    }

    /// How many offers of a place were withdrawn.
    func withdrawals(of place: WritePlace) -> Int { monitor.withLock { place.withdrawals } }

    /// Whether a place is in the queue, and its owner is not away.
    func isWaiting(_ place: WritePlace) -> Bool {
        monitor.withLock { place.state == .waiting && place.number != 0 }
    }

    func hasEnded(_ place: WritePlace) -> Bool { monitor.withLock { place.state == .ended } }
}
