import FreeholdStorage

/// A mailbox with one slot, for one waiting task. A new value replaces the old one.
final class ChangeMailbox<Content>: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`; the content is for the task, which
    // uses it on its realm's actor.

    private let monitor = Monitor()
    private var content: Content?
    private var waiting: CheckedContinuation<Void, Never>?
    private var isOver = false

    /// Replaces the content, and wakes the task. Any thread.
    func put(_ newest: Content) {
        let (woken, old) = monitor.withLock { () -> (CheckedContinuation<Void, Never>?, Content?) in
            if isOver { return (nil, newest) }
            defer { content = newest }
            return (waiting.take(), content)
        }
        withExtendedLifetime(old) { woken?.resume() }
    }

    func take() -> Content? { monitor.withLock { content.take() } }

    /// Returns the content without removing it. Any thread.
    func peek() -> Content? { monitor.withLock { content } }

    /// Replaces the content; does nothing if there is none. Any thread.
    func replace(with newer: Content) {
        let old = monitor.withLock { () -> Content? in
            guard let old = content else { return nil }
            content = newer
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Closes the mailbox and drops its content. Any thread.
    func end() {
        let (woken, old) = monitor.withLock { () -> (CheckedContinuation<Void, Never>?, Content?) in
            isOver = true
            return (waiting.take(), content.take())
        }
        withExtendedLifetime(old) { woken?.resume() }
    }

    /// Waits until there is content. Returns false if there will be none: at the end, and when
    /// the task is cancelled, which closes the mailbox.
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
