import Dispatch
import Freehold
import OpenCombine
import OpenCombineDispatch

/// Finds the serial queue that the program names.
enum SerialQueue {
    /// Returns the queue of a scheduler; nil for other schedulers.
    static func of(_ scheduler: some Scheduler) -> DispatchQueue? {
        switch scheduler {
        case let queue as DispatchQueue: queue
        case let wrapped as DispatchQueue.OCombine: wrapped.queue
        default: nil
        }
    }

    /// Returns the queue of a scheduler; traps for other schedulers.
    static func required(of scheduler: some Scheduler) -> DispatchQueue {
        if let queue = of(scheduler) { return queue }
        fatalError(
            """
            Cannot subscribe on scheduler \(scheduler): only serial dispatch queues are \
            currently implemented.
            """)
    }
}

/// A value on its way to another thread or queue.
enum Parcel<Output> {
    /// A frozen or unmanaged value, which any thread may use.
    case ready(Output)
    /// Finds the counterpart in a realm of a queue, or of the calling thread; nil if it is gone.
    case reference((DispatchQueue?) throws -> Output?)
    /// A value that is gone already.
    case gone

    /// Returns the value at the destination. Called there, once.
    func open(on queue: DispatchQueue?) throws -> Output? {
        switch self {
        case .ready(let output): output
        case .reference(let find): try find(queue)
        case .gone: nil
        }
    }
}

extension Parcel {
    /// Makes a parcel of a value made from something that belongs to a realm.
    init<Confined: ThreadConfined>(
        _ confined: Confined, _ made: @escaping (Confined) throws -> Output
    ) rethrows {
        guard let realm = confined.realm, !confined.isFrozen else {
            self = .ready(try made(confined))
            return
        }
        if confined.isInvalidated {
            self = .gone
            return
        }
        let (reference, configuration) = (ThreadSafeReference(to: confined), realm.configuration)
        self = .reference { queue in
            try Realm(configuration: configuration, queue: queue).resolve(reference).map(made)
        }
    }
}

extension Parcel where Output: ThreadConfined {
    init(_ value: Output) { self.init(value) { $0 } }
}

extension Parcel {
    init<Subject: RealmCollection>(_ change: RealmCollectionChange<Subject>)
    where Output == RealmCollectionChange<Subject> {
        switch change {
        case .initial(let collection): self.init(collection) { .initial($0) }
        case .update(let collection, let deletions, let insertions, let modifications):
            self.init(collection) {
                .update(
                    $0, deletions: deletions, insertions: insertions, modifications: modifications)
            }
        case .error: self = .ready(change)
        }
    }

    init<Subject: RealmKeyedCollection>(_ change: RealmMapChange<Subject>)
    where Output == RealmMapChange<Subject> {
        switch change {
        case .initial(let map): self.init(map) { .initial($0) }
        case .update(let map, let deletions, let insertions, let modifications):
            self.init(map) {
                .update(
                    $0, deletions: deletions, insertions: insertions, modifications: modifications)
            }
        case .error: self = .ready(change)
        }
    }

    init<Subject: RealmSectionedResult>(_ change: SectionedResultsChange<Subject>)
    where Output == SectionedResultsChange<Subject> {
        switch change {
        case .initial(let sections): self.init(sections) { .initial($0) }
        case .update(
            let sections, let deletions, let insertions, let modifications, let sectionsToInsert,
            let sectionsToDelete):
            self.init(sections) {
                .update(
                    $0, deletions: deletions, insertions: insertions, modifications: modifications,
                    sectionsToInsert: sectionsToInsert, sectionsToDelete: sectionsToDelete)
            }
        }
    }

    /// Makes a parcel of a change, including the objects among the values of properties.
    init<Subject: ThreadConfined>(_ change: ObjectChange<Subject>)
    where Output == ObjectChange<Subject> {
        guard case .change(let object, let properties) = change, object.realm != nil,
            !object.isFrozen
        else {
            self = .ready(change)
            return
        }
        if object.isInvalidated {
            self = .gone
            return
        }
        let parcels = properties.map {
            (
                name: $0.name, old: Parcel<Any>(value: $0.oldValue),
                new: Parcel<Any>(value: $0.newValue)
            )
        }
        let subject = Parcel<Subject>(object)
        self = .reference { queue in
            guard let object = try subject.open(on: queue) else { return nil }
            return .change(
                object,
                try parcels.map { parcel in
                    PropertyChange(
                        name: parcel.name, oldValue: try parcel.old?.open(on: queue),
                        newValue: try parcel.new?.open(on: queue))
                })
        }
    }
}

extension Parcel where Output == Any {
    /// Makes a parcel of the value of a property; nil if there is none.
    fileprivate init?(value: Any?) {
        guard let value else { return nil }
        if let confined = value as? any ThreadConfined {
            self.init(confined: confined)
        } else {
            self = .ready(value)
        }
    }

    private init(confined: some ThreadConfined) { self.init(confined) { $0 } }
}
