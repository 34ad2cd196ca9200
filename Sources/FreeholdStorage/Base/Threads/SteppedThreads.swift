internal import Synchronization

/// Lets the library's threads run one at a time, in an order that a seed chooses. For
/// simulations that replay.
///
/// A thread runs until it waits for a ``Monitor``; at some of the wakes another one goes on,
/// too. So a seed decides what a commit meets on its way, and a loaded machine changes nothing.
/// While it is off, it costs a load where a thread waits or wakes another one.
///
/// Threads of ``SystemThread`` take part, and the work of queues that is passed on with
/// ``adopting(_:_:)``. No other thread may use the library meanwhile but to wake those.
package enum SteppedThreads {
    private static let isBegun = Atomic<Bool>(false)

    /// Created when stepping begins, and kept.
    private static let stepper = ThreadStepper()

    @inline(__always)
    package static var isOn: Bool { isBegun.load(ordering: .relaxed) }

    /// Begins with the calling thread, which runs. Again: goes on with another seed.
    package static func begin(seed: UInt64) {
        stepper.begin(seed)
        isBegun.store(true, ordering: .releasing)
    }

    /// Lets all others run until each waits: for the caller, for the next call of this, or for
    /// work. Those that wait for another process look once whether they still have to.
    package static func settle() { if isOn { stepper.settle() } }

    /// Lets another thread go on, or not.
    package static func yield() { if isOn { stepper.yield() } }

    /// Waits until the next ``settle()``, as what is waited for is another process's.
    static func waitForOthers() { stepper.park() }

    /// Work for a serial queue, which takes part like a thread. Submit it at once.
    package static func adopting(_ queue: AnyObject, _ work: @escaping @Sendable () -> Void)
        -> @Sendable () -> Void
    {
        guard let turn = newTurn(of: ObjectIdentifier(queue)) else { return work }
        return {
            enter(turn)
            work()
            end(turn)
        }
    }

    /// For a thread that is about to be started; nil while stepping is off.
    static func newTurn(of queue: ObjectIdentifier? = nil) -> ThreadStepper.Turn? {
        isOn ? stepper.add(queue) : nil
    }

    /// A thread begins; it waits until it may run.
    static func enter(_ turn: ThreadStepper.Turn?) { if let turn { stepper.enter(turn) } }

    /// A thread ends.
    static func end(_ turn: ThreadStepper.Turn?) { if let turn { stepper.end(turn) } }

    /// The thread was not to be had.
    static func discard(_ turn: ThreadStepper.Turn?) { end(turn) }

    static func waitForEnd(of turn: ThreadStepper.Turn) { stepper.join(turn) }

    // MARK: Monitors

    /// As `Monitor.wait`. Nil if the caller does not take part.
    static func wait(for monitor: Monitor, isTimed: Bool) -> Bool? {
        stepper.wait(monitor, isTimed)
    }

    /// Behind a wake.
    static func wake(_ monitor: Monitor, all: Bool) { stepper.wake(ObjectIdentifier(monitor), all) }

    /// Takes a lock that another thread has.
    static func lock(_ monitor: Monitor) { stepper.lock(monitor) }
}
