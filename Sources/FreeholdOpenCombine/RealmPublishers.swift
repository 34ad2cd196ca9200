import Dispatch
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
/// A publisher observes for each of its subscribers, from the subscriber's first demand on, as
/// `observe` would: where and when that calls its block, values arrive. Cancelling ends the
/// observation. A subscriber that demands nothing holds nothing up and stores nothing: what
/// changes until its next demand becomes one value.
///
/// Realm's types are names of a few: programs that name them compile.
public enum RealmPublishers {
    /// An object or collection, with every change. Of a collection also in the beginning.
    /// Completes when an object is deleted; fails only if no realm can be opened for a queue.
    public typealias Value<Subject> = Observation<Subject, any Error>
    /// That something changed, after it did; of a collection also in the beginning, of an
    /// object also when it is deleted. Completes then.
    public typealias WillChange<Subject> = Observation<Void, Never>
    /// The changes of a list, set or results.
    public typealias CollectionChangeset<Subject> = Observation<
        RealmCollectionChange<Subject>, Never
    >
    /// The changes of a map.
    public typealias MapChangeset<Subject: RealmKeyedCollection> = Observation<
        RealmMapChange<Subject>, Never
    >
    /// The changes of an object. Completes when it is deleted.
    public typealias ObjectChangeset<Subject> = Observation<ObjectChange<Subject>, Never>
    /// The changes of a projection. Completes when its object is deleted.
    public typealias ProjectionChangeset<Subject> = Observation<ObjectChange<Subject>, Never>
    /// The changes of results in sections.
    public typealias SectionedResultsChangeset<Subject> = Observation<
        SectionedResultsChange<Subject>, Never
    >
    /// The changes of one section.
    public typealias SectionChangeset<Subject> = Observation<SectionedResultsChange<Subject>, Never>

    /// Sends what an observation reports.
    ///
    /// Thread rule: subscribed to, and first demanded from, where the object or collection may
    /// be used; cancelled anywhere.
    public struct Observation<Output, Failure: Error>: Publisher {
        private let observe: (DispatchQueue?, ObservationSink<Output, Failure>) -> NotificationToken
        private var queue: DispatchQueue?
        private var save: ((NotificationToken) -> Void)?

        init(
            _ observe:
                @escaping (DispatchQueue?, ObservationSink<Output, Failure>) -> NotificationToken
        ) { self.observe = observe }

        /// Begins to observe when the subscriber demands something.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            let (observe, queue) = (observe, queue)
            subscriber.receive(
                subscription: ObservationSubscription(subscriber, save: save) { observe(queue, $0) }
            )
        }

        /// The same, with values on a serial queue, of a realm there.
        ///
        /// Closures that are written on an actor belong to it, and Swift ends the process when
        /// they are called elsewhere: write `{ @Sendable dogs in … }` after this there.
        ///
        /// - Parameter scheduler: A serial `DispatchQueue`. Traps for another scheduler.
        public func subscribe<Context: Scheduler>(on scheduler: Context) -> Self {
            guard let queue = SerialQueue.of(scheduler) else {
                fatalError(
                    """
                    Cannot subscribe on scheduler \(scheduler): only serial dispatch \
                    queues are currently implemented.
                    """
                )
            }
            var other = self
            other.queue = queue
            return other
        }

        /// The same, with the token of the observation left in a property: for
        /// `write(withoutNotifying:)`. Of several subscribers, the last one's.
        ///
        /// - Parameters:
        ///   - owner: What has the property. It is not kept alive.
        ///   - keyPath: The property.
        public func saveToken<Owner: AnyObject>(
            on owner: Owner, at keyPath: WritableKeyPath<Owner, NotificationToken?>
        ) -> Self {
            var other = self
            other.save = { [weak owner] token in
                guard var owner else { return }
                owner[keyPath: keyPath] = token
            }
            return other
        }

        /// As ``saveToken(on:at:)``.
        public func saveToken<Owner: AnyObject>(
            on owner: Owner, for keyPath: WritableKeyPath<Owner, NotificationToken?>
        ) -> Self {
            saveToken(on: owner, at: keyPath)
        }
    }

    /// That a realm changed, after it did. A subscriber without demand misses it.
    ///
    /// Thread rule: subscribed to, and first demanded from, where the realm may be used;
    /// cancelled anywhere.
    public struct RealmWillChange: Publisher {
        /// Only that something changed.
        public typealias Output = Void
        /// A publisher of a realm cannot fail.
        public typealias Failure = Never

        private var base: Observation<Void, Never>

        init(_ realm: Realm) {
            base = Observation { _, sink in realm.observe { _, _ in sink.send(()) } }
        }

        /// Begins to observe when the subscriber demands something.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Void, Downstream.Failure == Never {
            base.receive(subscriber: subscriber)
        }

        /// The same, with the token of the observation left in a property: for
        /// `write(withoutNotifying:)`.
        ///
        /// - Parameters:
        ///   - owner: What has the property. It is not kept alive.
        ///   - keyPath: The property.
        public func saveToken<Owner: AnyObject>(
            on owner: Owner, for keyPath: WritableKeyPath<Owner, NotificationToken?>
        ) -> Self {
            var other = self
            other.base = base.saveToken(on: owner, at: keyPath)
            return other
        }

        /// As ``saveToken(on:for:)``.
        public func saveToken<Owner: AnyObject>(
            on owner: Owner, at keyPath: WritableKeyPath<Owner, NotificationToken?>
        ) -> Self {
            saveToken(on: owner, for: keyPath)
        }
    }
}

// MARK: - Realm's names

extension RealmPublishers {
    /// A publisher that leaves its token in a property.
    public typealias ValueWithToken<Subject, Owner> = Value<Subject>
    /// A publisher that leaves its token in a property.
    public typealias WillChangeWithToken<Subject, Owner> = WillChange<Subject>
    /// A publisher that leaves its token in a property.
    public typealias RealmWillChangeWithToken<Owner> = RealmWillChange
    /// A publisher that leaves its token in a property.
    public typealias CollectionChangesetWithToken<Subject, Owner> = CollectionChangeset<Subject>
    /// A publisher that leaves its token in a property.
    public typealias MapChangesetWithToken<Subject: RealmKeyedCollection, Owner> = MapChangeset<
        Subject
    >
    /// A publisher that leaves its token in a property.
    public typealias ObjectChangesetWithToken<Subject, Owner> = ObjectChangeset<Subject>
    /// A publisher that leaves its token in a property.
    public typealias ProjectionChangesetWithToken<Subject, Owner> = ProjectionChangeset<Subject>
    /// A publisher that leaves its token in a property.
    public typealias SectionedResultsChangesetWithToken<Subject, Owner> = SectionedResultsChangeset<
        Subject
    >
    /// A publisher that leaves its token in a property.
    public typealias SectionChangesetWithToken<Subject, Owner> = SectionChangeset<Subject>

    /// What hands over values.
    public typealias DeferredHandover<Upstream: Publisher, Context: Scheduler> = Handover<
        Upstream, Context
    >
    /// What hands over changes of objects.
    public typealias DeferredHandoverObjectChangeset<
        Upstream: Publisher, Subject, Context: Scheduler
    > = Handover<Upstream, Context>
    /// What hands over changes of projections.
    public typealias DeferredHandoverProjectionChangeset<
        Upstream: Publisher, Subject, Context: Scheduler
    > = Handover<Upstream, Context>
    /// What hands over changes of collections.
    public typealias DeferredHandoverCollectionChangeset<
        Upstream: Publisher, Subject, Context: Scheduler
    > = Handover<Upstream, Context>
    /// What hands over changes of maps.
    public typealias DeferredHandoverKeyedCollectionChangeset<
        Upstream: Publisher, Subject, Context: Scheduler
    > = Handover<Upstream, Context>
    /// What hands over changes of sections.
    public typealias DeferredHandoverSectionedResultsChangeset<
        Upstream: Publisher, Subject, Context: Scheduler
    > = Handover<Upstream, Context>
    /// What hands over changes of one section.
    public typealias DeferredHandoverSectionChangeset<
        Upstream: Publisher, Subject, Context: Scheduler
    > = Handover<Upstream, Context>

    /// What `threadSafeReference()` gives.
    public typealias MakeThreadSafeObjectChangeset<Upstream: Publisher, Subject> = MakeThreadSafe<
        Upstream
    >
    /// What `threadSafeReference()` gives.
    public typealias MakeThreadSafeProjectionChangeset<Upstream: Publisher, Subject> =
        MakeThreadSafe<Upstream>
    /// What `threadSafeReference()` gives.
    public typealias MakeThreadSafeCollectionChangeset<Upstream: Publisher, Subject> =
        MakeThreadSafe<Upstream>
    /// What `threadSafeReference()` gives.
    public typealias MakeThreadSafeKeyedCollectionChangeset<Upstream: Publisher, Subject> =
        MakeThreadSafe<Upstream>
    /// What `threadSafeReference()` gives.
    public typealias MakeThreadSafeSectionedResultsChangeset<Upstream: Publisher, Subject> =
        MakeThreadSafe<Upstream>
    /// What `threadSafeReference()` gives.
    public typealias MakeThreadSafeSectionChangeset<Upstream: Publisher, Subject> = MakeThreadSafe<
        Upstream
    >
}
