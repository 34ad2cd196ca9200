extension WriteQueue {
    /// Waits for a grant.
    ///
    /// - Returns: False if the deadline passed first. The place is given up then, and no grant
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
        // The grant is on its way.
        return place.wait(until: nil)
    }

    /// Takes a grant if nobody has it, and without waiting for who asks just now.
    func tryEnter(_ identity: WriterIdentity = WriterIdentity()) -> Bool {
        guard monitor.tryLock() else { return false }
        defer { monitor.unlock() }
        guard case .free = grant else { return false }
        grant = .held(WriteHolder(identity))
        return true
    }
}
