import FreeholdStorage

/// The executor of actors that stay on one thread.
///
/// Ordinarily an actor runs on whichever thread of a pool is free, and on another one after
/// each `await`. An actor with a pinned executor runs on the executor's own thread, always.
/// Realms opened there, by `Realm(configuration:)` as well as by
/// ``Realm/open(configuration:_isolation:downloadBeforeOpen:fileID:line:)``, are one instance
/// and belong to that thread: they and their objects can be kept in the actor's properties
/// across any number of `await`s, and an access costs one comparison, as on the main thread.
/// The actor may also block, for a write or for a file, without keeping a thread from everybody
/// else's tasks.
///
/// An actor adopts it in one line, as a ``PinnedActor``; so does a global actor. Actors that
/// share an executor exclude one another and share the realm.
///
/// ```swift
/// @globalActor actor ImportActor: PinnedActor {
///     static let shared = ImportActor()
///     let executor = PinnedExecutor("import")
/// }
/// ```
///
/// A task may prefer it, too. Then all of the task that belongs to no actor runs on the thread,
/// and realms opened there belong to it as those of the actors do:
///
/// ```swift
/// let executor = PinnedExecutor("reports")
/// let count = try await withTaskExecutorPreference(executor) {
///     let realm = try await Realm.open()
///     try await realm.asyncWrite { realm.add(Person()) }      // before and after each await the same thread
///     return realm.objects(Person.self).count
/// }
/// ```
///
/// The thread starts with the first job and runs no signal handlers. Jobs run first in, first
/// out, whatever their priority. The executor lives at least until all its jobs have run. Then,
/// with the last reference to it, the thread ends, after finishing the asynchronous writes of
/// its realms. In a forked child there is no such thread: make a new executor there.
///
/// Any thread may use the executor.
public final class PinnedExecutor: SerialExecutor, TaskExecutor {
    private let thread: ExecutorThread

    /// An executor whose thread has not started.
    ///
    /// - Parameter name: For diagnoses and debuggers. The thread has the first 15 bytes of it
    ///   as its name.
    public init(_ name: String) { thread = ExecutorThread(name: name) }

    deinit { thread.stop() }

    /// The name of the thread in reports and debuggers.
    public var name: String { thread.name }
}

extension PinnedExecutor {
    /// Runs a job on the thread, after those that came before. For the runtime.
    ///
    /// The process ends if the system gives no thread for the first one.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Kept until the job has run: what the job belongs to may hold the only other
        // reference, and let go of it. Both at once, as jobs of the two kinds look the same.
        // What a task that prefers the executor does outside of all actors is therefore
        // isolated as the actors of the executor are, which is true: they exclude one another.
        thread.submit {
            job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(),
                taskExecutor: self.asUnownedTaskExecutor())
        } startedAs: {
            self.asUnownedSerialExecutor()
        }
    }

    /// Whether both are the same.
    public func isSameExclusiveExecutionContext(other: PinnedExecutor) -> Bool { self === other }

    /// Whether the caller runs on the executor's thread. Never nil.
    public func isIsolatingCurrentContext() -> Bool? { thread.isCurrent }

    /// Ends the process unless the caller runs on the executor's thread.
    public func checkIsolated() {
        if thread.isCurrent { return }
        violation(
            .misuse(
                text: "Incorrect actor executor assumption; expected the executor '\(name)'.",
                remedy:
                    """
                    assumeIsolated and preconditionIsolated are for code that runs on the \
                    actor already: await a method of the actor here.
                    """
            ))
    }
}
