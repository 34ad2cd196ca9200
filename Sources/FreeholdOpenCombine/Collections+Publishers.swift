public import Freehold
import OpenCombine

extension RealmCollection {
    /// The collection, now and after every change.
    public var collectionPublisher: RealmPublishers.Value<Self> { collectionPublisher(keyPaths: nil) }

    /// The collection, now and after every change.
    ///
    /// - Parameter keyPaths: What counts as a change of an object; nil for everything. As for `observe(keyPaths:_:)`.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: keyPaths, on: queue) { change in
                switch change {
                case .initial(let collection), .update(let collection, _, _, _): sink.send(collection)
                case .error(let error): sink.finish(.failure(error))
                }
            }
        }
    }

    /// What the collection has now, then its changes.
    public var changesetPublisher: RealmPublishers.CollectionChangeset<Self> { changesetPublisher(keyPaths: nil) }

    /// What the collection has now, then its changes.
    ///
    /// - Parameter keyPaths: What counts as a change of an object; nil for everything. As for `observe(keyPaths:_:)`.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.CollectionChangeset<Self> {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: keyPaths, on: queue) { change in
                sink.send(change)
                if case .error = change { sink.finish(.finished) }
            }
        }
    }
}

extension Map {
    /// The map, now and after every change.
    public var collectionPublisher: RealmPublishers.Value<Map> { collectionPublisher(keyPaths: nil) }

    /// The map, now and after every change.
    ///
    /// - Parameter keyPaths: What counts as a change of a value that is an object; nil for everything.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Map> {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: keyPaths, on: queue) { change in
                switch change {
                case .initial(let map), .update(let map, _, _, _): sink.send(map)
                case .error(let error): sink.finish(.failure(error))
                }
            }
        }
    }

    /// What the map has now, then its changes.
    public var changesetPublisher: RealmPublishers.MapChangeset<Map> { changesetPublisher(keyPaths: nil) }

    /// What the map has now, then its changes.
    ///
    /// - Parameter keyPaths: What counts as a change of a value that is an object; nil for everything.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.MapChangeset<Map> {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: keyPaths, on: queue) { change in
                sink.send(change)
                if case .error = change { sink.finish(.finished) }
            }
        }
    }
}

extension SectionedResults {
    /// The sections, now and after every change.
    public var collectionPublisher: RealmPublishers.Value<SectionedResults> { collectionPublisher(keyPaths: nil) }

    /// The sections, now and after every change.
    ///
    /// - Parameter keyPaths: What counts as a change of an object; nil for everything.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<SectionedResults> {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: keyPaths, on: queue) { change in
                switch change {
                case .initial(let sections), .update(let sections, _, _, _, _, _): sink.send(sections)
                }
            }
        }
    }

    /// The sections that there are now, then their changes.
    public var changesetPublisher: RealmPublishers.SectionedResultsChangeset<SectionedResults> { changesetPublisher(keyPaths: nil) }

    /// The sections that there are now, then their changes.
    ///
    /// - Parameter keyPaths: What counts as a change of an object; nil for everything.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.SectionedResultsChangeset<SectionedResults> {
        RealmPublishers.Observation { queue, sink in self.observe(keyPaths: keyPaths, on: queue) { sink.send($0) } }
    }
}

/// The collection, now and after every change. As `collection.collectionPublisher(keyPaths:)`.
public func valuePublisher<Subject: RealmCollection>(_ collection: Subject, keyPaths: [String]? = nil) -> RealmPublishers.Value<Subject> {
    collection.collectionPublisher(keyPaths: keyPaths)
}

/// What a collection has now, then its changes. As `collection.changesetPublisher(keyPaths:)`.
public func changesetPublisher<Subject: RealmCollection>(_ collection: Subject, keyPaths: [String]? = nil) -> RealmPublishers.CollectionChangeset<Subject> {
    collection.changesetPublisher(keyPaths: keyPaths)
}
