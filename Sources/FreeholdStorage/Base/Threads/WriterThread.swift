/// The thread that commits for callers who do not wait, in the order of submission. It also
/// waits for other processes on behalf of asynchronous writes.
///
/// LMDB's write lock belongs to the thread that took it. If another thread ends the
/// transaction, the lock stays held for ever; if the thread itself ends inside a transaction,
/// every later transaction of the process fails. So a transaction begins and ends in one call
/// that nothing interrupts: `Environment.commit`, here or on the thread of a caller who waits.
///
/// The thread starts with the first job, runs no signal handlers, and is joined when the
/// environment closes. It must not keep the environment alive, or neither would ever end;
/// pending jobs do keep it alive.
final class WriterThread: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`, except `closing`, which only the
    // thread itself uses.
    typealias Job = @Sendable () -> Void

    private let monitor = Monitor()
    private var jobs: [Job] = []
    private var thread: SystemThread?
    private var isStopping = false
    private var closing: Job?

    /// Whether the caller runs on this thread. Neither false positives nor false negatives.
    var isCurrent: Bool { monitor.withLock { thread?.isCurrent ?? false } }

    /// Runs a job on the thread, after those submitted earlier.
    ///
    /// - Throws: `outOfMemory` if the system can start no thread; the job then does not run.
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
        // After releasing the lock, or the thread would wake only to wait for it.
        monitor.wakeOne()
    }

    /// Ends the thread, then runs `closing`: immediately if the thread never ran, otherwise
    /// after joining it. A last release in a job may call this on the thread itself; the thread
    /// then runs `closing` as its last act.
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

    /// Waits for a job; nil when no more will come.
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
