package import Synchronization

/// What happened with an open file in this process since it was opened. Counted where it
/// happens, at no lock; read at any time from any thread.
///
/// Each number is right by itself; several that are read together may stand at different moments.
package final class ActivityCounters: Sendable {
    /// Versions that this process made.
    package let commits = Atomic<Int>(0)
    /// The bytes of keys and values that commits gave to LMDB. The pages that it writes are
    /// whole ones, so more.
    package let bytesWritten = Atomic<Int>(0)
    /// Clusters that were looked up in the file, because a version that is being read had not
    /// asked for them before.
    package let clusterReads = Atomic<Int>(0)
    /// Records of encrypted files that a version or a transaction asked for first and that were
    /// decrypted already, and those that were not.
    package let cacheHits = Atomic<Int>(0)
    package let cacheMisses = Atomic<Int>(0)
    /// Walks through all pages before a commit; none where the file was left sound.
    package let pageWalks = Atomic<Int>(0)
    /// Write transactions that were begun, and the nanoseconds that they waited for their turn,
    /// in this process and for others.
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
