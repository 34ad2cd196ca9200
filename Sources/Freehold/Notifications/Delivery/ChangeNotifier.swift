import Dispatch
import FreeholdStorage

/// Notifies the live realms of one file of newer versions, and their observers of changes.
///
/// Receives every commit: those of this process from ``Store/onCommit(_:)``, those of others
/// from ``Store/watchCommits(_:)``. A commit only checks whether any realm listens, and if so
/// wakes the notifier's queue. The queue finds the newest version, has each realm's changes
/// computed (``RealmListener``), and hands the results to the realm's scheduler. All commits
/// during a round cause one more round.
final class ChangeNotifier: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.

    private let store: Store
    private let queue: DispatchQueue
    private let monitor = Monitor()
    /// By their numbers, because the order must not depend on addresses in a simulation.
    private var listeners: [UInt64: RealmListener] = [:]
    /// What else is called after each commit: whatever waits for history.
    private var waiters: [UInt64: @Sendable () -> Void] = [:]
    private var nextWaiter: UInt64 = 0
    /// Whether a round is scheduled.
    private var isSignalled = false
    /// Whether a round is running, which keeps the files of its realms open.
    private var isAtWork = false
    /// Receives other processes' commits, once a realm has listened.
    private var watch: CommitWatch?
    private var isWatching = false

    init(_ store: Store) {
        self.store = store
        queue = DispatchQueue(label: "io.freehold.notifier", qos: .userInitiated)
    }

    func add(_ listener: RealmListener) {
        let isFirst = monitor.withLock { () -> Bool in
            listeners[listener.number] = listener
            defer { isWatching = true }
            return !isWatching
        }
        // Not on the calling thread, so that opening a realm does not wait for it.
        if isFirst { runLater { [weak self] in self?.startWatching() } }
    }

    /// Calls a function when there may be a newer version, of any process. It may be called on any
    /// thread, and must be short.
    ///
    /// - Returns: A number for ``removeWaiter(_:)``.
    func addWaiter(_ call: @escaping @Sendable () -> Void) -> UInt64 {
        let (number, isFirst) = monitor.withLock { () -> (UInt64, Bool) in
            nextWaiter += 1
            waiters[nextWaiter] = call
            defer { isWatching = true }
            return (nextWaiter, !isWatching)
        }
        if isFirst { runLater { [weak self] in self?.startWatching() } }
        return number
    }

    func removeWaiter(_ number: UInt64) {
        let removed = monitor.withLock { waiters.removeValue(forKey: number) }
        withExtendedLifetime(removed) {}
    }

    func remove(_ listener: RealmListener) {
        let removed = monitor.withLock { listeners.removeValue(forKey: listener.number) }
        withExtendedLifetime(removed) {}
    }

    /// The versions that observers keep, and those of pending changes, with the observers'
    /// realms.
    var pinnedVersions:
        [(
            version: UInt64, holder: Realm.PinnedVersion.Holder, since: UInt64,
            confinement: Confinement
        )]
    {
        let listening = monitor.withLock { Array(listeners.values) }
        return listening.flatMap { listener in
            listener.pinnedVersions.map {
                ($0.version, $0.holder, $0.since, listener.origin.confinement)
            }
        }
    }

    private func startWatching() {
        let watch = store.watchCommits { [weak self] in self?.signal() }
        monitor.withLock { self.watch = watch }
        // There was no notification of commits before the watch began.
        signal()
    }

    /// Signals that there may be a newer version or a new observer. Any thread.
    func signal() {
        let (begins, called) = monitor.withLock { () -> (Bool, [@Sendable () -> Void]) in
            let called = waiters.isEmpty ? [] : Array(waiters.values)
            if listeners.isEmpty || isSignalled { return (false, called) }
            isSignalled = true
            return (true, called)
        }
        for call in called { call() }
        if begins { runLater { [weak self] in self?.run() } }
    }

    private func runLater(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: SteppedThreads.adopting(queue, work))
    }

    /// Whether the notifier itself may be what keeps the file open.
    var mayKeepFileOpen: Bool { monitor.withLock { isAtWork } }

    /// Runs on the queue.
    private func run() {
        runRound()
        // By here, everything that the round kept is released.
        monitor.withLock { isAtWork = false }
    }

    private func runRound() {
        let listening = monitor.withLock { () -> [RealmListener] in
            isSignalled = false
            isAtWork = true
            return Array(listeners.values)
        }
        // Damage, or no free reader slot: the next reader gets the error.
        guard let newest = try? store.newestSnapshot() else { return }
        for listener in listening {
            // Computing the changes may take long.
            let pin = listener.pin(newest.version)
            listener.prepare(newest)
            withExtendedLifetime(pin) {}
        }
    }

    /// Waits until all signalled rounds have ended. For tests.
    func settle() { queue.sync {} }
}
