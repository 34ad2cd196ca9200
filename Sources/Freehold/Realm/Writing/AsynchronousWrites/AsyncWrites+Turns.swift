import FreeholdStorage

extension AsyncWrites {
    func enqueue(_ entry: Entry) {
        entries.append(entry)
        // First: the answer may come at once, and needs a scheduler that expects it.
        noteLiveness()
        if isAbandoned { return abandon() }
        // A task that is the only entry goes on now, with nothing of the program's in between:
        // its offer needs no end.
        let goesOn =
            if case .waiter = entry.work {
                entries.count == 1 && group == nil && deferred.isEmpty
            } else { false }
        requestTurn(
            timeout: entry.canFail ? core.configuration.writeTimeout : nil, isAccepted: goesOn)
        guard hasMail else { return }
        switch entry.work {
        case .waiter: process()
        // Blocks run as work of the scheduler's, never inside of the call that asks for them.
        case .block: wakeUpLater()
        }
    }

    /// - Parameter isAccepted: Whether the caller accepts an offer that is made at once before
    ///   it returns to the program.
    @discardableResult
    private func requestTurn(timeout: Duration?, isAccepted: Bool) -> WriteRequest {
        monitor.withLock { asker = currentThreadToken() }
        let request = core.store.requestWrite(
            owner: ObjectIdentifier(self), poolOwner: poolOwner, timeout: timeout
        ) {
            self.deliver(.turn($0, $1))
        }
        monitor.withLock { asker = 0 }
        requests.append(request)
        if !isAccepted { request.armFirstPatience() }
        return request
    }

    /// Takes an entry out that has not begun. Returns false if it is not there.
    @discardableResult
    func remove(_ id: UInt32) -> Bool {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return false }
        entries.remove(at: index)
        if index == 0 { stopAwaiting() }
        balance()
        if group != nil || !turns.isEmpty { wakeUpLater() }
        noteLiveness()
        return true
    }

    private func stopAwaiting() {
        isAwaitingWaiter = false
        isAbsorbed = false
    }

    /// Makes the turns that were asked for or are there as many as the entries that need one.
    func balance() {
        // The entry that was told to go on in the group needs none: its request was absorbed.
        let joins = isAbsorbed && group.map { !$0.isFlushing } ?? false
        let needed = entries.count - (joins ? 1 : 0)
        if turns.count + requests.count < needed {
            while turns.count + requests.count < needed {
                requestTurn(timeout: core.configuration.writeTimeout, isAccepted: false)
            }
            wakeUpLater()
        }
        while turns.count + requests.count > needed, let last = requests.popLast() { last.cancel() }
        // Now, and not when the scheduler comes.
        while turns.count > needed, let last = turns.popLast() { last.request.cancel() }
    }

    /// Lets whoever is next run, until somebody has to be waited for.
    func advance() {
        while core.writeSet == nil, !isRunningBlock {
            if group != nil {
                if isAwaitingWaiter { return }
                endRest()
                guard let group, !group.isFlushing else { return }
                let mayJoin =
                    group.isOpen && group.count < Self.largestGroup && !hasWaitingObservers
                guard mayJoin, let next = entries.first, absorbNext() else { return flush() }
                isAbsorbed = true
                if !run(next) { return }
            } else if let entry = entries.first {
                if isAwaitingWaiter || turns.isEmpty { return }
                if !run(entry) { return }
            } else {
                return returnTurns()
            }
        }
    }

    /// Lets the turn that the group has stand for the next request.
    private func absorbNext() -> Bool {
        guard let absorbed = core.store.absorbNextRequest(owner: ObjectIdentifier(self)) else {
            return false
        }
        requests.removeAll { $0 === absorbed }
        turns.removeAll { $0.request === absorbed }
        return true
    }

    /// Whether an observer was added behind the group's transactions. It is told of what they
    /// left as soon as that is on the disk, and then of what the next one changes: so that does
    /// not join them.
    private var hasWaitingObservers: Bool {
        group != nil && core.listener?.hasWaitingObservers == true
    }

    private func returnTurns() {
        for turn in turns { turn.request.cancel() }
        turns = []
    }

    /// - Returns: False if the entry has to wait again.
    private func run(_ entry: Entry) -> Bool {
        switch entry.work {
        case .waiter(let waiter):
            isAwaitingWaiter = true
            if group != nil { rest() }
            waiter.wake()
            return true
        case .block(let block, let onFailure):
            do throws(StorageError) {
                guard let opening = try takeTurnOfEntry() else { return false }
                entries.removeFirst()
                isAbsorbed = false
                isRunningBlock = true
                defer { isRunningBlock = false }
                if case .with(let ticket) = opening, !entry.canFail {
                    try core.beginWriteEvenIfDamaged(with: ticket)
                } else {
                    try open(opening)
                }
                core.runningBlock(block)
                if core.writeSet != nil { core.cancelWrite() }
            } catch {
                if entries.first?.id == entry.id { entries.removeFirst() }
                isRunningBlock = true
                defer { isRunningBlock = false }
                onFailure(Realm.Error(error))
            }
            return true
        }
    }

    /// How the first entry's transaction begins.
    enum Opening {
        case inGroup
        case with(WriteTicket)
    }

    /// - Returns: Nil if the entry has to wait for its turn again.
    func takeTurnOfEntry() throws(StorageError) -> Opening? {
        if group != nil { return .inGroup }
        guard let entry = entries.first else { return nil }
        while !turns.isEmpty {
            let turn = turns.removeFirst()
            if let error = turn.error {
                if error.code != .writeLockTimeout || entry.canFail { throw error }
                requestTurn(timeout: nil, isAccepted: false)
                wakeUpLater()
                continue
            }
            if let ticket = try accept(turn.request, core.writerIdentity()) { return .with(ticket) }
            stay(for: turn.request)
        }
        return nil
    }

    /// Waits for a turn that was withdrawn more than once, on the thread of the pool that came
    /// by in vain.
    ///
    /// Whenever the turn comes, the pool's threads may wait for it in synchronous writes: those
    /// would have it for ever. For a while only: a transaction may be open that needs a thread
    /// of the pool to end.
    private func stay(for request: WriteRequest) {
        guard let poolOwner, request.withdrawalCount >= Self.mostWithdrawals,
            QueueIdentity.isCurrentTaskPool,
            !core.store.waitsForItself
        else { return }
        let end = ContinuousClock.now + Self.longestStay
        core.store.waitingInPool(for: poolOwner) {
            while turns.isEmpty, waitForMail(for: end - .now) {}
        }
    }

    /// - Returns: Nil if the offer was withdrawn, and the request waits again.
    private func accept(_ request: WriteRequest, _ identity: WriterIdentity) throws(StorageError)
        -> WriteTicket?
    {
        guard let ticket = try request.accept(as: identity) else {
            requests.insert(request, at: 0)
            return nil
        }
        core.writing.set(ticket.base.version)
        return ticket
    }

    func open(_ opening: Opening) throws(StorageError) {
        switch opening {
        case .inGroup: core.resumeWrite()
        case .with(let ticket): try core.beginWrite(with: ticket)
        }
    }

    /// A turn for a synchronous write, where asynchronous ones wait. Nil: nobody waits, ask in
    /// the ordinary way.
    func takeTurn(as identity: WriterIdentity) throws(StorageError) -> WriteTicket? {
        readMail()
        let own: WriteRequest?
        if entries.isEmpty {
            // A turn that came for a write that was cancelled is this one's: requesting again
            // would queue behind our own and deadlock.
            if turns.isEmpty, requests.isEmpty { return nil }
            own = requests.last ?? turns.last?.request
        } else {
            try core.store.checkWaitEnds()
            own = requestTurn(timeout: core.configuration.writeTimeout, isAccepted: true)
        }
        stopAwaiting()
        do throws(StorageError) {
            while true {
                readMail()
                if let ticket = try acceptAny(own, identity) { return ticket }
                if let poolOwner {
                    core.store.waitingInPool(for: poolOwner) { waitForMail() }
                } else {
                    waitForMail()
                }
            }
        } catch {
            // What else came meanwhile is for the entries.
            balance()
            wakeUpLater()
            throw error
        }
    }

    /// The first of the turns that can be used. Failures of others are theirs.
    private func acceptAny(_ own: WriteRequest?, _ identity: WriterIdentity) throws(StorageError)
        -> WriteTicket?
    {
        for turn in turns {
            if let error = turn.error {
                guard turn.request === own else { continue }
                turns.removeAll { $0.request === own }
                throw error
            }
            turns.removeAll { $0.request === turn.request }
            if let ticket = try accept(turn.request, identity) { return ticket }
        }
        return nil
    }

    /// Drops everything that has not begun.
    func cancelAll() {
        for entry in entries {
            if case .waiter(let waiter) = entry.work { waiter.cancel() }
        }
        entries = []
        stopAwaiting()
        // A turn that lies in the mail is given back now: the scheduler may never come to it.
        readTurns()
        balance()
        returnTurns()
        if let group, !group.isFlushing { flush() }
        noteLiveness()
    }
}

// MARK: - Tasks

extension AsyncWrites {
    /// Begins the write of a task, which was told that it may.
    ///
    /// - Returns: False if there is no turn for it any more: the task waits again.
    func begin(_ id: UInt32) throws(StorageError) -> Bool {
        guard isAwaitingWaiter, entries.first?.id == id, core.writeSet == nil else { return false }
        defer { stopAwaiting() }
        endRest()
        if let group, !group.isFlushing, hasWaitingObservers { flush() }
        if group?.isFlushing == true {
            // The group that was to be joined was flushed without this task.
            balance()
            return false
        }
        do throws(StorageError) {
            guard let opening = try takeTurnOfEntry() else { return false }
            entries.removeFirst()
            isRunningTask = true
            try open(opening)
            return true
        } catch {
            if entries.first?.id == id { entries.removeFirst() }
            isRunningTask = false
            stopAwaiting()
            wakeUpLater()
            throw error
        }
    }
}
