import FreeholdStorage
import Synchronization

extension Realm {
    /// What this process did with a file since it was opened. See ``Realm/counters``.
    public struct Counters: Sendable, Hashable, Codable {
        /// Versions that were committed. Transactions that share a commit count once.
        public var commits = 0
        /// The bytes of keys and values that commits put. LMDB writes whole pages, so the disk
        /// sees more.
        public var bytesWritten = 0
        /// Clusters, of up to a few hundred objects of a class each, that were looked up in the
        /// file. Reading a cluster again in the same version looks nothing up.
        public var clusterReads = 0
        /// Records of an encrypted file that were decrypted already when a version or a
        /// transaction asked for them first. 0 for other files.
        public var cacheHits = 0
        /// Records of an encrypted file that had to be decrypted. 0 for other files.
        public var cacheMisses = 0
        /// How many write transactions were begun.
        public var lockWaits = 0
        /// How long they waited for their turn, in all, for other writers of this and of other
        /// processes.
        public var lockWaitTime = Duration.zero
    }

    /// What this process did with the file since its first realm of it was opened, or since the
    /// last one was closed. All realms of the file have the same.
    ///
    /// ```swift
    /// let before = realm.counters
    /// try importEverything()
    /// print("\(realm.counters.commits - before.commits) commits")
    /// ```
    ///
    /// O(1). Thread rule: any thread.
    public var counters: Counters {
        let counted = core.store.environment.counters
        return Counters(
            commits: counted.commits.load(ordering: .relaxed),
            bytesWritten: counted.bytesWritten.load(ordering: .relaxed),
            clusterReads: counted.clusterReads.load(ordering: .relaxed),
            cacheHits: counted.cacheHits.load(ordering: .relaxed),
            cacheMisses: counted.cacheMisses.load(ordering: .relaxed),
            lockWaits: counted.lockWaits.load(ordering: .relaxed),
            lockWaitTime: .nanoseconds(counted.lockWaitNanoseconds.load(ordering: .relaxed)))
    }
}
