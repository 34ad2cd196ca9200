import Glibc

/// A thread that a test started.
package final class RunningThread<Result: Sendable>: @unchecked Sendable {
    // Sendable: `job` is read after the thread was joined, which one thread does.
    private let job: ThreadJob<Result>
    private let thread: pthread_t
    private var isJoined = false

    fileprivate init(_ body: @escaping @Sendable () throws -> Result, stackSize: Int?) {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        if let stackSize {
            precondition(
                pthread_attr_setstacksize(attributes, stackSize) == 0,
                "No thread has a stack of \(stackSize) bytes.")
        }
        let job = ThreadJob(body)
        var thread = pthread_t()
        let result = pthread_create(
            &thread, attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, Unmanaged<ThreadWork>.passRetained(job).toOpaque())
        precondition(result == 0, "A test needs a thread, and pthread_create answers \(result).")
        self.job = job
        self.thread = thread
    }

    /// Waits until the thread has ended. What its body returned or threw.
    @discardableResult
    package func join() throws -> Result {
        precondition(!isJoined, "A thread is joined once.")
        isJoined = true
        pthread_join(thread, nil)
        return try job.outcome()
    }

    deinit { if !isJoined { pthread_detach(thread) } }
}

/// Runs a body on a thread of its own, and goes on.
///
/// Not a task: tasks share as many threads as the machine has processors, and a body that waits
/// for another would keep it from running.
///
/// - Parameter stackSize: The size of the thread's stack in bytes; nil for the system's default.
@discardableResult
package func startThread<Result: Sendable>(
    stackSize: Int? = nil, _ body: @escaping @Sendable () throws -> Result
) -> RunningThread<Result> { RunningThread(body, stackSize: stackSize) }

/// Runs bodies at once, each on a thread of its own, and waits until all threads have ended.
/// What they return, in their order.
///
/// - Throws: the first error in the order of the bodies.
@discardableResult
package func runThreads<Result: Sendable>(
    _ bodies: [@Sendable () throws -> Result], stackSize: Int? = nil
) throws -> [Result] {
    let threads = bodies.map { startThread(stackSize: stackSize, $0) }
    let outcomes = threads.map { thread in Swift.Result { try thread.join() } }
    return try outcomes.map { try $0.get() }
}

/// Runs a body on so many threads at once, as ``runThreads(_:stackSize:)``; it is given the
/// thread's number.
@discardableResult
package func runThreads<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Result
) throws -> [Result] {
    try runThreads((0..<count).map { number in { try body(number) } })
}

/// Runs a body on a thread of its own and waits for it.
package func onNewThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws
    -> Result
{
    try startThread(body).join()
}

/// Runs a body on a thread of its own; the caller's thread runs other tasks meanwhile.
package func awaitThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result)
    async throws -> Result
{
    try await withCheckedThrowingContinuation { continuation in
        startThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}

/// Runs a body on a thread with a stack of 512 KiB, the smallest of those that run a program's
/// code, and waits for its end.
///
/// For inputs that recursion must survive.
package func runOnSmallStack<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result)
    throws -> Result
{
    try startThread(stackSize: 512 << 10, body).join()
}

private class ThreadWork {
    func run() {}
}

private final class ThreadJob<Value: Sendable>: ThreadWork {
    private let body: () throws -> Value
    /// Set by the thread, read after it was joined.
    private var result: Result<Value, any Error>?

    init(_ body: @escaping @Sendable () throws -> Value) { self.body = body }

    override func run() { result = Result { try body() } }

    func outcome() throws -> Value {
        guard let result else { preconditionFailure("The thread has not ended.") }
        return try result.get()
    }
}
