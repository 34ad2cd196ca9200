import FreeholdStorage

/// What the realm and its user call. On the realm's thread, queue or actor.
extension AsyncWrites {
    // MARK: Pending writes

    func enqueue(_ write: PendingWrites.Write) {
        pending.append(write)
        // First: the answer may come at once, and needs a scheduler that expects it.
        noteLiveness()
        if isAbandoned { return abandon() }
        let isTask = if case .task = write.stage { true } else { false }
        // A task with nothing in front of it goes on now, with no code of the program's in
        // between: its offer needs no end.
        ask(
            timeout: write.canFail ? core.configuration.writeTimeout : nil,
            isAccepted: isTask && pending.writes.count == 1)
        guard hasMail else { return }
        // Blocks run as work of the scheduler's, never inside of the call that asks for them.
        if isTask { process() } else { wakeUpLater() }
    }

    /// Takes a write out that has not begun. Returns false if it is not there.
    @discardableResult
    func remove(_ id: UInt32) -> Bool {
        guard let wasFirst = pending.remove(id) else { return false }
        if wasFirst { move(.leave) }
        balance()
        if state.hasGroup || pending.hasAnswer { wakeUpLater() }
        noteLiveness()
        return true
    }

    /// Lets the first pending write begin, its task be woken: with its own grant, or in the group.
    ///
    /// - Returns: False if it has to wait.
    func runFirst() -> Bool {
        guard let first = pending.first else { return false }
        guard case .block(let block, let onFailure, let canFail) = first.stage else {
            return carryOut(move(.wake))
        }
        do throws(StorageError) {
            defer { isRunningBlock = false }
            guard try openFirst(canFail: canFail, willOpen: { isRunningBlock = true }) else {
                return false
            }
            core.runningBlock(block)
            if state.isOpen { core.cancelWrite() }
        } catch {
            if pending.first?.id == first.id { pending.removeFirst() }
            isRunningBlock = true
            defer { isRunningBlock = false }
            onFailure(Realm.Error(error))
        }
        return true
    }

    /// Begins the write of a task, which was woken.
    ///
    /// - Returns: False if there is no grant for it any more: the task waits again.
    func begin(_ id: UInt32) throws(StorageError) -> Bool {
        guard pending.first?.id == id else { return false }
        let action = move(.come)
        if action == .nothing { return false }
        if action == .takeBack {
            carryOut(action)
            if hasWaitingObservers { flush() }
            // The group that was to be joined is flushed without this task.
            if state == .flushing {
                balance()
                return false
            }
        }
        do throws(StorageError) {
            return try openFirst(canFail: true, willOpen: { isRunningTask = true })
        } catch {
            if pending.first?.id == id { pending.removeFirst() }
            isRunningTask = false
            wakeUpLater()
            throw error
        }
    }

    /// Takes the first pending write out, and opens its transaction: in the group, or with a
    /// grant of its own.
    ///
    /// - Returns: False if it has to wait.
    private func openFirst(canFail: Bool, willOpen: () -> Void) throws(StorageError) -> Bool {
        if state == .committed {
            pending.removeFirst()
            willOpen()
            core.resumeWrite()
            return true
        }
        guard let grant = try acceptForFirst(canFail: canFail) else { return false }
        pending.removeFirst()
        willOpen()
        try core.beginWrite(with: grant, evenIfDamaged: !canFail)
        return true
    }

    // MARK: Transactions

    /// Commits the open transaction in memory; it is written with its group. The realm reads it
    /// from now on.
    func commit(
        _ id: UInt32, allowGrouping: Bool, _ completion: @escaping PendingWrites.Completion
    ) {
        let action = move(.commit)
        committed = core.suspendWrite()
        allowsGrouping = allowGrouping
        pending.commit(id, completion)
        noteLiveness()
        let isInBlock = isRunningBlock
        isRunningBlock = true
        core.callRealmObservers(.didChange)
        isRunningBlock = isInBlock
        if isAbandoned { return abandon() }
        // In a block, the loop of `advance` goes on behind it.
        if !isRunningBlock { carryOut(action) }
    }

    /// The open transaction was cancelled; the grant is the group's again, if it was one's.
    func transactionWasCancelled() {
        carryOut(move(isRunningBlock ? .cancelInBlock : .cancel))
        wakeUpLater()
    }

    /// The group ended, by a commit of its own or by a synchronous one (`write`).
    func endGroup(_ event: WriteState.Event, _ result: Result<Snapshot, StorageError>) {
        let action = move(event)
        (committed, rest) = (nil, nil)
        let (written, error): (Snapshot?, (any Error)?) =
            switch result {
            case .success(let snapshot): (snapshot, nil)
            case .failure(let error): (nil, Realm.Error(error))
            }
        pending.end(error)
        core.finishWrite(written)
        carryOut(action)
    }

    /// Waits until everything that was committed is on the disk, or has failed. Completions run
    /// later.
    func settle() {
        guard state.hasGroup else { return }
        flush()
        while state.hasGroup { waitForMail() }
        balance()
        wakeUpLater()
    }

    /// Takes over the outcome of the commit that is on its way to the disk, if it has come.
    ///
    /// If others have committed after it, it is over, and only the message is on its way: that
    /// is waited for, some moments, or the realm would stay behind them. Completions run later,
    /// as the work that comes with each piece of mail.
    func takeOutcome() {
        guard state == .flushing || rest?.isFlushed == true else { return }
        readMail()
        while state.hasGroup, core.isPendingOvertaken { waitForMail() }
    }

    // MARK: Ends

    /// Drops everything that has not begun.
    func cancelAll() {
        for write in pending.removeWaiting() {
            if case .task(let waiter) = write.stage { waiter.cancel() }
        }
        move(.leave)
        balance()
        flush()
        noteLiveness()
    }

    /// There will be no later: what is on its way to the disk is waited for, and the rest is
    /// cancelled.
    func abandon() {
        guard let alive = keptAlive, !state.isOpen else { return }
        let abandoned = pending.waiting
        cancelAll()
        settle()
        runCompletions()
        for write in abandoned {
            if case .block(_, let onFailure, _) = write.stage { onFailure(CancellationError()) }
        }
        noteLiveness()
        withExtendedLifetime(alive) {}
    }
}
