/// Decides which of the threads of ``SteppedThreads`` runs.
final class ThreadStepper: @unchecked Sendable {
    // @unchecked: the variables, including those of turns, are protected by `mutex`.

    /// One thread, from before its start to its end, or one piece of work of a queue.
    final class Turn: @unchecked Sendable {
        // @unchecked: see ``ThreadStepper``.
        enum State {
            case runnable
            case waiting(ObjectIdentifier)
            /// Waits with a timeout, which passes when nothing else can happen.
            case waitingForATime(ObjectIdentifier)
            case joining(Turn)
            /// Waits for a lock that another thread holds, until some other thread has run.
            case blocked
            /// Waits until all others wait.
            case settling
            /// Waits for another process.
            case parked
            case ended
        }

        fileprivate var state = State.runnable
        fileprivate var thread: ThreadHandle?
        /// The queue of the work. Pieces of work of one queue run one after the other.
        fileprivate let queue: ObjectIdentifier?
        fileprivate var isOutOfTime = false
        fileprivate let condition = SystemCondition()

        fileprivate init(_ queue: ObjectIdentifier?) {
            self.queue = queue
        }

        deinit { condition.deallocate() }
    }

    /// Not a ``Monitor``, which would call back here.
    private let mutex = SystemMutex()
    /// The turns that have not ended, in order of creation.
    private var turns: [Turn] = []
    /// Nil while every thread waits for a thread that does not take part.
    private var running: Turn?
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

    private var current: Turn? {
        turns.first { $0.thread?.isCurrent ?? false }
    }

    private var runnable: [Turn] {
        var queues: Set<ObjectIdentifier> = []
        return turns.filter { turn in
            if let queue = turn.queue, !queues.insert(queue).inserted { return false }
            return if case .runnable = turn.state { true } else { false }
        }
    }

    /// Chooses the thread that runs next; nil if none can.
    private func next() -> Turn? {
        let candidates = runnable
        if !candidates.isEmpty { return candidates[drawn(below: candidates.count)] }
        if let settling = turns.first(where: {
            if case .settling = $0.state { true } else { false }
        }) {
            return settling
        }
        if let timed = turns.first(where: {
            if case .waitingForATime = $0.state { true } else { false }
        }) {
            timed.isOutOfTime = true
            return timed
        }
        // Another thread waits for a parked one, which has to wait for another process.
        guard
            let parked = turns.first(where: { if case .parked = $0.state { true } else { false } })
        else { return nil }
        ThreadHandle.sleep(microseconds: 1000)
        return parked
    }

    private func run(_ turn: Turn?) {
        running = turn
        guard let turn else { return }
        turn.state = .runnable
        turn.condition.wakeOne()
    }

    /// Makes the threads that wait for a lock try again.
    private func unblock() {
        for turn in turns { if case .blocked = turn.state { turn.state = .runnable } }
    }

    /// Runs another thread, and waits for the caller's next turn.
    private func pass(from me: Turn) {
        unblock()
        pass(from: me, to: next())
    }

    private func pass(from me: Turn, to turn: Turn?) {
        run(turn)
        while running !== me { me.condition.wait(mutex) }
    }

    // MARK: Threads

    func begin(_ seed: UInt64) {
        locked {
            random = seed
            guard current == nil else { return }
            let turn = Turn(nil)
            turn.thread = .current
            turns.append(turn)
            running = turn
        }
    }

    func add(_ queue: ObjectIdentifier?) -> Turn {
        locked {
            let turn = Turn(queue)
            turns.append(turn)
            return turn
        }
    }

    func enter(_ turn: Turn) {
        locked {
            turn.thread = .current
            if running == nil { run(next()) }
            while running !== turn { turn.condition.wait(mutex) }
        }
    }

    func end(_ turn: Turn) {
        locked {
            turn.state = .ended
            turn.thread = nil
            turns.removeAll { $0 === turn }
            for other in turns {
                if case .joining(let joined) = other.state, joined === turn {
                    other.state = .runnable
                }
            }
            guard running === turn else { return }
            unblock()
            run(next())
        }
    }

    func join(_ turn: Turn) {
        locked {
            if case .ended = turn.state { return }
            guard let me = current else { return }
            me.state = .joining(turn)
            pass(from: me)
        }
    }

    // MARK: Waiting

    func settle() {
        locked {
            guard let me = current else { return }
            for turn in turns { if case .parked = turn.state { turn.state = .runnable } }
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
            for turn in turns where all || !hasWoken {
                switch turn.state {
                case .waiting(monitor), .waitingForATime(monitor):
                    turn.state = .runnable
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
