package import Synchronization

/// Counts what happened with an open file in this process since it was opened. Each event is
/// counted where it happens, without a lock. Any thread may read at any time.
///
/// Each number is exact; several numbers read together may belong to different moments.
package final class ActivityCounters: Sendable {
    /// Versions that this process made.
    package let commits = Atomic<Int>(0)
    /// The bytes of keys and values that commits passed to LMDB. LMDB writes whole pages, so it
    /// writes more.
    package let bytesWritten = Atomic<Int>(0)
    /// Cluster look-ups in the file: the first time a version being read asks for each cluster.
    package let clusterReads = Atomic<Int>(0)
    /// Entries of directories read: each entry when a directory is loaded, and one or two for
    /// each cluster that is found without that.
    package let directoryReads = Atomic<Int>(0)
    /// Records of encrypted files on the first request of a version or a transaction: those
    /// already decrypted (hits), and those not yet decrypted (misses).
    package let cacheHits = Atomic<Int>(0)
    package let cacheMisses = Atomic<Int>(0)
    /// Walks through all pages before a commit; none if the file is vouched for, or so large that
    /// pages are judged one by one.
    package let pageWalks = Atomic<Int>(0)
    /// Pages judged one by one before LMDB came to them.
    package let judgedPages = Atomic<Int>(0)
    /// Write transactions begun, and the nanoseconds they waited for the write lock, in this
    /// process and for other processes.
    package let lockWaits = Atomic<Int>(0)
    package let lockWaitNanoseconds = Atomic<Int>(0)

    package init() {}

    func add(_ count: Int = 1, to counter: borrowing Atomic<Int>) {
        counter.wrappingAdd(count, ordering: .relaxed)
    }

    func noteLockWait(since start: ContinuousClock.Instant) {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        add(to: lockWaits)
        add(
            Int(seconds) &* 1_000_000_000 &+ Int(attoseconds / 1_000_000_000),
            to: lockWaitNanoseconds)
    }
}
