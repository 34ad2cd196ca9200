import FreeholdStorage

/// Wakes one task, which may not be waiting yet.
final class WakeUp: Sendable {
    private let state = Locked(State())

    private struct State {
        var isSet = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    func wake() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { state.waiting = nil }
            if state.waiting == nil { state.isSet = true }
            return state.waiting
        }
        waiting?.resume()
    }

    /// Returns after the next ``wake()``, or at once if there was one since the last wait.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isSet = state.withLock { state -> Bool in
                if state.isSet {
                    state.isSet = false
                    return true
                }
                state.waiting = continuation
                return false
            }
            if isSet { continuation.resume() }
        }
    }

    /// Returns after the next ``wake()``, and at the latest after a time.
    func wait(seconds: Double) async {
        let timer = Task {
            try? await Task.sleep(for: .seconds(seconds))
            if !Task.isCancelled { self.wake() }
        }
        await wait()
        timer.cancel()
    }
}
