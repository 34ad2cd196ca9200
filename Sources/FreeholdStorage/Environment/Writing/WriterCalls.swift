/// A call that another thread makes while the caller waits.
final class BlockingCall<Value>: @unchecked Sendable {
    // @unchecked: `body` passes to the other thread with `run`, and `outcome` comes back under
    // `monitor`. The caller is blocked in between, so no two threads use the captured objects
    // at once.
    private let monitor = Monitor()
    private var body: (() throws -> Value)?
    /// Protected by `monitor`.
    private var outcome: Result<Value, any Error>?

    init(_ body: @escaping () throws -> Value) { self.body = body }

    /// Runs the body and wakes the caller. By then this thread retains nothing that the body or
    /// its value refers to. So the caller's next release is the last one: for example, a file
    /// closes on the caller's thread and immediately.
    func run() {
        let finished = takeBodyAndRun()
        monitor.lock()
        outcome = consume finished
        monitor.unlock()
        // After releasing the lock, or the caller would wake only to wait for it. Only the
        // caller waits here.
        monitor.wakeOne()
    }

    /// Drops the body without running it.
    func discard() { body = nil }

    func wait() throws -> Value {
        monitor.lock()
        while outcome == nil { monitor.wait() }
        let finished = outcome.take()
        monitor.unlock()
        guard let finished else { preconditionFailure("A finished call has an outcome.") }
        return try finished.get()
    }

    /// A separate function, so that the body is released before the caller wakes: the caller's
    /// closure must not outlive its call.
    @inline(never)
    private func takeBodyAndRun() -> Result<Value, any Error> {
        guard let body = body.take() else { preconditionFailure("A call was run twice.") }
        return Result { try body() }
    }
}

/// A call that another thread makes while the caller continues.
final class DetachedCall<Value>: @unchecked Sendable {
    // @unchecked: both closures were sent; only the thread that runs the call uses them.
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
