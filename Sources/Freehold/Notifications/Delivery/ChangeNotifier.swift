import Dispatch
import FreeholdStorage

/// Tells the live realms of one file that there is a newer version, and their observers what
/// changed.
///
/// It hears of every commit: of this process by ``Store/onCommit(_:)``, of others by
/// ``Store/watchCommits(_:)``. A commit costs a look at whether any realm listens; if one does,
/// the notifier's queue is woken, which finds the newest version, has each realm's changes
/// computed (``RealmListener``), and leaves the results with the realm's scheduler. Commits
/// that come meanwhile are one round more, however many they are.
final class ChangeNotifier: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.

    private let store: Store
    private let queue: DispatchQueue
    private let monitor = Monitor()
    /// By their numbers: in a simulation, their order must not depend on addresses.
    private var listeners: [UInt64: RealmListener] = [:]
    /// Whether a round is going to begin.
    private var isSignalled = false
    /// Whether a round is under way, which keeps what its realms had open.
    private var isAtWork = false
    /// Hears of other processes' commits, once a realm listened.
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
        // Not by the caller, whom opening a realm should not hold up.
        if isFirst { runLater { [weak self] in self?.startWatching() } }
    }

    func remove(_ listener: RealmListener) {
        let removed = monitor.withLock { listeners.removeValue(forKey: listener.number) }
        withExtendedLifetime(removed) {}
    }

    /// What observers keep, and what is on its way to them, with the realms of the observers.
    var heldVersions:
        [(
            version: UInt64, holder: Realm.PinnedVersion.Holder, since: UInt64,
            confinement: Confinement
        )]
    {
        let listening = monitor.withLock { Array(listeners.values) }
        return listening.flatMap { listener in
            listener.heldVersions.map {
                ($0.version, $0.holder, $0.since, listener.origin.confinement)
            }
        }
    }

    private func startWatching() {
        let watch = store.watchCommits { [weak self] in self?.signal() }
        monitor.withLock { self.watch = watch }
        // Nobody told of what was committed before the watch began.
        signal()
    }

    /// There may be a newer version, or a new observer. Any thread.
    func signal() {
        let begins = monitor.withLock { () -> Bool in
            if listeners.isEmpty || isSignalled { return false }
            isSignalled = true
            return true
        }
        if begins { runLater { [weak self] in self?.run() } }
    }

    private func runLater(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: SteppedThreads.adopting(queue, work))
    }

    /// Whether the notifier itself may be what keeps the file open.
    var mayKeepFileOpen: Bool { monitor.withLock { isAtWork } }

    /// On the queue.
    private func run() {
        runRound()
        // What the round kept is released.
        monitor.withLock { isAtWork = false }
    }

    private func runRound() {
        let listening = monitor.withLock { () -> [RealmListener] in
            isSignalled = false
            isAtWork = true
            return Array(listeners.values)
        }
        // Damage, or no free slot for a reader: whoever reads next is told.
        guard let newest = try? store.newestSnapshot() else { return }
        for listener in listening {
            // To compute the changes may take long.
            let hold = listener.hold(newest.version)
            listener.prepare(newest)
            withExtendedLifetime(hold) {}
        }
    }

    /// Waits until all rounds that were signalled are over. For tests.
    func settle() { queue.sync {} }
}
