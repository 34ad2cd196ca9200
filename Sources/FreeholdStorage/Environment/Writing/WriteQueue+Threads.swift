extension WriteQueue {
    /// Waits for a grant.
    ///
    /// - Returns: False if the deadline passed first. The place is then given up, and no grant
    ///   is lost.
    func enter(_ identity: WriterIdentity, until deadline: ContinuousClock.Instant? = nil) -> Bool {
        monitor.lock()
        if case .free = grant {
            grant = .held(WriteHolder(identity))
            monitor.unlock()
            return true
        }
        let place = WaitingThread(identity)
        append(place)
        monitor.unlock()
        if place.wait(until: deadline) { return true }
        if expire(place) { return false }
        // The grant is being passed to this place.
        return place.wait(until: nil)
    }

    /// Takes the grant if it is free, without waiting for the monitor.
    func tryEnter(_ identity: WriterIdentity = WriterIdentity()) -> Bool {
        guard monitor.tryLock() else { return false }
        defer { monitor.unlock() }
        guard case .free = grant else { return false }
        grant = .held(WriteHolder(identity))
        return true
    }
}
