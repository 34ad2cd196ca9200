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
/// A publisher observes for each of its subscribers, from the subscriber's first demand on.
/// Values arrive where and when `observe` would call its block. Cancelling ends the observation.
/// A subscriber without demand delays nothing and stores nothing: all changes until its next
/// demand become one value.
///
/// The many publisher types of Realm are aliases of a few, so that programs that name them
/// compile.
public enum RealmPublishers {
    /// Publishes an object or collection after every change; a collection also at the beginning.
    /// Completes when an object is deleted; fails only if no realm can be opened for a queue.
    public typealias Value<Subject> = Observation<Subject, any Error>
    /// Publishes a value after each change; for a collection also at the beginning. For an
    /// object, publishes a last value when it is deleted, then completes.
    public typealias WillChange<Subject> = Observation<Void, Never>
    /// Publishes the changes of a list, set or results.
    public typealias CollectionChangeset<Subject> = Observation<
        RealmCollectionChange<Subject>, Never
    >
    /// Publishes the changes of a map.
    public typealias MapChangeset<Subject: RealmKeyedCollection> = Observation<
        RealmMapChange<Subject>, Never
    >
    /// Publishes the changes of an object. Completes when it is deleted.
    public typealias ObjectChangeset<Subject> = Observation<ObjectChange<Subject>, Never>
    /// Publishes the changes of a projection. Completes when its object is deleted.
    public typealias ProjectionChangeset<Subject> = Observation<ObjectChange<Subject>, Never>
    /// Publishes the changes of results in sections.
    public typealias SectionedResultsChangeset<Subject> = Observation<
        SectionedResultsChange<Subject>, Never
    >
    /// Publishes the changes of one section.
    public typealias SectionChangeset<Subject> = Observation<SectionedResultsChange<Subject>, Never>

    /// Publishes the reports of an observation.
    ///
    /// Thread rule: subscribe, and demand first, where the object or collection may be used;
    /// cancel anywhere.
    public struct Observation<Output, Failure: Error>: Publisher {
        private let observe: (DispatchQueue?, ObservationSink<Output, Failure>) -> NotificationToken
        private var queue: DispatchQueue?
        private var save: ((NotificationToken) -> Void)?

        init(
            _ observe:
                @escaping (DispatchQueue?, ObservationSink<Output, Failure>) -> NotificationToken
        ) { self.observe = observe }

        /// Subscribes; the observation begins at the subscriber's first demand.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            let (observe, queue) = (observe, queue)
            subscriber.receive(
                subscription: ObservationSubscription(subscriber, save: save) { observe(queue, $0) }
            )
        }

        /// Returns the same publisher with values on a serial queue, from a realm there.
        ///
        /// Closures written on an actor belong to that actor, and Swift ends the process if they
        /// are called elsewhere. There, write `{ @Sendable dogs in … }` after this operator.
        ///
        /// - Parameter scheduler: A serial `DispatchQueue`. Traps for another scheduler.
        public func subscribe<Context: Scheduler>(on scheduler: Context) -> Self {
            let queue = SerialQueue.required(of: scheduler)
            var other = self
            other.queue = queue
            return other
        }

        /// Returns the same publisher, which stores the token of the observation in a property,
        /// for `write(withoutNotifying:)`. With several subscribers, it is the token of the last
        /// one.
        ///
        /// - Parameters:
        ///   - owner: The object with the property. It is not kept alive.
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

        /// Does the same as ``saveToken(on:at:)``. Realm Swift has both labels.
        public func saveToken<Owner: AnyObject>(
            on owner: Owner, for keyPath: WritableKeyPath<Owner, NotificationToken?>
        ) -> Self { saveToken(on: owner, at: keyPath) }
    }

    /// Publishes a value after each change of a realm. A subscriber without demand misses it.
    ///
    /// Thread rule: subscribe, and demand first, where the realm may be used; cancel anywhere.
    public struct RealmWillChange: Publisher {
        /// The value carries no information.
        public typealias Output = Void
        /// A publisher of a realm cannot fail.
        public typealias Failure = Never

        private var base: Observation<Void, Never>

        init(_ realm: Realm) {
            base = Observation { _, sink in realm.observe { _, _ in sink.send(()) } }
        }

        /// Subscribes; the observation begins at the subscriber's first demand.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Void, Downstream.Failure == Never {
            base.receive(subscriber: subscriber)
        }

        /// Returns the same publisher, which stores the token of the observation in a property,
        /// for `write(withoutNotifying:)`.
        ///
        /// - Parameters:
        ///   - owner: The object with the property. It is not kept alive.
        ///   - keyPath: The property.
        public func saveToken<Owner: AnyObject>(
            on owner: Owner, for keyPath: WritableKeyPath<Owner, NotificationToken?>
        ) -> Self {
            var other = self
            other.base = base.saveToken(on: owner, at: keyPath)
            return other
        }

        /// Does the same as ``saveToken(on:for:)``. Realm Swift has both labels.
        public func saveToken<Owner: AnyObject>(
            on owner: Owner, at keyPath: WritableKeyPath<Owner, NotificationToken?>
        ) -> Self { saveToken(on: owner, for: keyPath) }
    }
}

// MARK: - Realm's names

extension RealmPublishers {
    /// A publisher that stores its token in a property.
    public typealias ValueWithToken<Subject, Owner> = Value<Subject>
    /// A publisher that stores its token in a property.
    public typealias WillChangeWithToken<Subject, Owner> = WillChange<Subject>
    /// A publisher that stores its token in a property.
    public typealias RealmWillChangeWithToken<Owner> = RealmWillChange
    /// A publisher that stores its token in a property.
    public typealias CollectionChangesetWithToken<Subject, Owner> = CollectionChangeset<Subject>
    /// A publisher that stores its token in a property.
    public typealias MapChangesetWithToken<Subject: RealmKeyedCollection, Owner> = MapChangeset<
        Subject
    >
    /// A publisher that stores its token in a property.
    public typealias ObjectChangesetWithToken<Subject, Owner> = ObjectChangeset<Subject>
    /// A publisher that stores its token in a property.
    public typealias ProjectionChangesetWithToken<Subject, Owner> = ProjectionChangeset<Subject>
    /// A publisher that stores its token in a property.
    public typealias SectionedResultsChangesetWithToken<Subject, Owner> = SectionedResultsChangeset<
        Subject
    >
    /// A publisher that stores its token in a property.
    public typealias SectionChangesetWithToken<Subject, Owner> = SectionChangeset<Subject>

    /// A publisher that moves values to a queue.
    public typealias DeferredHandover<Upstream: Publisher, Context: Scheduler> = Handover<
        Upstream, Context
    >
    /// A publisher that moves changes of objects to a queue.
    public typealias DeferredHandoverObjectChangeset<
        Upstream: Publisher, Subject, Context: Scheduler
    > = Handover<Upstream, Context>
    /// A publisher that moves changes of projections to a queue.
    public typealias DeferredHandoverProjectionChangeset<
        Upstream: Publisher, Subject, Context: Scheduler
    > = Handover<Upstream, Context>
    /// A publisher that moves changes of collections to a queue.
    public typealias DeferredHandoverCollectionChangeset<
        Upstream: Publisher, Subject, Context: Scheduler
    > = Handover<Upstream, Context>
    /// A publisher that moves changes of maps to a queue.
    public typealias DeferredHandoverKeyedCollectionChangeset<
        Upstream: Publisher, Subject, Context: Scheduler
    > = Handover<Upstream, Context>
    /// A publisher that moves changes of sections to a queue.
    public typealias DeferredHandoverSectionedResultsChangeset<
        Upstream: Publisher, Subject, Context: Scheduler
    > = Handover<Upstream, Context>
    /// A publisher that moves changes of one section to a queue.
    public typealias DeferredHandoverSectionChangeset<
        Upstream: Publisher, Subject, Context: Scheduler
    > = Handover<Upstream, Context>

    /// The publisher of `threadSafeReference()`.
    public typealias MakeThreadSafeObjectChangeset<Upstream: Publisher, Subject> = MakeThreadSafe<
        Upstream
    >
    /// The publisher of `threadSafeReference()`.
    public typealias MakeThreadSafeProjectionChangeset<Upstream: Publisher, Subject> =
        MakeThreadSafe<Upstream>
    /// The publisher of `threadSafeReference()`.
    public typealias MakeThreadSafeCollectionChangeset<Upstream: Publisher, Subject> =
        MakeThreadSafe<Upstream>
    /// The publisher of `threadSafeReference()`.
    public typealias MakeThreadSafeKeyedCollectionChangeset<Upstream: Publisher, Subject> =
        MakeThreadSafe<Upstream>
    /// The publisher of `threadSafeReference()`.
    public typealias MakeThreadSafeSectionedResultsChangeset<Upstream: Publisher, Subject> =
        MakeThreadSafe<Upstream>
    /// The publisher of `threadSafeReference()`.
    public typealias MakeThreadSafeSectionChangeset<Upstream: Publisher, Subject> = MakeThreadSafe<
        Upstream
    >
}
