extension Store {
    /// Calls back soon after other processes commit, and occasionally after commits of this
    /// process. Keeps the file open.
    ///
    /// At least one call follows every such commit once it is readable, so reading the newest
    /// version in each call misses none. One call may cover several commits, and a call may
    /// find nothing new. Commits made before this function returned may go unreported: read the
    /// newest version once afterwards.
    ///
    /// The kernel reports commits (inotify). If it cannot, or if a process was killed between a
    /// commit and its announcement, a poll once a second finds the commit.
    ///
    /// - Parameter heard: Called on the watching thread, which all files of the process share.
    ///   Keep it short.
    package func watchCommits(_ heard: @escaping @Sendable () -> Void) -> CommitWatch {
        CommitWatcher.shared.watch(environment, heard)
    }
}
