import Freehold
import FreeholdStorage
import OpenCombine

/// Where an observation's callback sends what it is told.
class ObservationSink<Output, Failure: Error>: @unchecked Sendable {
    // @unchecked: has no state; see the subclass.

    func send(_ value: Output) { fatalError("abstract") }
    func finish(_ completion: Subscribers.Completion<Failure>) { fatalError("abstract") }
}

/// A subscriber's observation.
///
/// It is paused while there is no demand: nothing is computed then, and what changes is told as
/// one change afterwards.
final class ObservationSubscription<Downstream: Subscriber>: ObservationSink<
    Downstream.Input, Downstream.Failure
>, Subscription, @unchecked Sendable
{
    // @unchecked: the variables are protected by `monitor`; the subscriber is called where the
    // observation calls back.

    private let monitor = Monitor()
    /// Nil once it is over.
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var token: NotificationToken?
    /// Begins to observe; nil once that was done.
    private var observe:
        ((ObservationSink<Downstream.Input, Downstream.Failure>) -> NotificationToken)?
    private let save: ((NotificationToken) -> Void)?

    init(
        _ downstream: Downstream, save: ((NotificationToken) -> Void)?,
        _ observe:
            @escaping (ObservationSink<Downstream.Input, Downstream.Failure>) -> NotificationToken
    ) {
        self.downstream = downstream
        self.save = save
        self.observe = observe
    }

    func request(_ more: Subscribers.Demand) {
        monitor.lock()
        guard downstream != nil, more > .none else { return monitor.unlock() }
        let wasIdle = demand == .none
        demand += more
        var begun: NotificationToken?
        if let observe {
            // The callback, which comes on a queue perhaps before `observe` returns, waits in
            // `send` for the token.
            self.observe = nil
            token = observe(self)
            begun = token
        } else if wasIdle {
            token?.setPaused(false)
        }
        monitor.unlock()
        if let begun { save?(begun) }
    }

    override func send(_ value: Downstream.Input) {
        monitor.lock()
        guard let downstream, demand > .none else { return monitor.unlock() }
        demand -= 1
        monitor.unlock()
        let more = downstream.receive(value)
        monitor.lock()
        demand += more
        if demand == .none { token?.setPaused(true) }
        monitor.unlock()
    }

    override func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
        end()?.receive(completion: completion)
    }

    func cancel() { _ = end() }

    /// Returns the subscriber, if it was not over.
    private func end() -> Downstream? {
        monitor.lock()
        let (ended, endedToken, endedObserve) = (downstream, token, observe)
        (downstream, token, observe) = (nil, nil, nil)
        monitor.unlock()
        _ = endedToken?.end()
        withExtendedLifetime(endedObserve) {}
        return ended
    }
}
