import FreeholdStorage

/// Requests, accepts and returns write grants.
extension AsyncWrites {
    private var environment: Environment { core.store.environment }

    /// - Parameter isAccepted: Whether the caller accepts an immediate offer before it returns
    ///   to the program.
    @discardableResult
    func ask(timeout: Duration?, isAccepted: Bool) -> WriteRequest {
        monitor.withLock { asker = currentThreadToken() }
        let request = environment.writer.request(
            owner: ObjectIdentifier(self), poolOwner: poolOwner, timeout: timeout
        ) { self.deliver(.answer($0, $1.map { .failure($0) } ?? .success(()))) }
        monitor.withLock { asker = 0 }
        pending.ask(request)
        if !isAccepted { request.armFirstPatience() }
        return request
    }

    /// Requests or cancels grants until there is one for each pending write that needs one.
    func balance() {
        // The task that was woken to join the group needs none: its request was absorbed.
        let needed = pending.waiting.count - (state == .restingForTask ? 1 : 0)
        if pending.grants.count < needed {
            while pending.grants.count < needed {
                ask(timeout: core.configuration.writeTimeout, isAccepted: false)
            }
            wakeUpLater()
        }
        // Cancels at once, without waiting for the scheduler.
        while pending.grants.count > needed, let last = pending.removeLastGrant() { last.cancel() }
    }

    /// Uses the group's grant for the next request, too. Returns false if another writer comes
    /// first.
    func absorbNext() -> Bool {
        guard let absorbed = environment.writer.absorbNext(owner: ObjectIdentifier(self)) else {
            return false
        }
        pending.removeGrant(absorbed)
        return true
    }

    /// The grant of the first pending write; nil if it has to wait.
    func acceptForFirst(canFail: Bool) throws(StorageError) -> WriteGrant? {
        while let grant = pending.firstAnswered {
            if case .failure(let error) = grant.answer {
                pending.removeGrant(grant.request)
                if error.code != .writeLockTimeout || canFail { throw error }
                ask(timeout: nil, isAccepted: false)
                wakeUpLater()
                continue
            }
            if let granted = try accept(grant.request, core.writerIdentity()) { return granted }
            stay(for: grant.request)
        }
        return nil
    }

    /// Waits for an offer that was withdrawn more than once, on a pool thread that arrived too
    /// late for it.
    ///
    /// The pool's threads may be waiting for the grant in synchronous writes whenever the offer
    /// is made, and would then always get it first. The wait is limited, because an open
    /// transaction may need a pool thread to end.
    private func stay(for request: WriteRequest) {
        guard let poolOwner, request.withdrawalCount >= Self.mostWithdrawals,
            QueueIdentity.isCurrentTaskPool,
            !environment.waitsForItself()
        else { return }
        let end = ContinuousClock.now + Self.longestStay
        environment.waitingInPool(for: poolOwner) {
            while !pending.hasAnswer, waitForMail(until: end) {}
        }
    }

    /// - Returns: Nil if the offer was withdrawn, and the request waits again.
    private func accept(_ request: WriteRequest, _ identity: WriterIdentity) throws(StorageError)
        -> WriteGrant?
    {
        pending.removeGrant(request)
        guard let grant = try request.accept(as: identity) else {
            pending.askAgain(request)
            return nil
        }
        core.writing.set(grant.base.version)
        return grant
    }

    /// Returns a grant for a synchronous write. There is no group.
    ///
    /// - Returns: Nil if no asynchronous write waits: the caller then uses the ordinary request.
    func grantForCaller(as identity: WriterIdentity) throws(StorageError) -> WriteGrant? {
        readMail()
        if pending.waiting.isEmpty { return nil }
        try environment.checkWaitEnds()
        let own = ask(timeout: core.configuration.writeTimeout, isAccepted: true)
        move(.leave)
        do throws(StorageError) {
            while true {
                readMail()
                if let grant = try acceptAny(own, identity) { return grant }
                if let poolOwner {
                    environment.waitingInPool(for: poolOwner) { _ = waitForMail() }
                } else {
                    waitForMail()
                }
            }
        } catch {
            // Other grants that arrived meanwhile are for the pending writes.
            balance()
            wakeUpLater()
            throw error
        }
    }

    /// Accepts the first acceptable offer. Failures of other requests are left to their writes.
    private func acceptAny(_ own: WriteRequest, _ identity: WriterIdentity) throws(StorageError)
        -> WriteGrant?
    {
        if !pending.hasAnswer { return nil }
        for grant in pending.grants {
            switch grant.answer {
            case .success: if let granted = try accept(grant.request, identity) { return granted }
            case .failure(let error) where grant.request === own:
                pending.removeGrant(own)
                throw error
            case .failure, nil: break
            }
        }
        return nil
    }
}
