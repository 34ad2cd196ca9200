import Dispatch
import Freehold
import OpenCombine
import OpenCombineDispatch

/// A serial queue as the program names it.
enum SerialQueue {
    /// The queue of a scheduler; nil if it is none of a queue.
    static func of(_ scheduler: some Scheduler) -> DispatchQueue? {
        switch scheduler {
        case let queue as DispatchQueue: queue
        case let wrapped as DispatchQueue.OCombine: wrapped.queue
        default: nil
        }
    }
}

/// A value on its way to another thread or queue.
enum Parcel<Output> {
    /// It belongs to nobody: frozen or unmanaged.
    case ready(Output)
    /// What finds its counterpart in a realm for a queue, or for the calling thread; nil if
    /// that is gone.
    case reference((DispatchQueue?) throws -> Output?)
    /// It is gone already.
    case gone

    /// The value there. Called where it arrives, once.
    func open(on queue: DispatchQueue?) throws -> Output? {
        switch self {
        case .ready(let output): output
        case .reference(let find): try find(queue)
        case .gone: nil
        }
    }
}

extension Parcel {
    /// A value made of something that belongs to a realm.
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
                    sectionsToInsert: sectionsToInsert,
                    sectionsToDelete: sectionsToDelete)
            }
        }
    }

    /// Also the objects among the values of properties.
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
    /// The value of a property; nil if there is none.
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
