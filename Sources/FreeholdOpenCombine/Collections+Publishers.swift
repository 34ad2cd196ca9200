public import Freehold
import OpenCombine

// The publishers of collections, maps and sections, each built on the one `observe` of its
// protocol.

extension RealmCollection {
    /// Publishes a first value, then one after each change of the collection. Sent after the
    /// change, although Combine's name suggests otherwise.
    public var objectWillChange: RealmPublishers.WillChange<Self> {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: nil, on: queue) { _ in sink.send(()) }
        }
    }

    /// Publishes the collection, at once and after every change.
    public var collectionPublisher: RealmPublishers.Value<Self> {
        collectionPublisher(keyPaths: nil)
    }

    /// Publishes the collection, at once and after every change.
    ///
    /// - Parameter keyPaths: The properties whose changes count; nil for all. As for
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

    /// Publishes the collection's initial state, then its changes.
    public var changesetPublisher: RealmPublishers.CollectionChangeset<Self> {
        changesetPublisher(keyPaths: nil)
    }

    /// Publishes the collection's initial state, then its changes.
    ///
    /// - Parameter keyPaths: The properties whose changes count; nil for all. As for
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
    /// Publishes a first value, then one after each change of the map. Sent after the change,
    /// although Combine's name suggests otherwise.
    public var objectWillChange: RealmPublishers.WillChange<Self> {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: nil, on: queue) { _ in sink.send(()) }
        }
    }

    /// Publishes the map, at once and after every change.
    public var collectionPublisher: RealmPublishers.Value<Self> {
        collectionPublisher(keyPaths: nil)
    }

    /// Publishes the map, at once and after every change.
    ///
    /// - Parameter keyPaths: The properties of objects in the map whose changes count; nil for
    ///   all.
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

    /// Publishes the map's initial state, then its changes.
    public var changesetPublisher: RealmPublishers.MapChangeset<Self> {
        changesetPublisher(keyPaths: nil)
    }

    /// Publishes the map's initial state, then its changes.
    ///
    /// - Parameter keyPaths: The properties of objects in the map whose changes count; nil for
    ///   all.
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
    /// Publishes a first value, then one after each change of the sections, or of the section.
    /// Sent after the change, although Combine's name suggests otherwise.
    public var objectWillChange: RealmPublishers.WillChange<Self> {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: nil, on: queue) { _ in sink.send(()) }
        }
    }

    /// Publishes the sections, or the section, at once and after every change.
    public var collectionPublisher: RealmPublishers.Value<Self> {
        collectionPublisher(keyPaths: nil)
    }

    /// Publishes the sections, or the section, at once and after every change.
    ///
    /// - Parameter keyPaths: The properties whose changes count; nil for all.
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

    /// Publishes the initial state, then the changes.
    public var changesetPublisher: RealmPublishers.SectionedResultsChangeset<Self> {
        changesetPublisher(keyPaths: nil)
    }

    /// Publishes the initial state, then the changes.
    ///
    /// - Parameter keyPaths: The properties whose changes count; nil for all.
    public func changesetPublisher(keyPaths: [String]?)
        -> RealmPublishers.SectionedResultsChangeset<Self>
    {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: keyPaths, on: queue) { sink.send($0) }
        }
    }
}

// MARK: - As functions

/// Publishes the collection, at once and after every change. As
/// `collection.collectionPublisher(keyPaths:)`.
public func valuePublisher<Subject: RealmCollection>(
    _ collection: Subject, keyPaths: [String]? = nil
) -> RealmPublishers.Value<Subject> { collection.collectionPublisher(keyPaths: keyPaths) }

/// Publishes the map, at once and after every change. As `map.collectionPublisher(keyPaths:)`.
public func valuePublisher<Subject: RealmKeyedCollection>(_ map: Subject, keyPaths: [String]? = nil)
    -> RealmPublishers.Value<Subject>
{ map.collectionPublisher(keyPaths: keyPaths) }

/// Publishes the sections, or the section, at once and after every change. As
/// `sections.collectionPublisher(keyPaths:)`.
public func valuePublisher<Subject: RealmSectionedResult>(
    _ sections: Subject, keyPaths: [String]? = nil
) -> RealmPublishers.Value<Subject> { sections.collectionPublisher(keyPaths: keyPaths) }

/// Publishes a collection's initial state, then its changes. As
/// `collection.changesetPublisher(keyPaths:)`.
public func changesetPublisher<Subject: RealmCollection>(
    _ collection: Subject, keyPaths: [String]? = nil
) -> RealmPublishers.CollectionChangeset<Subject> {
    collection.changesetPublisher(keyPaths: keyPaths)
}

/// Publishes a map's initial state, then its changes. As `map.changesetPublisher(keyPaths:)`.
public func changesetPublisher<Subject: RealmKeyedCollection>(
    _ map: Subject, keyPaths: [String]? = nil
) -> RealmPublishers.MapChangeset<Subject> { map.changesetPublisher(keyPaths: keyPaths) }

/// Publishes the initial state of sections, or of a section, then the changes. As
/// `sections.changesetPublisher(keyPaths:)`.
public func changesetPublisher<Subject: RealmSectionedResult>(
    _ sections: Subject, keyPaths: [String]? = nil
) -> RealmPublishers.SectionedResultsChangeset<Subject> {
    sections.changesetPublisher(keyPaths: keyPaths)
}
