/// The turns of the writers inside this process: first come, first served among those who can run.
///
/// A thread that asks waits and then has the turn. A closure that asks is *offered* the turn:
/// until its owner accepts, the offer can be withdrawn, because the owner's scheduler may never
/// come. The place of a withdrawn offer stays in the line, in its order, and is passed over
/// until its owner comes by.
///
/// A held turn ends with `leave`, which passes it on before anyone new can take it.
final class WriteQueue: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.

    let monitor = Monitor()
    var turn = Turn.free
    /// In the order of their numbers.
    var line: [WritePlace] = []
    /// Of the places so far. Under the monitor.
    private var lastNumber: UInt64 = 0

    enum Turn {
        case free
        /// A thread, or an owner that accepted.
        case held(WriteHolder)
        /// A closure's, which has not been offered it yet: the lock between processes is waited
        /// for.
        case reserved(WritePlace)
        case offered(WritePlace)
    }

    /// Puts a new place at the end of the line. Under the monitor.
    func append(_ place: WritePlace) {
        number(place)
        line.append(place)
    }

    /// Gives a new place its number. Under the monitor.
    func number(_ place: WritePlace) {
        lastNumber += 1
        place.number = lastNumber
    }

    /// The number of writers that wait for a turn.
    var waitingCount: Int { monitor.withLock { line.count } }

    /// Who has the turn; nil where it is free or its owner has not accepted it.
    var holder: WriteHolder? {
        monitor.withLock {
            if case .held(let holder) = turn { holder } else { nil }
        }
    }

    /// Ends the current turn.
    func leave() { summon(monitor.withLock { passOn() }) }

    /// Gives the turn to the next place that can use it. Under the monitor.
    ///
    /// - Returns: That place, for ``summon(_:)`` without the monitor.
    func passOn() -> WritePlace? {
        guard let index = indexOfNext() else {
            turn = .free
            return nil
        }
        let next = line.remove(at: index)
        if let thread = next as? WaitingThread {
            next.state = .ended
            turn = .held(WriteHolder(thread.identity))
        } else {
            next.state = .reserved
            turn = .reserved(next)
        }
        return next
    }

    /// The first place whose owner is not known to be away. Under the monitor.
    ///
    /// - Parameter present: An owner that is here, whatever is known of it.
    func indexOfNext(present: ObjectIdentifier? = nil) -> Int? {
        var away: Set<ObjectIdentifier> = []
        for (index, place) in line.enumerated() {
            if let present, place.owner == present { return index }
            if place.state == .away {
                if let owner = place.owner { away.insert(owner) }
            } else if place.owner.map({ !away.contains($0) }) ?? true {
                return index
            }
        }
        return nil
    }

    /// Tells a place that it has the turn. Without the monitor.
    func summon(_ place: WritePlace?) { place?.turnHasCome() }

    /// Takes the next place out of the line if it is the owner's: the turn that the owner has
    /// stands for it, too. Called by the one who has the turn. So writes of one owner that
    /// stand next to each other share a turn, and nobody that can run is overtaken.
    func absorb(owner: ObjectIdentifier) -> WritePlace? {
        monitor.withLock {
            guard let index = indexOfNext(present: owner), line[index].owner == owner else {
                return nil
            }
            let absorbed = line.remove(at: index)
            absorbed.state = .ended
            return absorbed
        }
    }
}
