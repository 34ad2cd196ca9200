import FreeholdStorage

extension AsyncWrites {
    /// Commits the open transaction in memory; it is written with its group. The realm reads it
    /// from now on.
    func commit(_ id: UInt32, allowGrouping: Bool, _ completion: @escaping Completion) {
        guard let committing = core.suspendWrite() else {
            violation(.commitWithoutTransaction(core))
        }
        if group == nil {
            group = Group(committed: committing, count: 1, isOpen: allowGrouping)
        } else {
            group?.committed = committing
            group?.count += 1
            group?.isOpen = allowGrouping
        }
        group?.completions.append((id, completion))
        noteLiveness()
        if isAbandoned { return abandon() }
        // Inside of an entry's block the loop of `advance` goes on.
        if !isRunningBlock { advance() }
    }

    /// Drops a completion that has not run.
    func removeCompletion(_ id: UInt32) {
        if let index = group?.completions.firstIndex(where: { $0.id == id }) {
            group?.completions[index].call = { _ in }
        }
        // The commit has ended, and the scheduler has not come to its completion.
        if let index = deferred.firstIndex(where: { $0.id == id }) { deferred[index].call = {} }
    }

    func flush() {
        endRest()
        guard let writing = group?.committed.take() else { return }
        core.store.commitAsync(writing) { self.deliver(.flushed($0)) }
    }

    /// The open transaction was cancelled; the turn is the group's again, if it was one's.
    func transactionWasCancelled() {
        // Inside of an entry's block the loop of `advance` goes on. Else the scheduler must
        // come, which may take long.
        if !isRunningBlock { rest() }
        wakeUpLater()
    }

    /// Lets the group wait for the task that was woken, or for the scheduler, for a while.
    func rest() {
        guard let resting = group?.committed.take() else { return }
        group?.resting = RestingGroup(resting, core.store) { self.deliver(.flushed($0)) }
    }

    /// Takes a group back that rests. If it was flushed meanwhile, it is on its way to the disk.
    func endRest() {
        guard let committed = group?.resting?.take() else { return }
        group?.resting = nil
        group?.committed = committed
    }

    func finishFlush(_ result: Result<Snapshot, StorageError>) {
        guard let finished = group else { return }
        group = nil
        core.finishWrite(try? result.get())
        let error: (any Error)? =
            switch result {
            case .success: nil
            case .failure(let error): Realm.Error(error)
            }
        for completion in finished.completions {
            deferred.append((completion.id, { completion.call(error) }))
        }
    }

    /// The committed transaction that a cancelled one went on from.
    var committed: WriteSet? { group?.committed }

    /// Waits until everything that was committed is on the disk, or has failed. Completions run
    /// later.
    func settle() {
        guard group != nil else { return }
        isAwaitingWaiter = false
        isAbsorbed = false
        flush()
        while group != nil { waitForMail() }
        balance()
        wakeUpLater()
    }

    /// Takes over the outcome of the commit that is on its way to the disk, if it has come.
    ///
    /// If others have committed after it, it is over, and only the message is on its way: that
    /// is waited for, some moments, or the realm would stay behind them. Completions run later,
    /// as the work that comes with each piece of mail.
    func takeOutcome() {
        if group?.isFlushing != true { return }
        readMail()
        while group != nil, core.isPendingOvertaken { waitForMail() }
    }

    /// A synchronous commit wrote the group with it.
    func finishGroup(_ result: Result<Snapshot, StorageError>) {
        guard group != nil else { return }
        finishFlush(result)
        wakeUpLater()
    }
}
