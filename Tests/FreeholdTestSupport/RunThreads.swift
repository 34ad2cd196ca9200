import Foundation
import Glibc

/// Runs bodies at once, each on a thread of its own, and waits until all threads have ended.
/// What they return, in their order.
///
/// Not tasks: those share as many threads as the machine has cores, and a body that waits for
/// another would keep it from running.
///
/// - Parameter stackSize: The size of each thread's stack in bytes; nil for the system's default.
/// - Throws: the first error in the order of the bodies.
@discardableResult
package func runThreads<Result: Sendable>(
    _ bodies: [@Sendable () throws -> Result], stackSize: Int? = nil
) throws -> [Result] {
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
    let jobs = bodies.map { ThreadJob($0) }
    let threads = jobs.map { job in
        var thread = pthread_t()
        let result = pthread_create(
            &thread, attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, Unmanaged<ThreadWork>.passRetained(job).toOpaque())
        precondition(result == 0, "A test needs a thread, and pthread_create answers \(result).")
        return thread
    }
    for thread in threads { pthread_join(thread, nil) }
    return try jobs.map { try $0.outcome() }
}

/// Runs a body on so many threads at once, as ``runThreads(_:)-(Array)``; it is given the
/// thread's number.
@discardableResult
package func runThreads<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Result
) throws -> [Result] {
    try runThreads((0..<count).map { number in { try body(number) } })
}

/// Runs a body on a thread with a stack of 512 KiB, the smallest of those that run a program's
/// code, and waits for its end.
///
/// With it go tests of inputs that recursion must survive.
package func runOnSmallStack<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result)
    throws -> Result
{
    try runThreads([body], stackSize: 512 << 10)[0]
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
