import Foundation
import Freehold

/// How long the writes of several threads took, and all together.
final class Waits: @unchecked Sendable {
    // @unchecked: protected by `lock`.

    private let lock = NSLock()
    private var times: [Double] = []
    private var start, last: ContinuousClock.Instant?

    func begin(_ now: ContinuousClock.Instant) { lock.withLock { start = now } }

    func end(_ now: ContinuousClock.Instant) { lock.withLock { last = now } }

    var seconds: Double {
        lock.withLock {
            guard let start, let last else { return 0 }
            return (last - start) / .seconds(1)
        }
    }

    func add(_ time: Double) { lock.withLock { times.append(time) } }

    var all: [Double] { lock.withLock { times } }
}

/// Realms of several queues, each used on its own.
final class Realms: @unchecked Sendable {
    // @unchecked: the array is protected by `lock`, each realm is used on its queue alone.

    private let lock = NSLock()
    private var realms: [Realm?] = []

    func add(_ realm: sending Realm) { lock.withLock { realms.append(realm) } }

    subscript(index: Int) -> Realm { lock.withLock { realms[index]! } }

    func remove(_ index: Int) {
        let removed = lock.withLock { realms[index].take() }
        withExtendedLifetime(removed) {}
    }
}

/// Looks at the process's own memory again and again, from another thread.
final class MemorySampler: @unchecked Sendable {
    // @unchecked: the variables are protected by `lock`.

    private let lock = NSLock()
    private var most = 0
    private var isRunning = true

    init() {
        Thread.detachNewThread { [self] in
            while lock.withLock({ isRunning }) {
                let now = ResidentMemory.ownBytes() ?? 0
                lock.withLock { most = max(most, now) }
                // A sample, not a wait for something: the peak may lie between two.
                usleep(20_000)
            }
        }
    }

    /// The most that was seen.
    func end() -> Int {
        let now = ResidentMemory.ownBytes() ?? 0
        return lock.withLock {
            isRunning = false
            return max(most, now)
        }
    }
}
