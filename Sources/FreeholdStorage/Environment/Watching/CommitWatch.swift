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
