/// Decides which of the threads of ``SteppedThreads`` runs.
final class ThreadStepper: @unchecked Sendable {
    // @unchecked: the variables, including those of threads, are protected by `mutex`.

    /// One thread, from before its start to its end, or one piece of work of a queue.
    final class SteppedThread: @unchecked Sendable {
        // @unchecked: see ``ThreadStepper``.
        enum State {
            case runnable
            case waiting(ObjectIdentifier)
            /// Waits with a timeout, which passes when nothing else can happen.
            case waitingForATime(ObjectIdentifier)
            case joining(SteppedThread)
            /// Waits for a lock that another thread holds, until some other thread has run.
            case blocked
            /// Waits until all others wait.
            case settling
            /// Waits for another process.
            case parked
            case ended
        }

        fileprivate var state = State.runnable
        fileprivate var handle: ThreadHandle?
        /// The queue of the work. Pieces of work of one queue run one after the other.
        fileprivate let queue: ObjectIdentifier?
        fileprivate var isOutOfTime = false
        fileprivate let condition = SystemCondition()

        fileprivate init(_ queue: ObjectIdentifier?) { self.queue = queue }

        deinit { condition.deallocate() }
    }

    /// Not a ``Monitor``, which would call back here.
    private let mutex = SystemMutex()
    /// The threads that have not ended, in order of creation.
    private var threads: [SteppedThread] = []
    /// Nil while every thread waits for a thread that does not take part.
    private var running: SteppedThread?
    private var random: UInt64 = 0

    private func locked<Result>(_ body: () -> Result) -> Result {
        mutex.lock()
        defer { mutex.unlock() }
        return body()
    }

    // MARK: Choosing; under the mutex

    /// Returns a random number below `count`, by splitmix64.
    private func drawn(below count: Int) -> Int {
        random &+= 0x9E37_79B9_7F4A_7C15
        var bits = random
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ bits >> 31) % UInt64(count))
    }

    private var current: SteppedThread? { threads.first { $0.handle?.isCurrent ?? false } }

    private var runnable: [SteppedThread] {
        var queues: Set<ObjectIdentifier> = []
        return threads.filter { thread in
            if let queue = thread.queue, !queues.insert(queue).inserted { return false }
            return if case .runnable = thread.state { true } else { false }
        }
    }

    /// Chooses the thread that runs next; nil if none can.
    private func next() -> SteppedThread? {
        let candidates = runnable
        if !candidates.isEmpty { return candidates[drawn(below: candidates.count)] }
        if let settling = threads.first(where: {
            if case .settling = $0.state { true } else { false }
        }) {
            return settling
        }
        if let timed = threads.first(where: {
            if case .waitingForATime = $0.state { true } else { false }
        }) {
            timed.isOutOfTime = true
            return timed
        }
        // Another thread waits for a parked one, which has to wait for another process.
        guard
            let parked = threads.first(where: { if case .parked = $0.state { true } else { false } }
            )
        else { return nil }
        ThreadHandle.sleep(microseconds: 1000)
        return parked
    }

    private func run(_ thread: SteppedThread?) {
        running = thread
        guard let thread else { return }
        thread.state = .runnable
        thread.condition.wakeOne()
    }

    /// Makes the threads that wait for a lock try again.
    private func unblock() {
        for thread in threads { if case .blocked = thread.state { thread.state = .runnable } }
    }

    /// Runs another thread, and waits until the caller may run again.
    private func pass(from me: SteppedThread) {
        unblock()
        pass(from: me, to: next())
    }

    private func pass(from me: SteppedThread, to thread: SteppedThread?) {
        run(thread)
        while running !== me { me.condition.wait(mutex) }
    }

    // MARK: Threads

    func begin(_ seed: UInt64) {
        locked {
            random = seed
            guard current == nil else { return }
            let thread = SteppedThread(nil)
            thread.handle = .current
            threads.append(thread)
            running = thread
        }
    }

    func add(_ queue: ObjectIdentifier?) -> SteppedThread {
        locked {
            let thread = SteppedThread(queue)
            threads.append(thread)
            return thread
        }
    }

    func enter(_ thread: SteppedThread) {
        locked {
            thread.handle = .current
            if running == nil { run(next()) }
            while running !== thread { thread.condition.wait(mutex) }
        }
    }

    func end(_ thread: SteppedThread) {
        locked {
            thread.state = .ended
            thread.handle = nil
            threads.removeAll { $0 === thread }
            for other in threads {
                if case .joining(let joined) = other.state, joined === thread {
                    other.state = .runnable
                }
            }
            guard running === thread else { return }
            unblock()
            run(next())
        }
    }

    func join(_ thread: SteppedThread) {
        locked {
            if case .ended = thread.state { return }
            guard let me = current else { return }
            me.state = .joining(thread)
            pass(from: me)
        }
    }

    // MARK: Waiting

    func settle() {
        locked {
            guard let me = current else { return }
            for thread in threads { if case .parked = thread.state { thread.state = .runnable } }
            me.state = .settling
            pass(from: me)
        }
    }

    func yield() {
        locked {
            guard let me = current else { return }
            pass(from: me)
        }
    }

    func park() {
        locked {
            guard let me = current else {
                ThreadHandle.sleep(microseconds: 1000)
                return
            }
            me.state = .parked
            pass(from: me)
        }
    }

    func wait(_ monitor: Monitor, _ isTimed: Bool) -> Bool? {
        let isInTime = locked { () -> Bool? in
            guard let me = current else { return nil }
            let monitorID = ObjectIdentifier(monitor)
            me.state = isTimed ? .waitingForATime(monitorID) : .waiting(monitorID)
            me.isOutOfTime = false
            monitor.unlock()
            pass(from: me)
            return !me.isOutOfTime
        }
        if isInTime != nil { monitor.lock() }
        return isInTime
    }

    func wake(_ monitor: ObjectIdentifier, _ all: Bool) {
        locked {
            var hasWoken = false
            for thread in threads where all || !hasWoken {
                switch thread.state {
                case .waiting(monitor), .waitingForATime(monitor):
                    thread.state = .runnable
                    hasWoken = true
                default: break
                }
            }
            guard hasWoken else { return }
            // The waking thread does not take part.
            if running == nil { return run(next()) }
            guard let me = current, drawn(below: 2) == 0 else { return }
            pass(from: me)
        }
    }

    func lock(_ monitor: Monitor) {
        while !monitor.tryLock() {
            let hasPassed = locked { () -> Bool in
                guard let me = current else { return false }
                me.state = .blocked
                guard let other = next() else {
                    me.state = .runnable
                    return false
                }
                pass(from: me, to: other)
                return true
            }
            // A thread that does not take part holds the lock.
            if !hasPassed { return monitor.lockAndWait() }
        }
    }
}
