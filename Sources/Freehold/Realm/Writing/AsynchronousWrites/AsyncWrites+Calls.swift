import FreeholdStorage

/// Calls from the realm and from its user. On the realm's thread, queue or actor.
extension AsyncWrites {
    // MARK: Pending writes

    func enqueue(_ write: PendingWrites.Write) {
        pending.append(write)
        // First: the answer may come at once, and needs a scheduler that expects it.
        noteLiveness()
        if isAbandoned { return abandon() }
        let isTask = if case .task = write.stage { true } else { false }
        // A task with no write in front of it continues at once, without program code in
        // between, so its offer needs no time limit.
        ask(
            timeout: write.canFail ? core.configuration.writeTimeout : nil,
            isAccepted: isTask && pending.writes.count == 1)
        guard hasMail else { return }
        // Blocks run as the scheduler's work, never inside the call that requests them.
        if isTask { process() } else { wakeUpLater() }
    }

    /// Removes a write that has not begun. Returns false if there is none with this id.
    @discardableResult
    func remove(_ id: UInt32) -> Bool {
        guard let wasFirst = pending.remove(id) else { return false }
        if wasFirst { move(.leave) }
        balance()
        if state.hasGroup || pending.hasAnswer { wakeUpLater() }
        noteLiveness()
        return true
    }

    /// Lets the first pending write begin, or wakes its task: with its own grant, or in the
    /// group.
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

    /// Begins the write of a task that was woken.
    ///
    /// - Returns: False if its grant is gone: the task waits again.
    func begin(_ id: UInt32) throws(StorageError) -> Bool {
        guard pending.first?.id == id else { return false }
        let action = move(.come)
        if action == .nothing { return false }
        if action == .takeBack {
            carryOut(action)
            if hasWaitingObservers { flush() }
            // The group that the task was to join is flushed without it.
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
        let author = pending.first?.author
        if state == .committed {
            pending.removeFirst()
            willOpen()
            core.resumeWrite()
            core.setAuthor(author)
            return true
        }
        guard let grant = try acceptForFirst(canFail: canFail) else { return false }
        pending.removeFirst()
        willOpen()
        try core.beginWrite(with: grant, evenIfDamaged: !canFail)
        core.setAuthor(author)
        return true
    }

    // MARK: Transactions

    /// Commits the open transaction in memory; its group is written later. The realm reads the
    /// changes at once.
    func commit(
        _ id: UInt32, allowGrouping: Bool, _ completion: @escaping PendingWrites.Completion
    ) {
        let action = move(.commit)
        committed = core.suspendWrite()
        groupAuthor = committed?.author
        allowsGrouping = allowGrouping
        pending.commit(id, completion)
        noteLiveness()
        let isInBlock = isRunningBlock
        isRunningBlock = true
        core.callRealmObservers(.didChange)
        isRunningBlock = isInBlock
        if isAbandoned { return abandon() }
        // In a block, the loop of `advance` continues after the block.
        if !isRunningBlock { carryOut(action) }
    }

    /// Called when the open transaction was cancelled. If it had joined a group, the group keeps
    /// the grant.
    func transactionWasCancelled() {
        carryOut(move(isRunningBlock ? .cancelInBlock : .cancel))
        wakeUpLater()
    }

    /// Ends the group, after its own commit or a synchronous one (`write`).
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

    /// Applies the outcome of the commit that is being written to the disk, if it has arrived.
    ///
    /// If others have committed after it, the commit is complete and only its message is
    /// pending. This waits some moments for that message; otherwise the realm would stay behind
    /// the other commits. Completions run later, with the scheduler's work for each piece of
    /// mail.
    func takeOutcome() {
        guard state == .flushing || rest?.isFlushed == true else { return }
        readMail()
        while state.hasGroup, core.isPendingOvertaken { waitForMail() }
    }

    // MARK: Ends

    /// Cancels all writes that have not begun.
    func cancelAll() {
        for write in pending.removeWaiting() {
            if case .task(let waiter) = write.stage { waiter.cancel() }
        }
        move(.leave)
        balance()
        flush()
        noteLiveness()
    }

    /// Ends all work, because the actor will run nothing more: waits for what is being written
    /// to the disk, and cancels the rest.
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
