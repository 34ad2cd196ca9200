public import Dispatch
public import Freehold
public import OpenCombine

/// The publishers of realms, objects and collections.
///
/// ```swift
/// let subscription = realm.objects(Dog.self).where { $0.age > 5 }.collectionPublisher
///     .map(\.count)
///     .sink(receiveCompletion: { _ in }, receiveValue: { print($0, "old dogs") })
/// ```
///
/// A publisher observes for each of its subscribers, from the subscriber's first demand on, as `observe` would: where and when that calls its block, values arrive.
/// Cancelling ends the observation. A subscriber that demands nothing holds nothing up and stores nothing: what changes until its next demand becomes one value.
public enum RealmPublishers {
    /// An object or collection, with every change. Of a collection also in the beginning. Completes when an object is deleted; fails only if no realm can be opened for a queue.
    public typealias Value<Subject> = Observation<Subject, any Error>
    /// That an object changed, after it did. Completes when it is deleted.
    public typealias WillChange<Subject> = Observation<Void, Never>
    /// The changes of a list, set or results.
    public typealias CollectionChangeset<Subject> = Observation<RealmCollectionChange<Subject>, Never>
    /// The changes of a map.
    public typealias MapChangeset<Subject: RealmKeyedCollection> = Observation<RealmMapChange<Subject>, Never>
    /// The changes of an object. Completes after ``Freehold/ObjectChange/deleted``.
    public typealias ObjectChangeset<Subject> = Observation<ObjectChange<Subject>, Never>
    /// The changes of results in sections.
    public typealias SectionedResultsChangeset<Subject> = Observation<SectionedResultsChange<Subject>, Never>

    /// Sends what an observation reports.
    ///
    /// Thread rule: subscribed to, and first demanded from, where the object or collection may be used; cancelled anywhere.
    public struct Observation<Output, Failure: Error>: Publisher {
        private let observe: (DispatchQueue?, ObservationSink<Output, Failure>) -> NotificationToken
        private var queue: DispatchQueue?
        private var save: ((NotificationToken) -> Void)?

        init(_ observe: @escaping (DispatchQueue?, ObservationSink<Output, Failure>) -> NotificationToken) { self.observe = observe }

        /// Begins to observe when the subscriber demands something.
        public func receive<Downstream: Subscriber>(subscriber: Downstream) where Downstream.Input == Output, Downstream.Failure == Failure {
            let (observe, queue) = (observe, queue)
            subscriber.receive(subscription: ObservationSubscription(subscriber, save: save) { observe(queue, $0) })
        }

        /// The same, with values on a serial queue, of a realm there. The operators of OpenCombine move values from one thread to another, which these do not survive.
        ///
        /// Closures that are written on an actor belong to it, and Swift ends the process when they are called elsewhere: write `{ @Sendable dogs in … }` after this there.
        public func subscribe(on queue: DispatchQueue) -> Self {
            var other = self
            other.queue = queue
            return other
        }

        /// The same, with the token of the observation left in a property: for `write(withoutNotifying:)`. Of several subscribers, the last one's.
        public func saveToken<Owner: AnyObject>(on owner: Owner, at keyPath: ReferenceWritableKeyPath<Owner, NotificationToken?>) -> Self {
            var other = self
            other.save = { [weak owner] token in owner?[keyPath: keyPath] = token }
            return other
        }
    }

    /// That a realm changed, after it did. A subscriber without demand misses it.
    ///
    /// Thread rule: subscribed to, and first demanded from, where the realm may be used; cancelled anywhere.
    public struct RealmWillChange: Publisher {
        /// Only that something changed.
        public typealias Output = Void
        /// A publisher of a realm cannot fail.
        public typealias Failure = Never

        private var base: Observation<Void, Never>

        init(_ realm: Realm) { base = Observation { _, sink in realm.observe { _, _ in sink.send(()) } } }

        /// Begins to observe when the subscriber demands something.
        public func receive<Downstream: Subscriber>(subscriber: Downstream) where Downstream.Input == Void, Downstream.Failure == Never {
            base.receive(subscriber: subscriber)
        }

        /// The same, with the token of the observation left in a property: for `write(withoutNotifying:)`.
        public func saveToken<Owner: AnyObject>(on owner: Owner, at keyPath: ReferenceWritableKeyPath<Owner, NotificationToken?>) -> Self {
            var other = self
            other.base = base.saveToken(on: owner, at: keyPath)
            return other
        }
    }
}
