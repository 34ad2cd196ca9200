internal import CLMDB
internal import Glibc

/// A thread of the system that runs no signal handlers: those belong to the program's own threads.
package struct SystemThread: Sendable {
    private let thread: pthread_t

    /// Runs `body` on a new thread.
    ///
    /// - Parameters:
    ///   - name: For debuggers and `ps -L`. The system keeps 15 bytes of it.
    ///   - purpose: What the thread is for, as in "start the writer thread", should the system give none.
    ///   - path: The file that the thread works for.
    package static func start(
        named name: String, to purpose: String, path: String, _ body: @escaping @Sendable () -> Void
    ) throws(StorageError) -> SystemThread {
        var everySignal = sigset_t()
        var previous = sigset_t()
        sigfillset(&everySignal)
        pthread_sigmask(SIG_SETMASK, &everySignal, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(name: shortened(name), run: body))
        let result = pthread_create(&thread, nil, { context in
            guard let context else { return nil }
            let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
            pthread_setname_np(pthread_self(), body.name)
            body.run()
            return nil
        }, context.toOpaque())
        guard result == 0 else {
            context.release()
            throw .system(result, purpose, path: path)
        }
        return SystemThread(thread: thread)
    }

    /// Whether the caller runs on this thread, which has not been joined.
    package var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }

    /// Waits for the thread's end. Once, unless it was detached, and not on the thread.
    package func join() { pthread_join(thread, nil) }

    /// Lets the thread end by itself. Once, unless it was joined.
    package func detach() { pthread_detach(thread) }

    /// As much of a name as the system keeps, in whole characters.
    private static func shortened(_ name: String) -> String {
        var short = name
        while short.utf8.count > 15 { short.removeLast() }
        return short
    }

    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }
}
