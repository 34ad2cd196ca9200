extension Environment {
    /// Whether the grant is held by a transaction that cannot end while the caller waits for it.
    /// Nanoseconds where nobody has the grant.
    package func waitsForItself() -> Bool {
        guard let holder = writeQueue.holder, holder.waitsForCaller else { return false }
        // Confined to where the caller runs, it cannot have ended since, unless what was asked
        // was an older one.
        return writeQueue.holder.map { $0.since == holder.since } ?? false
    }

    /// Throws `nestedWrite` if waiting for the grant here would keep its holder from ending.
    package func checkWaitEnds() throws(StorageError) {
        guard waitsForItself() else { return }
        throw StorageError(
            .nestedWrite,
            """
            A write of "\(path)" would wait for itself: the write lock is held \
            \(writeQueue.holder?.description ?? "here"). Make the change in that transaction, \
            or end it first.
            """,
            path: path)
    }

    /// The write waited for its grant in this process for too long.
    func queueTimeout(since start: ContinuousClock.Instant) -> StorageError {
        timeout(since: start, writeQueue.holder?.description ?? holderRecord?.description)
    }

    /// The write waited for other processes for too long.
    func gateTimeout(since start: ContinuousClock.Instant) -> StorageError {
        timeout(since: start, holderRecord?.description ?? "by another process")
    }

    private func timeout(since start: ContinuousClock.Instant, _ holder: String?) -> StorageError {
        StorageError(
            .writeLockTimeout,
            """
            A write of "\(path)" gave up after waiting \
            \(WriteHolder.text(ContinuousClock.now - start)) for the write lock, which is held \
            \(holder ?? "by another writer"). If that is stopped, let it go on or end it; if \
            its transaction is long, allow more time.
            """,
            path: path)
    }
}

/// What a ``WriteQueue`` and its deadlines are at, for reports of tests.
package struct WriteQueueState: Sendable, CustomStringConvertible {
    package enum Grant: Sendable { case free, held, reserved, offered }

    package let grant: Grant
    /// Who has the grant, where it is held.
    package let holder: String?
    /// How many places of the queue can use the grant, in the end.
    package let waitingCount: Int
    /// Of these, those whose owners are away.
    package let awayCount: Int
    /// Whether the grant is free and a place could use it now.
    package let isStuck: Bool
    package let deadlineCount: Int

    package var description: String {
        "\(grant)\(holder.map { " \($0)" } ?? ""), \(waitingCount) wait, \(awayCount) of them away, \(deadlineCount) deadlines"
    }
}

extension Environment {
    package var writeQueueState: WriteQueueState {
        let deadlineCount = deadlines.count
        return writeQueue.monitor.withLock {
            let (grant, holder): (WriteQueueState.Grant, String?) =
                switch writeQueue.grant {
                case .free: (.free, nil)
                case .held(let holder): (.held, holder.description)
                case .reserved: (.reserved, nil)
                case .offered: (.offered, nil)
                }
            return WriteQueueState(
                grant: grant, holder: holder, waitingCount: writeQueue.places.count,
                awayCount: writeQueue.places.count { $0.state == .away },
                isStuck: grant == .free && writeQueue.indexOfNext() != nil,
                deadlineCount: deadlineCount)
        }
    }

    /// Calls back after a time, on the timer thread; where the system gives none, at once.
    ///
    /// - Returns: For ``disarm(_:)``.
    package func arm(after time: Duration, _ call: @escaping @Sendable () -> Void) -> UInt64 {
        deadlines.arm(after: time, path: path, mayBeEarly: true, call)
    }

    package func disarm(_ deadline: UInt64) { deadlines.disarm(deadline) }

    /// For tests: from now on offers and waits end by ``passNextDeadline()`` only.
    package func stepDeadlinesByHand() { deadlines.stepByHand() }

    /// For tests: lets the time of the next deadline come. False if there is none.
    package func passNextDeadline() -> Bool { deadlines.fireNext() }
}
