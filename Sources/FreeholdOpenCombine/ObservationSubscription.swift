import Freehold
import FreeholdStorage
import OpenCombine

/// Receives the results of an observation's callback.
class ObservationSink<Output, Failure: Error>: @unchecked Sendable {
    // @unchecked: has no state; see the subclass.

    func send(_ value: Output) { fatalError("abstract") }
    func finish(_ completion: Subscribers.Completion<Failure>) { fatalError("abstract") }
}

/// The observation of one subscriber.
///
/// It is paused while there is no demand: nothing is computed then, and all changes of that time
/// are reported as one afterwards.
final class ObservationSubscription<Downstream: Subscriber>: ObservationSink<
    Downstream.Input, Downstream.Failure
>, Subscription, @unchecked Sendable
{
    // @unchecked: the variables are protected by `monitor`; the subscriber is called where the
    // observation calls back.

    private let monitor = Monitor()
    /// Nil once the subscription has ended.
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var token: NotificationToken?
    /// Begins to observe; nil afterwards.
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
            // The callback may come on a queue before `observe` returns; it then waits in `send`
            // for the token.
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

    /// Ends the subscription. Returns the subscriber, unless it had ended already.
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
