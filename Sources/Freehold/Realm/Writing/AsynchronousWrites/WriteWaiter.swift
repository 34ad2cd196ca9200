import FreeholdStorage

/// Lets a task wait until it can begin its write.
final class WriteWaiter: Sendable {
    private enum State {
        /// The task is not waiting.
        case idle
        case waiting(CheckedContinuation<Void, any Error>)
        /// Woken before the task waited.
        case woken
        case cancelled
    }

    private let state = Locked<State>(.idle)

    /// Waits for ``wake()``.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    func wait(isolation: isolated (any Actor)? = #isolation) async throws {
        if takeWake() { return }
        try await withTaskCancellationHandler {
            // Refers to the actor so that the closure belongs to it: otherwise the task would
            // leave the actor, and return through the pool.
            _ = isolation
            try await withCheckedThrowingContinuation(isolation: isolation) { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    switch state {
                    case .idle, .waiting:
                        state = .waiting(continuation)
                        return nil
                    case .woken:
                        state = .idle
                        return .success(())
                    case .cancelled: return .failure(CancellationError())
                    }
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Whether the waiter was woken before the task waited: the usual case, which needs no
    /// continuation.
    func takeWake() -> Bool {
        state.withLock { state in
            guard case .woken = state else { return false }
            state = .idle
            return true
        }
    }

    /// Wakes the task. Any thread.
    func wake() { end(in: .idle, else: .woken, .success(())) }

    /// Makes the current wait and every later one fail. Any thread.
    func cancel() { end(in: .cancelled, else: .cancelled, .failure(CancellationError())) }

    private func end(in next: State, else idle: State, _ outcome: Result<Void, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            switch state {
            case .waiting(let continuation):
                state = next
                return continuation
            case .idle, .woken:
                state = idle
                return nil
            case .cancelled: return nil
            }
        }
        continuation?.resume(with: outcome)
    }
}
