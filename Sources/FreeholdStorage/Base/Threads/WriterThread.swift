/// The one thread that owns every LMDB write transaction of an environment.
///
/// LMDB's write lock belongs to the thread that took it: a transaction ended on another thread
/// leaves the lock held for ever, and a thread that ends inside one makes every later
/// transaction of the process fail. A queue or an actor promises no thread. So the jobs that
/// begin and end write transactions run here, in the order in which they were submitted.
///
/// The thread starts with the first job, runs no signal handlers, and is joined when the
/// environment closes. It must not keep the environment alive, or neither would ever end; the
/// jobs do while they are pending.
final class WriterThread: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`, but `closing`, which only the thread
    // itself touches.
    typealias Job = @Sendable () -> Void

    private let monitor = Monitor()
    private var jobs: [Job] = []
    private var thread: SystemThread?
    private var isStopping = false
    private var closing: Job?

    /// Whether the caller runs on this thread. Neither false positives nor false negatives.
    var isCurrent: Bool {
        monitor.withLock { thread?.isCurrent ?? false }
    }

    /// Runs a job on the thread, after those submitted before.
    ///
    /// - Throws: `outOfMemory` if the system gives no thread; the job then does not run.
    func submit(path: String, _ job: @escaping Job) throws(StorageError) {
        try monitor.withLock { () throws(StorageError) in
            precondition(!isStopping, "A job was submitted to a stopped writer thread.")
            if thread == nil {
                thread = try SystemThread.start(
                    named: "freehold-writer", to: "start the writer thread", path: path
                ) { self.run() }
            }
            jobs.append(job)
        }
        // With the lock released, or the thread would wake only to wait for it.
        monitor.wakeOne()
    }

    /// Ends the thread, then runs `closing`: at once if the thread never ran, else after
    /// joining it. Called on the thread itself, by the last owner's release in a job, it lets
    /// the thread run `closing` as its last act.
    func stop(then closing: @escaping Job) {
        monitor.lock()
        isStopping = true
        guard let thread else {
            monitor.unlock()
            return closing()
        }
        if thread.isCurrent {
            self.closing = closing
            monitor.unlock()
            thread.detach()
        } else {
            monitor.wakeOne()
            monitor.unlock()
            thread.join()
            closing()
        }
    }

    private func run() {
        while let job = nextJob() { job() }
        closing?()
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
