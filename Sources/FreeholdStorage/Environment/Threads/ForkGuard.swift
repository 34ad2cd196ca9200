internal import Glibc
internal import Synchronization

/// Counts the forks that lead to this process, so that what belongs to a parent can be told apart.
///
/// A forked child inherits the memory of an open environment, but neither its writer thread nor its process
/// locks; and the reader slots it sees are its parent's. Nothing can be done with such an environment, not even
/// closing it. Each environment notes the count when it opens; in a child the numbers differ.
/// `posix_spawn` and `vfork` run no handlers and need none: they share no memory after `exec`.
enum ForkGuard {
    private static let count = Atomic<Int>(0)

    private static let installation: Void = {
        pthread_atfork(
            {
                EnvironmentRegistry.shared.prepareForFork()
                CommitWatcher.shared.prepareForFork()
            },
            {
                CommitWatcher.shared.continueInParentAfterFork()
                EnvironmentRegistry.shared.continueInParentAfterFork()
            },
            {
                ForkGuard.count.wrappingAdd(1, ordering: .relaxed)
                CommitWatcher.shared.continueInChildAfterFork()
                EnvironmentRegistry.shared.continueInChildAfterFork()
            })
    }()

    /// Watches for forks from now on.
    static func install() { _ = installation }

    /// The number of forks between the first process that used this library and this one.
    @inline(__always)
    static var generation: Int { count.load(ordering: .relaxed) }
}
