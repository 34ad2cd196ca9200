/// Calls back when a time has come: offers of turns that were not accepted, writes that have
/// waited long enough.
///
/// One thread a file, which starts with the first deadline and ends when there has been none
/// for a while. It does not keep the file open; a call may, for as long as it takes.
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
    /// Whether deadlines pass by ``fireNext()`` only. For tests, which so see every order and
    /// wait for no time.
    private var isManual = SteppedThreads.isOn
    /// The time by hand: that of the deadline that passed last.
    private var manualNow = ContinuousClock.now
    /// What the thread sleeps until.
    private var wakeTime: ContinuousClock.Instant?

    /// Calls back at a time, on a thread of the library's, unless disarmed before.
    ///
    /// - Parameter mayBeEarly: Whether to call at once, here, where the system gives no thread.
    ///   Else the call is made when there is one again.
    /// - Returns: For ``disarm(_:)``.
    @discardableResult
    func arm(
        at time: ContinuousClock.Instant, path: String, mayBeEarly: Bool = false,
        _ call: @escaping @Sendable () -> Void
    ) -> UInt64 {
        arm(at: time, after: nil, path, mayBeEarly, call)
    }

    /// As ``arm(at:path:mayBeEarly:_:)``, when a while has passed. By hand it passes in exactly
    /// this order, however long a step takes.
    @discardableResult
    func arm(
        after duration: Duration, path: String, mayBeEarly: Bool = false,
        _ call: @escaping @Sendable () -> Void
    ) -> UInt64 {
        arm(at: .now + duration, after: duration, path, mayBeEarly, call)
    }

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

    /// Takes a deadline back. It may be calling just now.
    func disarm(_ id: UInt64) {
        // The call may hold a last reference: it goes without the lock.
        let removed = monitor.withLock { entries.removeValue(forKey: id) }
        withExtendedLifetime(removed) {}
    }

    /// From now on no time passes.
    func stepByHand() { monitor.withLock { isManual = true } }

    /// The time by hand at which a deadline passes, to the millisecond: the order of deadlines
    /// must not depend on how long steps take. Under the monitor.
    private func manualTime(_ time: ContinuousClock.Instant) -> ContinuousClock.Instant {
        manualNow + .milliseconds(((time - .now) / .milliseconds(1)).rounded())
    }

    /// How many deadlines there are.
    var count: Int { monitor.withLock { entries.count } }

    /// Lets the time of the next deadline come. False if there is none.
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

    /// What is due; nil when there was nothing to wait for.
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
