import FreeholdStorage

/// What other threads report, and when the realm reads it.
extension AsyncWrites {
    /// Any thread.
    func deliver(_ letter: Mail) {
        // What was written lies in the mail until the scheduler comes, and is held there.
        if case .outcome(.success(let snapshot)) = letter { core.writing.set(snapshot.version) }
        let (isExpected, woken) = monitor.withLock {
            mail.append(letter)
            monitor.wakeAll()
            let isExpected = asker == currentThreadToken()
            return (isExpected, isExpected ? nil : reader.take())
        }
        if isExpected { return }
        if let woken { woken.resume(returning: true) } else { scheduler.run { self.process() } }
    }

    var hasMail: Bool { monitor.withLock { !mail.isEmpty } }

    private func takeMail() -> [Mail] {
        monitor.withLock {
            defer { mail = [] }
            return mail
        }
    }

    /// Where nothing is in flight, the mail has at most offers to requests that were cancelled.
    /// Each leads back to this.
    func discardMail() { _ = takeMail() }

    func readMail() {
        for letter in takeMail() {
            switch letter {
            case .answer(let request, let answer): pending.answer(request, answer)
            case .outcome(let result): endGroup(.end, result)
            }
        }
    }

    /// Reads the mail and goes on. On the realm's scheduler, as work of its own: it runs the
    /// users' blocks and completions.
    func process() {
        // Nothing is in flight: an earlier call did everything, and the realm may be gone.
        guard let alive = keptAlive else { return discardMail() }
        readMail()
        runCompletions()
        balance()
        advance()
        noteLiveness()
        withExtendedLifetime(alive) {}
    }

    func runCompletions() {
        let ended = pending.removeEnded()
        for write in ended { if case .ended(let call, let error) = write.stage { call(error) } }
        // A commit may have ended without mail, with a synchronous one: the task that waits for
        // mail may be the one that waited for it.
        if !ended.isEmpty { monitor.withLock { reader.take() }?.resume(returning: true) }
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

    /// Waits for mail and reads it, as a synchronous call must. False if the time is over first.
    @discardableResult
    func waitForMail(until end: ContinuousClock.Instant? = nil) -> Bool {
        let hasMail = monitor.withLock {
            if let end {
                while mail.isEmpty, monitor.wait(for: end - .now) {}
            } else {
                while mail.isEmpty { monitor.wait() }
            }
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
}
