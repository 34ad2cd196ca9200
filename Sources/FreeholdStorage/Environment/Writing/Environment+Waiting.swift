extension Environment {
    /// Whether the turn is held by a transaction that cannot end while the caller waits for it.
    /// Nanoseconds where nobody has the turn.
    package func waitsForItself() -> Bool {
        guard let holder = writeQueue.holder, holder.waitsForCaller else { return false }
        // Confined to where the caller runs, it cannot have ended since, unless what was asked
        // was an older one.
        return writeQueue.holder.map { $0.since == holder.since } ?? false
    }

    var nestedWriteError: StorageError {
        StorageError(
            .nestedWrite,
            """
            A write of "\(path)" would wait for itself: the write lock is held \
            \(writeQueue.holder?.description ?? "here"). 
            """
                + "Make the change in that transaction, or end it first.",
            path: path)
    }

    /// The write waited for its turn in this process for too long.
    func turnTimeout(since start: ContinuousClock.Instant) -> StorageError {
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
            \(WriteHolder.text(ContinuousClock.now - start)) for the write lock, which is \
            held 
            """
                + """
                \(holder ?? "by another writer"). If that is stopped, let it go on or end \
                it; if its transaction is long, allow more time.
                """,
            path: path)
    }
}

/// What a ``WriteQueue`` and its deadlines are at, for reports of tests.
package struct WriteQueueState: Sendable, CustomStringConvertible {
    package enum Turn: Sendable { case free, held, reserved, offered }

    package let turn: Turn
    /// Who has the turn, where it is held.
    package let holder: String?
    /// How many places of the line can use the turn, in the end.
    package let waitingCount: Int
    /// Of these, those whose owners are away.
    package let awayCount: Int
    /// Whether the turn is free and a place could use it now.
    package let isStuck: Bool
    package let deadlineCount: Int

    package var description: String {
        "\(turn)\(holder.map { " \($0)" } ?? ""), \(waitingCount) wait, \(awayCount) of them away, \(deadlineCount) deadlines"
    }
}

extension Environment {
    package var writeQueueState: WriteQueueState {
        let deadlineCount = deadlines.count
        return writeQueue.monitor.withLock {
            let (turn, holder): (WriteQueueState.Turn, String?) =
                switch writeQueue.turn {
                case .free: (.free, nil)
                case .held(let holder): (.held, holder.description)
                case .reserved: (.reserved, nil)
                case .offered: (.offered, nil)
                }
            return WriteQueueState(
                turn: turn, holder: holder, waitingCount: writeQueue.line.count,
                awayCount: writeQueue.line.count { $0.state == .away },
                isStuck: turn == .free && writeQueue.indexOfNext() != nil,
                deadlineCount: deadlineCount)
        }
    }

    /// For tests: from now on offers and waits end by ``passNextDeadline()`` only.
    package func stepDeadlinesByHand() { deadlines.stepByHand() }

    /// For tests: lets the time of the next deadline come. False if there is none.
    package func passNextDeadline() -> Bool { deadlines.fireNext() }
}
