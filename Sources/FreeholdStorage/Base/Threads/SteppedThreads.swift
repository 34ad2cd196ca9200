internal import Synchronization

/// Runs the library's threads one at a time, in an order chosen by a seed, so that simulations
/// can be replayed.
///
/// A thread runs until it waits for a ``Monitor``; at some wakes, another thread runs instead.
/// So the seed decides how threads interleave with a commit, and machine load changes nothing.
/// While stepping is off, it costs one load where a thread waits or wakes another.
///
/// Threads of ``SystemThread`` take part, and so does queue work passed through
/// ``adopting(_:_:)``. Meanwhile other threads may use the library only to wake these.
package enum SteppedThreads {
    private static let isBegun = Atomic<Bool>(false)

    /// Created when stepping begins, and kept until the process ends.
    private static let stepper = ThreadStepper()

    @inline(__always)
    package static var isOn: Bool { isBegun.load(ordering: .relaxed) }

    /// Begins stepping with the calling thread as the running one. A later call changes the
    /// seed.
    package static func begin(seed: UInt64) {
        stepper.begin(seed)
        isBegun.store(true, ordering: .releasing)
    }

    /// Runs all other threads until each waits: for the caller, for the next call of this
    /// function, or for work. A thread that waits for another process checks once whether it
    /// still has to.
    package static func settle() { if isOn { stepper.settle() } }

    /// Runs another thread, or not, as the seed decides.
    package static func yield() { if isOn { stepper.yield() } }

    /// Waits until the next ``settle()``, because only another process can end the wait.
    static func waitForOthers() { stepper.park() }

    /// Returns the work wrapped so that it takes part like a thread. Submit it to the serial
    /// queue at once.
    package static func adopting(_ queue: AnyObject, _ work: @escaping @Sendable () -> Void)
        -> @Sendable () -> Void
    {
        guard let thread = newThread(of: ObjectIdentifier(queue)) else { return work }
        return {
            enter(thread)
            work()
            end(thread)
        }
    }

    /// Registers a thread before its start; nil while stepping is off.
    static func newThread(of queue: ObjectIdentifier? = nil) -> ThreadStepper.SteppedThread? {
        isOn ? stepper.add(queue) : nil
    }

    /// Registers that a thread has begun, and waits until it may run.
    static func enter(_ thread: ThreadStepper.SteppedThread?) {
        if let thread { stepper.enter(thread) }
    }

    /// Registers that a thread has ended.
    static func end(_ thread: ThreadStepper.SteppedThread?) {
        if let thread { stepper.end(thread) }
    }

    /// Removes a thread that the system could not start.
    static func discard(_ thread: ThreadStepper.SteppedThread?) { end(thread) }

    static func waitForEnd(of thread: ThreadStepper.SteppedThread) { stepper.join(thread) }

    // MARK: Monitors

    /// As `Monitor.wait`. Nil if the caller does not take part.
    static func wait(for monitor: Monitor, isTimed: Bool) -> Bool? {
        stepper.wait(monitor, isTimed)
    }

    /// Registers that a thread has woken others; called after the wake.
    static func wake(_ monitor: Monitor, all: Bool) { stepper.wake(ObjectIdentifier(monitor), all) }

    /// Takes a lock that another thread holds.
    static func lock(_ monitor: Monitor) { stepper.lock(monitor) }
}
