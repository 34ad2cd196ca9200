import FreeholdStorage

/// Where one task waits for what others leave for it; the newest stays.
final class ChangeMailbox<Content>: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`; what is left here is for the task,
    // which uses it on its realm's actor.

    private let monitor = Monitor()
    private var content: Content?
    private var waiting: CheckedContinuation<Void, Never>?
    private var isOver = false

    /// Leaves something, in the place of what is there, and wakes the task. Any thread.
    func put(_ newest: Content) {
        let (woken, old) = monitor.withLock { () -> (CheckedContinuation<Void, Never>?, Content?) in
            if isOver { return (nil, newest) }
            defer { content = newest }
            return (waiting.take(), content)
        }
        withExtendedLifetime(old) { woken?.resume() }
    }

    func take() -> Content? { monitor.withLock { content.take() } }

    /// What is there, which stays. Any thread.
    func peek() -> Content? { monitor.withLock { content } }

    /// Leaves something in the place of what is there; does nothing if nothing is. Any thread.
    func replace(with newer: Content) {
        let old = monitor.withLock { () -> Content? in
            guard let old = content else { return nil }
            content = newer
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Nothing will come any more, and nobody takes what is there. Any thread.
    func end() {
        let (woken, old) = monitor.withLock { () -> (CheckedContinuation<Void, Never>?, Content?) in
            isOver = true
            return (waiting.take(), content.take())
        }
        withExtendedLifetime(old) { woken?.resume() }
    }

    /// Waits until something is there. Returns false if nothing will be: at the end, and when
    /// the task is cancelled, which ends it.
    func wait(isolation: isolated (any Actor)?) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = monitor.withLock { () -> Bool in
                    if content != nil || isOver { return true }
                    waiting = continuation
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            end()
        }
        return monitor.withLock { !isOver }
    }
}
