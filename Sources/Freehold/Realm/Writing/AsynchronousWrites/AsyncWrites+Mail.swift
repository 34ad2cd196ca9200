import FreeholdStorage

extension AsyncWrites {
    /// Any thread.
    func deliver(_ event: Event) {
        // What was written lies in the mail until the scheduler comes, and is held there.
        if case .flushed(.success(let snapshot)) = event { core.writing.set(snapshot.version) }
        let (isExpected, woken) = monitor.withLock {
            mail.append(event)
            monitor.wakeAll()
            let isExpected = asker == currentThreadToken()
            return (isExpected, isExpected ? nil : reader.take())
        }
        if isExpected { return }
        if let woken { woken.resume(returning: true) } else { scheduler.run { self.process() } }
    }

    var hasMail: Bool { monitor.withLock { !mail.isEmpty } }

    private func takeMail() -> [Event] {
        monitor.withLock {
            let taken = mail
            mail = []
            return taken
        }
    }

    /// Reads the mail and goes on. On the realm's scheduler, as work of its own: it runs the
    /// users' blocks and completions.
    func process() {
        // Nothing is in flight: an earlier call did everything, and the realm may be gone.
        guard let alive = keptAlive else { return discardMail() }
        readMail()
        runDeferred()
        // A group may have been flushed without the task that was to join it.
        balance()
        advance()
        noteLiveness()
        withExtendedLifetime(alive) {}
    }

    /// Reads what turns are in the mail, and leaves the rest there.
    func readTurns() {
        let answers = monitor.withLock {
            let answers = mail
            mail.removeAll { if case .turn = $0 { true } else { false } }
            return answers
        }
        for case .turn(let request, let error) in answers { noteAnswer(request, error) }
    }

    /// Where nothing is in flight, the mail has at most offers to requests that were cancelled.
    /// Each leads back to this.
    func discardMail() { _ = takeMail() }

    func readMail() {
        for event in takeMail() {
            switch event {
            case .turn(let request, let error): noteAnswer(request, error)
            case .flushed(let result): finishFlush(result)
            }
        }
    }

    private func noteAnswer(_ request: WriteRequest, _ error: StorageError?) {
        // Else it was cancelled.
        guard let index = requests.firstIndex(where: { $0 === request }) else { return }
        requests.remove(at: index)
        turns.append(Turn(request: request, error: error))
    }

    private func runDeferred() {
        let calls = deferred
        deferred = []
        for completion in calls { completion.call() }
        // A commit may have ended without mail, with a synchronous one: the task that waits for
        // mail may be the one that waited for it.
        if !calls.isEmpty { monitor.withLock { reader.take() }?.resume(returning: true) }
    }

    /// Lets a task of the realm's actor wait for mail, and read it.
    ///
    /// - Parameter commit: What the task waits for: once that is over, no mail need come.
    /// - Returns: False, at once, if another task does so, or if no mail will come.
    func readNextMail(until commit: TaskCommit, isolation: isolated (any Actor)?) async -> Bool {
        // All is asked where the task waits: each await suspends one that prefers an executor,
        // and others may go on meanwhile.
        let reads = await withCheckedContinuation { continuation in
            let isEnd = keptAlive == nil || commit.isOver
            let answer: Bool? = monitor.withLock {
                if isEnd || reader != nil { return false }
                if !mail.isEmpty { return true }
                reader = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
        if reads { process() }
        return reads
    }

    /// Waits for mail, as a synchronous call must.
    func waitForMail() {
        monitor.withLock {
            while mail.isEmpty { monitor.wait() }
        }
        readMail()
    }

    /// As ``waitForMail()``, for a time at most. False if it has passed.
    func waitForMail(for duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        let hasMail = monitor.withLock {
            while mail.isEmpty, monitor.wait(for: end - .now) {}
            return !mail.isEmpty
        }
        readMail()
        return hasMail
    }

    /// Goes on later, as work of the scheduler's.
    func wakeUpLater() {
        // A task's transaction that ended here may have been the last that was in flight.
        guard isBusy else { return noteLiveness() }
        if isAbandoned { return abandon() }
        scheduler.run { self.process() }
    }

    /// There will be no later: what is on its way to the disk is waited for, and the rest is
    /// cancelled.
    func abandon() {
        guard let alive = keptAlive, core.writeSet == nil else { return }
        let abandoned = entries
        cancelAll()
        settle()
        runDeferred()
        for entry in abandoned {
            if case .block(_, let onFailure) = entry.work { onFailure(CancellationError()) }
        }
        noteLiveness()
        withExtendedLifetime(alive) {}
    }
}
