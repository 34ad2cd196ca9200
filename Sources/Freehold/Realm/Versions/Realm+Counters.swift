import FreeholdStorage
import Synchronization

extension Realm {
    /// Counters of this process's work on a file since it was opened. See ``Realm/counters``.
    public struct Counters: Sendable, Hashable, Codable {
        /// The number of committed versions. Transactions that share a commit count once.
        public var commits = 0
        /// The bytes of keys and values that commits wrote. LMDB writes whole pages, so more
        /// bytes reach the disk.
        public var bytesWritten = 0
        /// The number of clusters looked up in the file, each with up to a few hundred objects
        /// of a class. Reading a cluster again in the same version does not count.
        public var clusterReads = 0
        /// Records of an encrypted file that were already decrypted when a version or a
        /// transaction first requested them. 0 for other files.
        public var cacheHits = 0
        /// Records of an encrypted file that had to be decrypted. 0 for other files.
        public var cacheMisses = 0
        /// The number of write transactions begun.
        public var lockWaits = 0
        /// The total time that they waited for other writers of this and other processes.
        public var lockWaitTime = Duration.zero
    }

    /// Counters of this process's work on the file. They start when the process opens its first
    /// realm of the file, and start again after the last one is closed. All realms of the file
    /// share them.
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
