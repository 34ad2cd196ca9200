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
