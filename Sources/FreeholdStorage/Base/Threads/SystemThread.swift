/// A thread of the system that runs no signal handlers: those belong to the program's own threads.
package struct SystemThread: Sendable {
    private let thread: ThreadHandle
    /// The thread's place in a simulation; nil outside of one.
    private let stepped: ThreadStepper.SteppedThread?

    /// Runs `body` on a new thread.
    ///
    /// - Parameters:
    ///   - name: For debuggers and `ps -L`. The system keeps 15 bytes of it.
    ///   - purpose: What the thread is for, as in "start the writer thread", for the error if
    ///     the system cannot start one.
    ///   - path: The file that the thread works for.
    package static func start(
        named name: String, to purpose: String, path: String, _ body: @escaping @Sendable () -> Void
    ) throws(StorageError) -> SystemThread {
        let stepped = SteppedThreads.newThread()
        let context = Unmanaged.passRetained(
            Body(name: shortened(name), stepped: stepped, run: body))
        switch ThreadHandle.start(runSystemThread, context.toOpaque()) {
        case .success(let thread): return SystemThread(thread: thread, stepped: stepped)
        case .failure(let error):
            context.release()
            SteppedThreads.discard(stepped)
            throw .system(error, purpose, path: path)
        }
    }

    fileprivate static func begin(_ context: UnsafeMutableRawPointer) {
        let stepped = Unmanaged<Body>.fromOpaque(context).takeUnretainedValue().stepped
        SteppedThreads.enter(stepped)
        run(context)
        SteppedThreads.end(stepped)
    }

    /// Runs the body. When it returns, the body and all its references are released.
    @inline(never)
    private static func run(_ context: UnsafeMutableRawPointer) {
        let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
        SystemProcess.nameThread(body.name)
        body.run()
    }

    /// Whether the caller runs on this thread, which has not been joined.
    package var isCurrent: Bool { thread.isCurrent }

    /// Waits for the thread to end. Call it once, from another thread, and only if the thread
    /// was not detached.
    package func join() {
        if let stepped { SteppedThreads.waitForEnd(of: stepped) }
        thread.join()
    }

    /// Lets the thread end without a join. Call it once, and only if the thread was not joined.
    package func detach() { thread.detach() }

    /// As much of a name as the system keeps, in whole characters.
    private static func shortened(_ name: String) -> String {
        var short = name
        while short.utf8.count > 15 { short.removeLast() }
        return short
    }

    private final class Body: Sendable {
        let name: String
        let stepped: ThreadStepper.SteppedThread?
        let run: @Sendable () -> Void

        init(
            name: String, stepped: ThreadStepper.SteppedThread?, run: @escaping @Sendable () -> Void
        ) {
            self.name = name
            self.stepped = stepped
            self.run = run
        }
    }
}

/// What a new thread calls.
private func runSystemThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { SystemThread.begin(context) }
    return nil
}
