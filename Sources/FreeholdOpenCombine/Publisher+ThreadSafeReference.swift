public import Dispatch
public import Freehold
public import OpenCombine
import OpenCombineDispatch

extension Publisher where Output: ThreadConfined {
    /// Passes objects and collections to a queue, live: `publisher.threadSafeReference().receive(on: queue)`.
    public func threadSafeReference() -> RealmPublishers.MakeThreadSafe<Self> { RealmPublishers.MakeThreadSafe(self) }
}

extension RealmPublishers {
    /// What ``OpenCombine/Publisher/threadSafeReference()`` gives: it says where to next.
    public struct MakeThreadSafe<Upstream: Publisher> where Upstream.Output: ThreadConfined {
        private let upstream: Upstream

        init(_ upstream: Upstream) { self.upstream = upstream }

        /// Sends the counterparts of what comes in a realm of a serial queue, on that queue. What was deleted meanwhile, or is not managed, is left out. Fails if no
        /// realm can be opened there. Closures after this are written as after ``RealmPublishers/Observation/subscribe(on:)``.
        public func receive(on queue: DispatchQueue) -> AnyPublisher<Upstream.Output, any Error> {
            upstream
                .mapError { $0 as any Error }
                .compactMap { confined in confined.realm.map { (reference: ThreadSafeReference(to: confined), configuration: $0.configuration) } }
                .receive(on: queue.ocombine)
                .tryCompactMap { try Realm(configuration: $0.configuration, queue: queue).resolve($0.reference) }
                .eraseToAnyPublisher()
        }
    }
}
