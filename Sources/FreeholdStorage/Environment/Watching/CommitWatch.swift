/// Ends the calls of ``Store/watchCommits(_:)`` when it is stopped or released.
package final class CommitWatch: Sendable {
    private let watcher: CommitWatcher
    private let environment: Environment
    private let registration: CommitWatcher.Registration

    init(
        _ watcher: CommitWatcher, _ environment: Environment,
        _ registration: CommitWatcher.Registration
    ) {
        self.watcher = watcher
        self.environment = environment
        self.registration = registration
    }

    deinit { stop() }

    /// Ends the calls. From any thread, inside of a call too; a second time it does nothing.
    ///
    /// It waits for nothing: a call that has begun on the watching thread may end after this
    /// returns, and none begins any more.
    package func stop() { watcher.remove(registration, environment) }
}

extension Store {
    /// Calls back soon after other processes commit; after commits of this one, at times. Keeps
    /// the file open.
    ///
    /// After each such commit there is at least one call from whose beginning on the version
    /// can be read, so whoever looks at the newest version in each call misses none. Calls for
    /// several commits may be one, and some may find nothing new. Commits from before this
    /// function returned may not be told of: look once behind it.
    ///
    /// The kernel tells of commits (inotify). Where it cannot, and where a process was killed
    /// between its commit and telling of it, a look once a second finds out.
    /// - Parameter heard: Called on the watching thread, of which the process has one. Keep it
    ///   short.
    package func watchCommits(_ heard: @escaping @Sendable () -> Void) -> CommitWatch {
        CommitWatcher.shared.watch(environment, heard)
    }
}
