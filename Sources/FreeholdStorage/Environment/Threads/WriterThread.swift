internal import CLMDB
internal import Glibc

/// The one thread that owns every LMDB write transaction of an environment.
///
/// LMDB's write lock belongs to the thread that took it: a transaction ended on another thread leaves the lock held for ever,
/// and a thread that ends inside one makes every later transaction of the process fail. A queue or an actor promises no thread. So the jobs
/// that begin and end write transactions run here, in the order in which they were submitted.
///
/// The thread starts with the first job, runs no signal handlers, and is joined when the environment closes. It
/// must not keep the environment alive, or neither would ever end; the jobs do while they are pending.
final class WriterThread: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.
    typealias Job = @Sendable () -> Void

    private let monitor = Monitor()
    private var jobs: [Job] = []
    private var thread: pthread_t?
    private var isStopping = false
    private var closing: Job?

    /// Whether the caller runs on this thread. Neither false positives nor false negatives.
    var isCurrent: Bool {
        monitor.withLock { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    /// Runs a job on the thread, after those submitted before.
    ///
    /// - Throws: `outOfMemory` if the system gives no thread; the job then does not run.
    func submit(path: String, _ job: @escaping Job) throws(StorageError) {
        try monitor.withLock { () throws(StorageError) in
            precondition(!isStopping, "A job was submitted to a stopped writer thread.")
            if thread == nil { thread = try start(path: path) }
            jobs.append(job)
        }
        // With the lock released, or the thread would wake only to wait for it.
        monitor.wakeOne()
    }

    /// Ends the thread, then runs `closing`: at once if the thread never ran, else after joining it. Called on the
    /// thread itself, by the last owner's release in a job, it lets the thread run `closing` as its last act.
    func stop(then closing: @escaping Job) {
        monitor.lock()
        isStopping = true
        guard let thread else {
            monitor.unlock()
            return closing()
        }
        if pthread_equal(thread, pthread_self()) != 0 {
            self.closing = closing
            monitor.unlock()
            pthread_detach(thread)
        } else {
            monitor.wakeOne()
            monitor.unlock()
            pthread_join(thread, nil)
            closing()
        }
    }

    private func start(path: String) throws(StorageError) -> pthread_t {
        var everySignal = sigset_t()
        var previous = sigset_t()
        sigfillset(&everySignal)
        pthread_sigmask(SIG_SETMASK, &everySignal, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        var thread = pthread_t()
        let unmanaged = Unmanaged.passRetained(self)
        let result = pthread_create(&thread, nil, { context in
            guard let context else { return nil }
            Unmanaged<WriterThread>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }, unmanaged.toOpaque())
        guard result == 0 else {
            unmanaged.release()
            throw .system(result, "start the writer thread", path: path)
        }
        pthread_setname_np(thread, "freehold-writer")
        return thread
    }

    private func run() {
        while let job = nextJob() { job() }
        monitor.withLock { closing }?()
    }

    /// Waits for a job; `nil` when there will be none.
    private func nextJob() -> Job? {
        monitor.withLock {
            while jobs.isEmpty {
                if isStopping { return nil }
                monitor.wait()
            }
            return jobs.removeFirst()
        }
    }
}
