/// An executor whose actors stay on one thread.
///
/// Ordinarily an actor runs on any free thread of a pool, and may change threads at each `await`.
/// An actor with a pinned executor always runs on the executor's own thread.
///
/// Realms opened there, by `Realm(configuration:)` or by
/// ``Realm/open(configuration:_isolation:downloadBeforeOpen:fileID:line:)``, are one instance and
/// belong to that thread. The actor can keep them and their objects in properties across any
/// number of `await`s. An access costs one comparison, as on the main thread. The actor may also
/// block, for a write or for a file, without taking a thread from other tasks.
///
/// An actor adopts the executor in one line, as a ``PinnedActor``; so does a global actor. Actors
/// that share an executor exclude one another and share the realm.
///
/// ```swift
/// @globalActor actor ImportActor: PinnedActor {
///     static let shared = ImportActor()
///     let executor = PinnedExecutor("import")
/// }
/// ```
///
/// A task may prefer the executor, too. All parts of the task outside of actors then run on the
/// thread, and realms opened there belong to it as those of the actors do:
///
/// ```swift
/// let executor = PinnedExecutor("reports")
/// let count = try await withTaskExecutorPreference(executor) {
///     let realm = try await Realm.open()
///     // The thread is the same before and after each await.
///     try await realm.asyncWrite { realm.add(Person()) }
///     return realm.objects(Person.self).count
/// }
/// ```
///
/// The thread starts with the first job and runs no signal handlers. Jobs run first in, first
/// out, whatever their priority. The executor lives at least until all its jobs have run. After
/// the last reference to it is gone, the thread finishes the asynchronous writes of its realms,
/// then ends. A forked child does not have the thread: make a new executor there.
///
/// Any thread may use the executor.
public final class PinnedExecutor: SerialExecutor, TaskExecutor {
    private let thread: ExecutorThread

    /// Makes an executor whose thread has not started.
    ///
    /// - Parameter name: The name in reports and debuggers. The thread gets its first 15 bytes.
    public init(_ name: String) { thread = ExecutorThread(name: name) }

    deinit { thread.stop() }

    /// The name of the thread in reports and debuggers.
    public var name: String { thread.name }
}

extension PinnedExecutor {
    /// Runs a job on the thread, after all jobs queued earlier. For the Swift runtime.
    ///
    /// The process ends if the system cannot create the thread for the first job.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The closure keeps the executor until the job has run: the job may release the only
        // other reference. Both isolations are passed, because jobs of actors and of tasks look
        // the same. So the parts of a task outside of actors count as isolated like the
        // executor's actors; that is correct, since they exclude one another.
        thread.submit {
            job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(),
                taskExecutor: self.asUnownedTaskExecutor())
        } startedAs: {
            self.asUnownedSerialExecutor()
        }
    }

    /// Whether both are the same executor.
    public func isSameExclusiveExecutionContext(other: PinnedExecutor) -> Bool { self === other }

    /// Whether the caller runs on the executor's thread. Never nil.
    public func isIsolatingCurrentContext() -> Bool? { thread.isCurrent }

    /// Ends the process unless the caller runs on the executor's thread.
    public func checkIsolated() {
        if thread.isCurrent { return }
        misuse(
            "Incorrect actor executor assumption; expected the executor '\(name)'.",
            remedy: """
                assumeIsolated and preconditionIsolated are for code that runs on the \
                actor already: await a method of the actor here.
                """)
    }
}
