/// A call that another thread makes while the caller waits for it.
final class BlockingCall<Value>: @unchecked Sendable {
    // @unchecked: `body` passes to the other thread with `run` and `outcome` comes back through
    // `monitor`. The caller is blocked between, so nothing that the body or the value refers to
    // is used by two threads at once.
    private let monitor = Monitor()
    private var body: (() throws -> Value)?
    /// Protected by `monitor`.
    private var outcome: Result<Value, any Error>?

    init(_ body: @escaping () throws -> Value) {
        self.body = body
    }

    /// Runs the body and wakes the caller. By then this thread holds nothing that the body or
    /// its value refers to, so that whatever the caller releases next is released for good:
    /// closing a file, say, happens on the caller's thread and at once.
    func run() {
        let finished = takeBodyAndRun()
        monitor.lock()
        outcome = consume finished
        monitor.unlock()
        // With the lock released, or the caller would wake only to wait for it. Nobody else
        // waits here.
        monitor.wakeOne()
    }

    /// Drops the body unrun.
    func discard() { body = nil }

    func wait() throws -> Value {
        monitor.lock()
        while outcome == nil { monitor.wait() }
        let finished = outcome.take()
        monitor.unlock()
        guard let finished else { preconditionFailure("A finished call has an outcome.") }
        return try finished.get()
    }

    /// A function of its own, so that the body is released before the caller wakes: the
    /// caller's closure does not outlive the caller's call.
    @inline(never)
    private func takeBodyAndRun() -> Result<Value, any Error> {
        guard let body = body.take() else { preconditionFailure("A call was run twice.") }
        return Result { try body() }
    }
}

/// A call that another thread makes while the caller goes on.
final class DetachedCall<Value>: @unchecked Sendable {
    // @unchecked: both closures were sent; they are used by the thread that runs the call and
    // no other.
    private var body: (() throws -> Value)?
    private var completion: ((Result<Value, any Error>) -> Void)?

    init(
        body: @escaping () throws -> Value, completion: @escaping (Result<Value, any Error>) -> Void
    ) {
        self.body = body
        self.completion = completion
    }

    func run() {
        guard let body = body.take(), let completion = completion.take() else {
            preconditionFailure("A call was run twice.")
        }
        completion(Result { try body() })
    }

    /// Completes without running the body.
    func fail(_ error: any Error) {
        body = nil
        completion.take()?(.failure(error))
    }
}
