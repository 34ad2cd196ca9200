extension Environment {
    /// Whether the grant is held by a transaction that cannot end while the caller waits for
    /// it. Nanoseconds if the grant is free.
    package func waitsForItself() -> Bool {
        guard let holder = writeQueue.holder, holder.waitsForCaller else { return false }
        // The holder is confined to where the caller runs, so it cannot have ended in between,
        // unless the first answer was about an earlier holder.
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
            """, path: path)
    }

    /// The error for waiting too long for the grant in this process.
    func queueTimeout(since start: ContinuousClock.Instant) -> StorageError {
        timeout(since: start, writeQueue.holder?.description ?? holderRecord?.description)
    }

    /// The error for waiting too long for other processes.
    func gateTimeout(since start: ContinuousClock.Instant) -> StorageError {
        timeout(since: start, holderRecord?.description ?? "by another process")
    }

    private func timeout(since start: ContinuousClock.Instant, _ holder: String?) -> StorageError {
        StorageError(
            .writeLockTimeout,
            """
            A write of "\(path)" gave up after waiting \
            \(WriteHolder.text(ContinuousClock.now - start)) for the write lock, which is held \
            \(holder ?? "by another writer"). If the holder is stopped, resume or end it; if \
            its transaction is long, allow more time.
            """, path: path)
    }
}

/// The state of a ``WriteQueue`` and its deadlines, for test reports.
package struct WriteQueueState: Sendable, CustomStringConvertible {
    package enum Grant: Sendable { case free, held, reserved, offered }

    package let grant: Grant
    /// The holder of the grant; nil unless it is held.
    package let holder: String?
    /// The number of places in the queue that can still use the grant.
    package let waitingCount: Int
    /// The number of these whose owners are away.
    package let awayCount: Int
    /// Whether the grant is free although a place could use it.
    package let isStuck: Bool
    package let deadlineCount: Int

    package var description: String {
        let holderText = holder.map { " \($0)" } ?? ""
        return "\(grant)\(holderText), \(waitingCount) wait, \(awayCount) of them away, "
            + "\(deadlineCount) deadlines"
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

    /// Calls back after a time, on the timer thread; immediately if the system can start none.
    ///
    /// - Returns: The identifier for ``disarm(_:)``.
    package func arm(after time: Duration, _ call: @escaping @Sendable () -> Void) -> UInt64 {
        deadlines.arm(after: time, path: path, mayBeEarly: true, call)
    }

    package func disarm(_ deadline: UInt64) { deadlines.disarm(deadline) }

    /// For tests: from this call on, only ``passNextDeadline()`` ends offers and waits.
    package func stepDeadlinesByHand() { deadlines.stepByHand() }

    /// For tests: advances to the next deadline. Returns false if there is none.
    package func passNextDeadline() -> Bool { deadlines.fireNext() }
}
