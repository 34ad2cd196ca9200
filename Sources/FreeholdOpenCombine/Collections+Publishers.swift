public import Freehold
import OpenCombine

// The publishers of collections, maps and sections: each from the one `observe` of its protocol.

extension RealmCollection {
    /// That the collection changed, and that it is there. It is sent after the change, in spite
    /// of its name, which is Combine's.
    public var objectWillChange: RealmPublishers.WillChange<Self> {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: nil, on: queue) { _ in sink.send(()) }
        }
    }

    /// The collection, now and after every change.
    public var collectionPublisher: RealmPublishers.Value<Self> {
        collectionPublisher(keyPaths: nil)
    }

    /// The collection, now and after every change.
    ///
    /// - Parameter keyPaths: What counts as a change of an object; nil for everything. As for
    ///   `observe(keyPaths:_:)`.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: keyPaths, on: queue) { change in
                switch change {
                case .initial(let collection), .update(let collection, _, _, _):
                    sink.send(collection)
                case .error(let error): sink.finish(.failure(error))
                }
            }
        }
    }

    /// What the collection has now, then its changes.
    public var changesetPublisher: RealmPublishers.CollectionChangeset<Self> {
        changesetPublisher(keyPaths: nil)
    }

    /// What the collection has now, then its changes.
    ///
    /// - Parameter keyPaths: What counts as a change of an object; nil for everything. As for
    ///   `observe(keyPaths:_:)`.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.CollectionChangeset<Self>
    {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: keyPaths, on: queue) { change in
                sink.send(change)
                if case .error = change { sink.finish(.finished) }
            }
        }
    }
}

extension RealmKeyedCollection {
    /// That the map changed, and that it is there. It is sent after the change, in spite of its
    /// name, which is Combine's.
    public var objectWillChange: RealmPublishers.WillChange<Self> {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: nil, on: queue) { _ in sink.send(()) }
        }
    }

    /// The map, now and after every change.
    public var collectionPublisher: RealmPublishers.Value<Self> {
        collectionPublisher(keyPaths: nil)
    }

    /// The map, now and after every change.
    ///
    /// - Parameter keyPaths: What counts as a change of a value that is an object; nil for
    ///   everything.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
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
    public var changesetPublisher: RealmPublishers.MapChangeset<Self> {
        changesetPublisher(keyPaths: nil)
    }

    /// What the map has now, then its changes.
    ///
    /// - Parameter keyPaths: What counts as a change of a value that is an object; nil for
    ///   everything.
    public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.MapChangeset<Self> {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: keyPaths, on: queue) { change in
                sink.send(change)
                if case .error = change { sink.finish(.finished) }
            }
        }
    }
}

extension RealmSectionedResult {
    /// That the sections, or the section, changed, and that they are there. It is sent after
    /// the change, in spite of its name, which is Combine's.
    public var objectWillChange: RealmPublishers.WillChange<Self> {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: nil, on: queue) { _ in sink.send(()) }
        }
    }

    /// The sections, or the section, now and after every change.
    public var collectionPublisher: RealmPublishers.Value<Self> {
        collectionPublisher(keyPaths: nil)
    }

    /// The sections, or the section, now and after every change.
    ///
    /// - Parameter keyPaths: What counts as a change of an object; nil for everything.
    public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: keyPaths, on: queue) { change in
                switch change {
                case .initial(let sections), .update(let sections, _, _, _, _, _):
                    sink.send(sections)
                }
            }
        }
    }

    /// What there is now, then the changes.
    public var changesetPublisher: RealmPublishers.SectionedResultsChangeset<Self> {
        changesetPublisher(keyPaths: nil)
    }

    /// What there is now, then the changes.
    ///
    /// - Parameter keyPaths: What counts as a change of an object; nil for everything.
    public func changesetPublisher(keyPaths: [String]?)
        -> RealmPublishers.SectionedResultsChangeset<Self>
    {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: keyPaths, on: queue) { sink.send($0) }
        }
    }
}

// MARK: - As functions

/// The collection, now and after every change. As `collection.collectionPublisher(keyPaths:)`.
public func valuePublisher<Subject: RealmCollection>(
    _ collection: Subject, keyPaths: [String]? = nil
) -> RealmPublishers.Value<Subject> {
    collection.collectionPublisher(keyPaths: keyPaths)
}

/// The map, now and after every change. As `map.collectionPublisher(keyPaths:)`.
public func valuePublisher<Subject: RealmKeyedCollection>(_ map: Subject, keyPaths: [String]? = nil)
    -> RealmPublishers.Value<Subject>
{
    map.collectionPublisher(keyPaths: keyPaths)
}

/// The sections, or the section, now and after every change. As
/// `sections.collectionPublisher(keyPaths:)`.
public func valuePublisher<Subject: RealmSectionedResult>(
    _ sections: Subject, keyPaths: [String]? = nil
) -> RealmPublishers.Value<Subject> {
    sections.collectionPublisher(keyPaths: keyPaths)
}

/// What a collection has now, then its changes. As `collection.changesetPublisher(keyPaths:)`.
public func changesetPublisher<Subject: RealmCollection>(
    _ collection: Subject, keyPaths: [String]? = nil
) -> RealmPublishers.CollectionChangeset<Subject> {
    collection.changesetPublisher(keyPaths: keyPaths)
}

/// What a map has now, then its changes. As `map.changesetPublisher(keyPaths:)`.
public func changesetPublisher<Subject: RealmKeyedCollection>(
    _ map: Subject, keyPaths: [String]? = nil
) -> RealmPublishers.MapChangeset<Subject> {
    map.changesetPublisher(keyPaths: keyPaths)
}

/// What there is in sections, or in a section, now, then the changes. As
/// `sections.changesetPublisher(keyPaths:)`.
public func changesetPublisher<Subject: RealmSectionedResult>(
    _ sections: Subject, keyPaths: [String]? = nil
) -> RealmPublishers.SectionedResultsChangeset<Subject> {
    sections.changesetPublisher(keyPaths: keyPaths)
}
