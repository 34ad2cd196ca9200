import Dispatch
import Foundation
import Freehold
import FreeholdStorage

/// The end of a shared realm.
extension SharingAgent {
    static let closed = SharingError(
        .closed, "The shared realm was closed.", remedy: "Open it again.")

    /// Makes ``run()`` end.
    ///
    /// - Parameter patience: How long the call that is under way may take, and the snapshot of an
    ///   epoch that this client began. A call without an answer is cancelled then.
    func close(patience: Duration = .seconds(5)) {
        let seconds = max(0, patience.seconds)
        let time = now + seconds
        queue.async { [self] in
            closingTime = min(time, closingTime ?? time)
            wakeUp.wake()
        }
        // A timer cannot have longer times than some 300 years.
        DispatchQueue.global().asyncAfter(deadline: .now() + min(seconds, 1e9)) { [weak self] in
            self?.cancelWork()
        }
    }

    private func cancelWork() {
        let task = work.withLock { work in
            work.isCancelled = true
            return work.task
        }
        task?.cancel()
    }

    /// The next step on the way to the snapshot of an epoch that this client began: others wait
    /// for it. Nil if there is nothing to do, or no time.
    func stepWhileClosing() throws -> SharingStep? {
        guard let core, let closingTime, core.epochCall != nil, now < closingTime else {
            return nil
        }
        let step = try core.next(at: now)
        deliver()
        return switch step {
        case .call: step
        case .sleep(let time): .sleep(until: min(time, closingTime))
        case .runBlock, .idle: nil
        }
    }

    func end() {
        // Those whose commits may be in the log have an unknown outcome.
        for id in writes.keys { core?.cancel(id) }
        deliver()
        for write in writes.values { write.end(.failure(Self.closed)) }
        failWaiting(Self.closed)
        writes = [:]
        show()
        deadlineTimer?.cancel()
        (commits, core, realm, lock, deadlineTimer) = (nil, nil, nil, nil, nil)
        let (listeners, waiters) = shown.withLock { shown in
            defer {
                (shown.listeners, shown.rejectionWaiters) = ([:], [:])
                shown.isOver = true
            }
            return (Array(shown.listeners.values), Array(shown.rejectionWaiters.values))
        }
        for listener in listeners { listener.finish() }
        for waiter in waiters { waiter.finish() }
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
