/// Calls back at set times: for offers of write grants that were not accepted, and for writes
/// that waited too long.
///
/// One thread per file, which starts with the first deadline and ends after a while without
/// any. The thread does not keep the file open; a call may do so while it runs.
final class Deadlines: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.
    private struct Entry {
        let time: ContinuousClock.Instant
        let call: @Sendable () -> Void
    }

    private let monitor = Monitor()
    private var entries: [UInt64: Entry] = [:]
    private var lastID: UInt64 = 0
    private var isRunning = false
    /// Whether deadlines pass only by ``fireNext()``. Tests use it to see every order without
    /// waiting.
    private var isManual = SteppedThreads.isOn
    /// The manual clock: the time of the last deadline that passed.
    private var manualNow = ContinuousClock.now
    /// When the thread's current sleep ends.
    private var wakeTime: ContinuousClock.Instant?

    /// Calls back at a time, on a thread of the library, unless disarmed earlier.
    ///
    /// - Parameter mayBeEarly: Whether to call immediately, on this thread, if the system can
    ///   start no thread. Otherwise the call waits until it can.
    /// - Returns: The identifier for ``disarm(_:)``.
    @discardableResult
    func arm(
        at time: ContinuousClock.Instant, path: String, mayBeEarly: Bool = false,
        _ call: @escaping @Sendable () -> Void
    ) -> UInt64 { arm(at: time, after: nil, path, mayBeEarly, call) }

    /// As ``arm(at:path:mayBeEarly:_:)``, after a duration. On the manual clock, deadlines pass
    /// in exactly the order of their times, however long a step takes.
    @discardableResult
    func arm(
        after duration: Duration, path: String, mayBeEarly: Bool = false,
        _ call: @escaping @Sendable () -> Void
    ) -> UInt64 { arm(at: .now + duration, after: duration, path, mayBeEarly, call) }

    private func arm(
        at time: ContinuousClock.Instant, after duration: Duration?, _ path: String,
        _ mayBeEarly: Bool, _ call: @escaping @Sendable () -> Void
    ) -> UInt64 {
        monitor.lock()
        lastID += 1
        let id = lastID
        if !isRunning, !isManual {
            do {
                try SystemThread.start(
                    named: "freehold-timer", to: "start the timer thread", path: path
                ) { self.run() }.detach()
                isRunning = true
            } catch  where mayBeEarly {
                monitor.unlock()
                call()
                return id
            } catch {}
        }
        entries[id] = Entry(
            time: isManual ? duration.map { manualNow + $0 } ?? manualTime(time) : time, call: call)
        let isEarlier = wakeTime.map { time < $0 } ?? false
        monitor.unlock()
        if isEarlier { monitor.wakeOne() }
        return id
    }

    /// Removes a deadline. Its call may already be running.
    func disarm(_ id: UInt64) {
        // The call may hold a last reference, so it is released outside of the lock.
        let removed = monitor.withLock { entries.removeValue(forKey: id) }
        withExtendedLifetime(removed) {}
    }

    /// Switches to the manual clock: from this call on, no time passes by itself.
    func stepByHand() { monitor.withLock { isManual = true } }

    /// Converts a time to the manual clock, rounded to the millisecond: the order of deadlines
    /// must not depend on how long steps take. Under the monitor.
    private func manualTime(_ time: ContinuousClock.Instant) -> ContinuousClock.Instant {
        manualNow + .milliseconds(((time - .now) / .milliseconds(1)).rounded())
    }

    /// The number of pending deadlines.
    var count: Int { monitor.withLock { entries.count } }

    /// Advances the manual clock to the next deadline and calls it. Returns false if there is
    /// none.
    func fireNext() -> Bool {
        let next = monitor.withLock { () -> Entry? in
            guard
                let id = entries.min(by: { ($0.value.time, $0.key) < ($1.value.time, $1.key) })?.key
            else { return nil }
            let next = entries.removeValue(forKey: id)
            if let next { manualNow = max(manualNow, next.time) }
            return next
        }
        next?.call()
        return next != nil
    }

    private func run() {
        while let calls = nextCalls() { for call in calls { call() } }
    }

    /// Waits for calls that are due and returns them; nil after a while without deadlines.
    private func nextCalls() -> [@Sendable () -> Void]? {
        monitor.lock()
        defer { monitor.unlock() }
        var isIdle = false
        while true {
            let now = ContinuousClock.now
            let due = entries.filter { $0.value.time <= now }
            if !due.isEmpty {
                for id in due.keys { entries[id] = nil }
                return due.sorted { $0.value.time < $1.value.time }.map { $0.value.call }
            }
            let next = entries.values.map(\.time).min()
            if next == nil, isIdle {
                isRunning = false
                return nil
            }
            let wakeTime = next ?? now + .seconds(1)
            self.wakeTime = wakeTime
            isIdle = !monitor.wait(for: wakeTime - now) && next == nil
            self.wakeTime = nil
        }
    }
}
