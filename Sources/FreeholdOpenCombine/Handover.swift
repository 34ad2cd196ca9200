import Dispatch
import Freehold
import FreeholdStorage
public import OpenCombine

extension RealmPublishers {
    /// Moves the values of a publisher to a queue, live: each arrives as the counterpart in a
    /// realm of the queue.
    ///
    /// References keep their versions until they arrive, in the order in which they were sent.
    /// Values deleted meanwhile are left out. Frozen and unmanaged values pass unchanged. If no
    /// realm can be opened on the queue, a publisher whose failure is `any Error` fails; one that
    /// cannot fail leaves the value out.
    ///
    /// - Note: The queue's realm may be at a later version than the change that it gets. This
    ///   cannot happen with `subscribe(on:)` and `freeze()`.
    public struct Handover<Upstream: Publisher, Context: Scheduler>: Publisher {
        /// The values of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure of the upstream publisher.
        public typealias Failure = Upstream.Failure

        private let upstream: Upstream
        private let scheduler: Context
        private let pack: (Output) -> Parcel<Output>

        init(
            _ upstream: Upstream, _ scheduler: Context, _ pack: @escaping (Output) -> Parcel<Output>
        ) {
            self.upstream = upstream
            self.scheduler = scheduler
            self.pack = pack
        }

        /// Subscribes to the upstream publisher.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            upstream.subscribe(HandoverConduit(subscriber, scheduler, pack))
        }
    }
}

/// One subscriber's handover.
private final class HandoverConduit<Downstream: Subscriber, Context: Scheduler>: Subscriber,
    Subscription, @unchecked Sendable
{
    // @unchecked: the variables are protected by `monitor`; the subscriber is called on the
    // scheduler only, one call after the other.

    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    private let monitor = Monitor()
    /// Nil once the subscription has ended.
    private var downstream: Downstream?
    private var upstream: (any Subscription)?
    private let scheduler: Context
    private let queue: DispatchQueue?
    private let pack: (Input) -> Parcel<Input>

    init(_ downstream: Downstream, _ scheduler: Context, _ pack: @escaping (Input) -> Parcel<Input>)
    {
        self.downstream = downstream
        self.scheduler = scheduler
        queue = SerialQueue.of(scheduler)
        self.pack = pack
    }

    func receive(subscription: any Subscription) {
        monitor.withLock { upstream = subscription }
        downstream?.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        let parcel = pack(input)
        scheduler.schedule { self.deliver(parcel) }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        scheduler.schedule { self.end()?.receive(completion: completion) }
    }

    private func deliver(_ parcel: Parcel<Input>) {
        guard let downstream = monitor.withLock({ downstream }) else { return }
        do {
            if let value = try parcel.open(on: queue) {
                let more = downstream.receive(value)
                if more > .none { monitor.withLock { upstream }?.request(more) }
            } else {
                leaveOut()
            }
        } catch {
            guard let failure = error as? Failure else { return leaveOut() }
            let subscription = monitor.withLock { upstream }
            end()?.receive(completion: .failure(failure))
            subscription?.cancel()
        }
    }

    /// Requests another value in place of one that was demanded and is left out.
    private func leaveOut() { monitor.withLock { upstream }?.request(.max(1)) }

    func request(_ demand: Subscribers.Demand) { monitor.withLock { upstream }?.request(demand) }

    func cancel() {
        let subscription = monitor.withLock { upstream }
        _ = end()
        subscription?.cancel()
    }

    /// Ends the subscription. Returns the subscriber, unless it had ended already.
    private func end() -> Downstream? {
        monitor.lock()
        let (ended, last) = (downstream, upstream)
        (downstream, upstream) = (nil, nil)
        monitor.unlock()
        withExtendedLifetime(last) {}
        return ended
    }
}
