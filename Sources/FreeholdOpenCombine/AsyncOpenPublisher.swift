import Dispatch
public import Freehold
import FreeholdStorage
public import OpenCombine

extension Realm {
    /// Opens a realm and publishes it, on the main queue or on the queue of
    /// ``RealmPublishers/AsyncOpenPublisher/receive(on:)``.
    ///
    /// ```swift
    /// let subscription = Realm.asyncOpen(configuration: configuration).receive(on: queue).sink(
    ///     receiveCompletion: { @Sendable _ in },
    ///     receiveValue: { @Sendable realm in print(realm.isEmpty) })
    /// ```
    ///
    /// - Parameter configuration: The file and how to open it.
    /// - Returns: A publisher of one realm. It fails with what `Realm(configuration:queue:)`
    ///   would throw.
    public static func asyncOpen(configuration: Realm.Configuration = .defaultConfiguration)
        -> RealmPublishers.AsyncOpenPublisher
    { RealmPublishers.AsyncOpenPublisher(configuration, .main) }
}

extension RealmPublishers {
    /// Opens a realm for each subscriber at its first demand, publishes it, and completes.
    /// Cancelling cancels the opening.
    ///
    /// Thread rule: subscribe and cancel anywhere. The realm arrives on its queue.
    public struct AsyncOpenPublisher: Publisher {
        /// A realm of the queue.
        public typealias Output = Realm
        /// What opening it throws.
        public typealias Failure = any Error

        private let configuration: Realm.Configuration
        private let queue: DispatchQueue

        init(_ configuration: Realm.Configuration, _ queue: DispatchQueue) {
            self.configuration = configuration
            self.queue = queue
        }

        /// Subscribes; the opening begins at the subscriber's first demand.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Realm, Downstream.Failure == any Error {
            subscriber.receive(
                subscription: AsyncOpenSubscription(subscriber, configuration, queue))
        }

        /// Returns the same publisher for another queue.
        ///
        /// - Parameter scheduler: A serial `DispatchQueue`. Traps for another scheduler.
        public func receive<Context: Scheduler>(on scheduler: Context) -> Self {
            let queue = SerialQueue.required(of: scheduler)
            return AsyncOpenPublisher(configuration, queue)
        }
    }
}

/// The callback that runs on the queue.
private struct OpenCallback: @unchecked Sendable {
    // @unchecked: called once, on the queue; the captured values are safe themselves.
    let call: (Result<Realm, any Error>) -> Void
}

private final class AsyncOpenSubscription<Downstream: Subscriber>: Subscription, @unchecked Sendable
where Downstream.Input == Realm, Downstream.Failure == any Error {
    // @unchecked: the variables are protected by `monitor`; the subscriber is called on the queue.

    private let monitor = Monitor()
    /// Nil once the subscription has ended.
    private var downstream: Downstream?
    private var task: Realm.AsyncOpenTask?
    private let configuration: Realm.Configuration
    private let queue: DispatchQueue

    init(_ downstream: Downstream, _ configuration: Realm.Configuration, _ queue: DispatchQueue) {
        self.downstream = downstream
        self.configuration = configuration
        self.queue = queue
    }

    func request(_ demand: Subscribers.Demand) {
        monitor.withLock {
            guard downstream != nil, task == nil, demand > .none else { return }
            let callback = OpenCallback { self.finish($0) }
            task = Realm.asyncOpen(configuration: configuration, callbackQueue: queue) {
                callback.call($0)
            }
        }
    }

    private func finish(_ result: Result<Realm, any Error>) {
        guard let downstream = monitor.withLock({ downstream.take() }) else { return }
        switch result {
        case .success(let realm):
            _ = downstream.receive(realm)
            downstream.receive(completion: .finished)
        case .failure(let error): downstream.receive(completion: .failure(error))
        }
    }

    func cancel() {
        let (ended, opening) = monitor.withLock { (downstream.take(), task) }
        opening?.cancel()
        withExtendedLifetime(ended) {}
    }
}
