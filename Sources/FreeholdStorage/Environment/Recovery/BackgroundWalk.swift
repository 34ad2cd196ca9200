internal import Synchronization

/// A walk of a file's pages on a thread of low priority, through a descriptor of its own.
///
/// It rests three quarters of the time, until a commit needs its result (``hurry()``). A cancelled
/// walk ends before the next page.
final class BackgroundWalk: Sendable {
    private struct State: Sendable {
        var isRunning = false
        var isCancelled = false
        var isHurried = false
        var damage: StorageError?
    }

    private let monitor = Monitor()
    /// Changes under `monitor`.
    private let state = Locked(State())
    /// Called before each page, for tests that step the walk.
    private let onPage: (@Sendable (Int) -> Void)?

    init(onPage: (@Sendable (Int) -> Void)?) { self.onPage = onPage }

    /// The damage that the walk found.
    var damage: StorageError? { state.withLock { $0.damage } }

    /// Ends the walk without a result.
    func cancel() { change { $0.isCancelled = true } }

    /// Lets the walk rest no more, because a commit waits for it, or soon will.
    func hurry() { change { $0.isHurried = true } }

    /// Waits until the walk has ended, if it was started. The walk calls nothing of the program's.
    func wait() {
        monitor.withLock {
            while state.withLock({ $0.isRunning }) { monitor.wait() }
        }
    }

    private func change(_ change: (inout sending State) -> Void) {
        monitor.withLock {
            state.withLock { change(&$0) }
            monitor.wakeAll()
        }
    }

    /// - Parameters:
    ///   - reader: Its pages do not change during the walk, which closes its descriptor.
    ///   - soundness: Where a walk that finds no damage is noted.
    func start(_ reader: PageReader, noting soundness: PageSoundness) {
        let path = reader.path
        change { $0.isRunning = true }
        do throws(StorageError) {
            try SystemThread.start(
                named: "freehold-walk", to: "check the pages", path: path
            ) { self.run(reader, noting: soundness) }.detach()
        } catch {
            // The next commits go on judging pages one by one.
            EventLog.sayLater(.warning, "\(path): its pages are not walked: \(error)")
            Files.close(reader.descriptor)
            change { $0.isRunning = false }
        }
    }

    private func run(_ reader: PageReader, noting soundness: PageSoundness) {
        ThreadHandle.lowerPriority()
        ThreadHandle.useMedium(onlyWhenIdle: true)
        let pace = Pace(reader)
        var reader = reader
        reader.onPage = { () throws(StorageError) in
            self.onPage?(pace.count)
            let state = self.state(after: pace.notePage())
            if state.isCancelled {
                throw StorageError(.closed, "The walk was cancelled.", path: pace.path)
            }
            pace.goOn(isHurried: state.isHurried)
        }
        var damage: StorageError?
        do throws(StorageError) {
            try reader.walk()
            soundness.note()
            EventLog.sayLater(.info, "\(reader.path): all pages are sound")
        } catch {
            if error.code == .corrupted || error.code == .truncated {
                damage = error
                EventLog.sayLater(.error, "\(reader.path) is read-only from now on: \(error)")
            } else if error.code != .closed {
                EventLog.sayLater(
                    .warning, "\(reader.path): its pages could not be walked: \(error)")
            }
        }
        Files.close(reader.descriptor)
        change {
            $0.damage = damage
            $0.isRunning = false
        }
    }

    private func state(after rest: Duration?) -> State {
        guard let rest else { return state.withLock { $0 } }
        return monitor.withLock {
            let state = state.withLock { $0 }
            if state.isCancelled || state.isHurried { return state }
            monitor.wait(for: rest)
            return self.state.withLock { $0 }
        }
    }
}

/// When the walk rests, so that most of the medium's time is left to others, and reports.
private final class Pace: @unchecked Sendable {
    // @unchecked: only the walk's thread uses it.
    let path: String
    private let pageCount: UInt64
    private(set) var count = 0
    private var start = ContinuousClock.now
    private var isHurried = false

    private static let pagesBetweenRests = 64
    private static let pagesBetweenReports = 1 << 16
    /// The rest is so many times as long as the work before it.
    private static let restFactor = 3
    /// A suspended machine must not make a long rest.
    private static let longestRest = Duration.seconds(5)

    init(_ reader: PageReader) {
        path = reader.path
        pageCount = reader.meta.lastPage + 1
    }

    /// Returns the time to rest, if it is time.
    func notePage() -> Duration? {
        count += 1
        if count % Self.pagesBetweenReports == 0 {
            EventLog.sayLater(.info, "\(path): checked \(count) pages of at most \(pageCount)")
        }
        guard count % Self.pagesBetweenRests == 0 else { return nil }
        return min((ContinuousClock.now - start) * Self.restFactor, Self.longestRest)
    }

    func goOn(isHurried: Bool) {
        if count % Self.pagesBetweenRests == 0 { start = ContinuousClock.now }
        guard isHurried, !self.isHurried else { return }
        self.isHurried = true
        ThreadHandle.useMedium(onlyWhenIdle: false)
    }
}
