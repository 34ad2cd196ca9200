/// A thread of the system that runs no signal handlers: those belong to the program's own threads.
package struct SystemThread: Sendable {
    private let thread: ThreadHandle
    /// In a simulation.
    private let turn: ThreadStepper.Turn?

    /// Runs `body` on a new thread.
    ///
    /// - Parameters:
    ///   - name: For debuggers and `ps -L`. The system keeps 15 bytes of it.
    ///   - purpose: What the thread is for, as in "start the writer thread", should the system
    ///     give none.
    ///   - path: The file that the thread works for.
    package static func start(
        named name: String, to purpose: String, path: String, _ body: @escaping @Sendable () -> Void
    ) throws(StorageError) -> SystemThread {
        let turn = SteppedThreads.newTurn()
        let context = Unmanaged.passRetained(Body(name: shortened(name), turn: turn, run: body))
        switch ThreadHandle.start(runSystemThread, context.toOpaque()) {
        case .success(let thread): return SystemThread(thread: thread, turn: turn)
        case .failure(let error):
            context.release()
            SteppedThreads.discard(turn)
            throw .system(error, purpose, path: path)
        }
    }

    fileprivate static func begin(_ context: UnsafeMutableRawPointer) {
        let turn = Unmanaged<Body>.fromOpaque(context).takeUnretainedValue().turn
        SteppedThreads.enter(turn)
        run(context)
        SteppedThreads.end(turn)
    }

    /// Gone with all that it refers to when this returns.
    @inline(never)
    private static func run(_ context: UnsafeMutableRawPointer) {
        let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
        SystemProcess.nameThread(body.name)
        body.run()
    }

    /// Whether the caller runs on this thread, which has not been joined.
    package var isCurrent: Bool { thread.isCurrent }

    /// Waits for the thread's end. Once, unless it was detached, and not on the thread.
    package func join() {
        if let turn { SteppedThreads.waitForEnd(of: turn) }
        thread.join()
    }

    /// Lets the thread end by itself. Once, unless it was joined.
    package func detach() { thread.detach() }

    /// As much of a name as the system keeps, in whole characters.
    private static func shortened(_ name: String) -> String {
        var short = name
        while short.utf8.count > 15 { short.removeLast() }
        return short
    }

    private final class Body: Sendable {
        let name: String
        let turn: ThreadStepper.Turn?
        let run: @Sendable () -> Void

        init(name: String, turn: ThreadStepper.Turn?, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.turn = turn
            self.run = run
        }
    }
}

/// What a new thread calls.
private func runSystemThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { SystemThread.begin(context) }
    return nil
}
