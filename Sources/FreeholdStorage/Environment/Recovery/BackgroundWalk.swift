internal import Synchronization

/// A walk of a file's pages on a thread of low priority, through a descriptor of its own.
///
/// Nothing waits for it: no commit, no fork, and not the end of the environment, which cancels it.
final class BackgroundWalk: Sendable {
    private enum State {
        case waiting, running
        case ended(StorageError?)
    }

    private let monitor = Monitor()
    private let state = Locked(State.waiting)
    private let isCancelled = Atomic<Bool>(false)

    /// The damage that the walk found.
    var damage: StorageError? {
        state.withLock { if case .ended(let damage) = $0 { damage } else { nil } }
    }

    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// - Parameters:
    ///   - reader: Its pages do not change during the walk, which closes its descriptor.
    ///   - soundness: Where a walk that finds no damage is noted.
    func start(_ reader: PageReader, noting soundness: PageSoundness) {
        let path = reader.path
        state.withLock { $0 = .running }
        do throws(StorageError) {
            try SystemThread.start(
                named: "freehold-walk", to: "check the pages", path: path
            ) { self.run(reader, noting: soundness) }.detach()
        } catch {
            // The next commits go on judging pages one by one.
            EventLog.say(.warning, "\(path): its pages are not walked: \(error)")
            Files.close(reader.descriptor)
            end(nil)
        }
    }

    /// Waits until the walk has ended, if it was started.
    func wait() {
        monitor.withLock {
            while state.withLock({ if case .running = $0 { true } else { false } }) {
                monitor.wait()
            }
        }
    }

    private func run(_ reader: PageReader, noting soundness: PageSoundness) {
        ThreadHandle.lowerPriority()
        let pace = Pace(path: reader.path, pageCount: Int(reader.meta.lastPage) + 1)
        var reader = reader
        reader.onPage = { () throws(StorageError) in
            if self.isCancelled.load(ordering: .relaxed) {
                throw StorageError(.closed, "The walk was cancelled.", path: pace.path)
            }
            pace.notePage()
        }
        var damage: StorageError?
        do throws(StorageError) {
            try reader.walk()
            soundness.note()
            EventLog.say(.info, "\(reader.path): all pages are sound")
        } catch {
            if error.code == .corrupted || error.code == .truncated {
                damage = error
                EventLog.say(.error, "\(reader.path) is read-only from now on: \(error)")
            } else if error.code != .closed {
                EventLog.say(.warning, "\(reader.path): its pages could not be walked: \(error)")
            }
        }
        Files.close(reader.descriptor)
        end(damage)
    }

    private func end(_ damage: StorageError?) {
        monitor.withLock {
            state.withLock { $0 = .ended(damage) }
            monitor.wakeAll()
        }
    }
}

/// Leaves most of the medium's time to others, and reports progress.
private final class Pace: @unchecked Sendable {
    // @unchecked: only the walk's thread uses it.
    let path: String
    private let pageCount: Int
    private var count = 0
    private var start = ContinuousClock.now

    private static let pagesBetweenRests = 64
    private static let pagesBetweenReports = 1 << 16
    /// The rest is so many times as long as the work before it.
    private static let restFactor = 3
    private static let longestRest = Duration.milliseconds(100)

    init(path: String, pageCount: Int) {
        self.path = path
        self.pageCount = pageCount
    }

    func notePage() {
        count += 1
        if count % Self.pagesBetweenReports == 0 {
            EventLog.say(.info, "\(path): checked \(count) pages of at most \(pageCount)")
        }
        guard count % Self.pagesBetweenRests == 0 else { return }
        let rest = min((ContinuousClock.now - start) * Self.restFactor, Self.longestRest)
        ThreadHandle.sleep(microseconds: UInt32(rest / .microseconds(1)))
        start = ContinuousClock.now
    }
}
