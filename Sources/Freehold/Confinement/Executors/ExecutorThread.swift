import FreeholdStorage

/// The thread behind a ``PinnedExecutor``, and its queue of jobs.
///
/// Separate from the executor, because the thread must not keep the executor alive: otherwise
/// neither would end. Jobs keep the executor alive while they wait and run.
///
/// The thread is always detached, never joined. Its end may wait for the asynchronous writes of
/// its realms, and their completions may need the code that released the executor. That code may
/// even be a job on this thread.
final class ExecutorThread: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.
    typealias Job = @Sendable () -> Void

    let name: String
    private let monitor = Monitor()
    /// The jobs in order, from `firstJob` on. Earlier entries have been taken.
    private var jobs: [Job?] = []
    private var firstJob = 0
    private var thread: SystemThread?
    private var isStopping = false

    init(name: String) { self.name = name }

    var isCurrent: Bool { monitor.withLock { thread?.isCurrent ?? false } }

    /// Runs a job on the thread; the first job starts the thread.
    ///
    /// - Parameter executor: The executor that runs actors on the thread.
    func submit(_ job: @escaping Job, startedAs executor: () -> UnownedSerialExecutor) {
        monitor.withLock {
            precondition(!isStopping, "A job keeps its executor from ending.")
            jobs.append(job)
            if thread == nil { thread = start(executor()) } else { monitor.wakeOne() }
        }
    }

    /// Lets the thread end once it is idle.
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
            misuse(
                "The executor '\(name)' could not start its thread.",
                remedy: """
                    Raise the limit of threads (ulimit -u, or the container's), or let \
                    actors share executors. \(error)
                    """)
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

    /// Queues a job that empties the thread's mailbox. Once the thread ends, the scheduler
    /// empties it itself.
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
