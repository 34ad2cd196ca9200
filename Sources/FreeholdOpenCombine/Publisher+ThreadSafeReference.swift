public import Freehold
public import OpenCombine

extension RealmPublishers {
    /// The publisher of `threadSafeReference()`: the same values, with a ``receive(on:)`` that
    /// moves them to a queue live.
    public struct MakeThreadSafe<Upstream: Publisher>: Publisher {
        /// The values of the upstream publisher.
        public typealias Output = Upstream.Output
        /// The failure of the upstream publisher.
        public typealias Failure = Upstream.Failure

        private let upstream: Upstream
        private let pack: (Output) -> Parcel<Output>

        init(_ upstream: Upstream, _ pack: @escaping (Output) -> Parcel<Output>) {
            self.upstream = upstream
            self.pack = pack
        }

        /// Subscribes to the upstream publisher.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            upstream.subscribe(subscriber)
        }

        /// Sends the counterparts of the values in a realm of a serial queue, on that queue. With
        /// another scheduler, they are in the realm of the thread that the scheduler uses. See
        /// ``RealmPublishers/Handover``.
        ///
        /// Closures after this follow the same rule as after
        /// ``RealmPublishers/Observation/subscribe(on:)``.
        public func receive<Context: Scheduler>(on scheduler: Context) -> Handover<
            Upstream, Context
        > { Handover(upstream, scheduler, pack) }
    }
}

extension Publisher where Output: ThreadConfined {
    /// Moves objects and collections to a queue, live:
    /// `publisher.threadSafeReference().receive(on: queue)`.
    public func threadSafeReference() -> RealmPublishers.MakeThreadSafe<Self> {
        RealmPublishers.MakeThreadSafe(self) { Parcel($0) }
    }
}

extension Publisher {
    /// Moves changes of objects and projections to a queue, live, with the objects among the
    /// values of properties.
    public func threadSafeReference<Subject: ThreadConfined>()
        -> RealmPublishers.MakeThreadSafe<Self> where Output == ObjectChange<Subject>
    { RealmPublishers.MakeThreadSafe(self) { Parcel($0) } }

    /// Moves changes of collections to a queue, live.
    public func threadSafeReference<Subject: RealmCollection>()
        -> RealmPublishers.MakeThreadSafe<Self> where Output == RealmCollectionChange<Subject>
    { RealmPublishers.MakeThreadSafe(self) { Parcel($0) } }

    /// Moves changes of maps to a queue, live.
    public func threadSafeReference<Subject: RealmKeyedCollection>()
        -> RealmPublishers.MakeThreadSafe<Self> where Output == RealmMapChange<Subject>
    { RealmPublishers.MakeThreadSafe(self) { Parcel($0) } }

    /// Moves changes of sections to a queue, live.
    public func threadSafeReference<Subject: RealmSectionedResult>()
        -> RealmPublishers.MakeThreadSafe<Self> where Output == SectionedResultsChange<Subject>
    { RealmPublishers.MakeThreadSafe(self) { Parcel($0) } }
}

// MARK: - Directly behind a publisher of this module

extension RealmPublishers.Observation where Output: ThreadConfined {
    /// As `threadSafeReference().receive(on:)`. If no operator comes before it, `subscribe(on:)`
    /// is faster.
    public func receive<Context: Scheduler>(on scheduler: Context)
        -> RealmPublishers.Handover<Self, Context>
    { threadSafeReference().receive(on: scheduler) }
}

extension RealmPublishers.Observation {
    /// As `threadSafeReference().receive(on:)`. If no operator comes before it, `subscribe(on:)`
    /// is faster.
    public func receive<Context: Scheduler, Subject: ThreadConfined>(on scheduler: Context)
        -> RealmPublishers.Handover<Self, Context> where Output == ObjectChange<Subject>
    { threadSafeReference().receive(on: scheduler) }

    /// As `threadSafeReference().receive(on:)`. If no operator comes before it, `subscribe(on:)`
    /// is faster.
    public func receive<Context: Scheduler, Subject: RealmCollection>(on scheduler: Context)
        -> RealmPublishers.Handover<Self, Context> where Output == RealmCollectionChange<Subject>
    { threadSafeReference().receive(on: scheduler) }

    /// As `threadSafeReference().receive(on:)`. If no operator comes before it, `subscribe(on:)`
    /// is faster.
    public func receive<Context: Scheduler, Subject: RealmKeyedCollection>(on scheduler: Context)
        -> RealmPublishers.Handover<Self, Context> where Output == RealmMapChange<Subject>
    { threadSafeReference().receive(on: scheduler) }

    /// As `threadSafeReference().receive(on:)`. If no operator comes before it, `subscribe(on:)`
    /// is faster.
    public func receive<Context: Scheduler, Subject: RealmSectionedResult>(on scheduler: Context)
        -> RealmPublishers.Handover<Self, Context> where Output == SectionedResultsChange<Subject>
    { threadSafeReference().receive(on: scheduler) }
}
