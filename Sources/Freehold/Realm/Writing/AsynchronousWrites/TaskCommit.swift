/// A commit that a task waits for. Confined to the task's actor, on which the realm's
/// completions run.
final class TaskCommit {
    private(set) var result: Result<Void, any Error>?
    private var continuation: CheckedContinuation<Void, Never>?

    var isOver: Bool { result != nil }

    /// Completes the commit.
    func end(_ error: (any Error)?) {
        result = error.map { .failure($0) } ?? .success(())
        continuation.take()?.resume()
    }

    /// Waits for another call of ``end(_:)``.
    func wait(isolation: isolated (any Actor)?) async {
        if isOver { return }
        await withCheckedContinuation {
            // A task that prefers an executor may have been suspended in between.
            if isOver { $0.resume() } else { continuation = $0 }
        }
    }
}
