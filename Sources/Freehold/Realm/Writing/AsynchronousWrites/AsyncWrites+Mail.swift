import FreeholdStorage

/// Mail: reports from other threads, which the realm reads later.
extension AsyncWrites {
    /// Delivers a report. Any thread.
    func deliver(_ letter: Mail) {
        // The mail holds the written version until the scheduler comes.
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

    /// Discards the mail. If nothing is in flight, it contains at most offers to cancelled
    /// requests. Each such offer leads back to this call.
    func discardMail() { _ = takeMail() }

    func readMail() {
        for letter in takeMail() {
            switch letter {
            case .answer(let request, let answer): pending.answer(request, answer)
            case .outcome(let result): endGroup(.end, result)
            }
        }
    }

    /// Reads the mail and continues. Called on the realm's scheduler as separate work: it runs
    /// the user's blocks and completions.
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
        // A synchronous commit may have ended this one without mail. The task that waits for
        // mail may be waiting for that commit.
        if !ended.isEmpty { monitor.withLock { reader.take() }?.resume(returning: true) }
    }

    /// Lets a task of the realm's actor wait for mail, and read it.
    ///
    /// - Parameter commit: The commit that the task waits for. Once it is over, no mail need
    ///   come.
    /// - Returns: False, at once, if another task already waits, or if no mail will come.
    func readNextMail(until commit: TaskCommit, isolation: isolated (any Actor)?) async -> Bool {
        // All conditions are checked where the task waits: each await suspends a task that
        // prefers an executor, and others may run meanwhile.
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

    /// Blocks until there is mail, and reads it. Returns false if the deadline passes first.
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

    /// Schedules further work on the scheduler.
    func wakeUpLater() {
        // The transaction of a task that ended here may have been the last in flight.
        guard isBusy else { return noteLiveness() }
        if isAbandoned { return abandon() }
        scheduler.run { self.process() }
    }
}
