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

    /// Ends the calls. Any thread, even inside a call; a second call does nothing.
    ///
    /// It does not wait: a call that has begun on the watching thread may end after this
    /// returns, but no further call begins.
    package func stop() { watcher.remove(registration, environment) }
}
