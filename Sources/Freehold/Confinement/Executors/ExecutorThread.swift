import FreeholdStorage

/// The thread behind a ``PinnedExecutor``, and its line of jobs.
///
/// Apart from the executor, because the thread must not keep the executor alive, or neither
/// would ever end; the jobs do while they wait and run.
///
/// The thread is always detached, never joined: its end may take as long as the asynchronous
/// writes of its realms, whose completions may want whoever let go of the executor; and that
/// may be the thread itself, in a job.
final class ExecutorThread: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.
    typealias Job = @Sendable () -> Void

    let name: String
    private let monitor = Monitor()
    /// In order, from `firstJob` on. Those before have been taken.
    private var jobs: [Job?] = []
    private var firstJob = 0
    private var thread: SystemThread?
    private var isStopping = false

    init(name: String) { self.name = name }

    var isCurrent: Bool { monitor.withLock { thread?.isCurrent ?? false } }

    /// Runs a job on the thread, which is started if this is the first.
    ///
    /// - Parameter executor: What runs actors on the thread.
    func submit(_ job: @escaping Job, startedAs executor: () -> UnownedSerialExecutor) {
        monitor.withLock {
            precondition(!isStopping, "A job keeps its executor from ending.")
            jobs.append(job)
            if thread == nil { thread = start(executor()) } else { monitor.wakeOne() }
        }
    }

    /// Lets the thread end when it has nothing to do.
    func stop() {
        monitor.withLock {
            isStopping = true
            monitor.wakeOne()
        }
    }

    private func start(_ executor: UnownedSerialExecutor) -> SystemThread {
        do throws(StorageError) {
            let thread = try SystemThread.start(named: name, to: "start the thread", path: name) {
                self.run(executor)
            }
            thread.detach()
            return thread
        } catch {
            violation(
                .misuse(
                    text: "The executor '\(name)' needs a thread, and the system gives none.",
                    remedy:
                        """
                        Raise the limit of threads (ulimit -u, or the container's), or let \
                        actors share executors. \(error)
                        """
                ))
        }
    }

    private func run(_ executor: UnownedSerialExecutor) {
        ThreadIdentity.current.scheduler.attachExecutor(executor, named: name) {
            self.enqueueMail { ThreadIdentity.current.scheduler.runPending() }
        }
        let number = ThreadIdentity.current.number
        while let job = nextJob() {
            RealmCoordinator.catchUp(realmsOfThread: number)
            job()
        }
    }

    /// Has the thread's mailbox emptied, in its turn. Once the thread ends, the scheduler does
    /// that itself.
    private func enqueueMail(_ job: @escaping Job) {
        monitor.withLock {
            jobs.append(job)
            monitor.wakeOne()
        }
    }

    /// Waits for a job; nil when there will be none.
    private func nextJob() -> Job? {
        monitor.withLock {
            while firstJob == jobs.count {
                if isStopping { return nil }
                jobs.removeAll(keepingCapacity: true)
                firstJob = 0
                monitor.wait()
            }
            let job = jobs[firstJob]
            jobs[firstJob] = nil
            firstJob += 1
            if firstJob >= 256, firstJob * 2 >= jobs.count {
                jobs.removeFirst(firstJob)
                firstJob = 0
            }
            return job
        }
    }
}
