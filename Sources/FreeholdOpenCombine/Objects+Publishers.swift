public import Freehold
import OpenCombine

/// Publishes an object after each of its changes; completes when it is deleted.
///
/// ```swift
/// let subscription = valuePublisher(dog, keyPaths: ["name"])
///     .map(\.name)
///     .assertNoFailure()
///     .sink { print("renamed to", $0) }
/// ```
///
/// - Parameters:
///   - object: A managed object, which may be embedded.
///   - keyPaths: The properties whose changes count; nil for all of the object. As for
///     `observe(keyPaths:_:)`.
public func valuePublisher<Subject: ObjectBase & ThreadConfined>(
    _ object: Subject, keyPaths: [String]? = nil
) -> RealmPublishers.Value<Subject> {
    RealmPublishers.Observation { queue, sink in
        object.observe(keyPaths: keyPaths, on: queue) { $0.send(valuesTo: sink) }
    }
}

/// Publishes the changes of an object; completes when it is deleted.
///
/// - Parameters:
///   - object: A managed object, which may be embedded.
///   - keyPaths: The properties whose changes count; nil for all of the object. As for
///     `observe(keyPaths:_:)`.
public func changesetPublisher<Subject: ObjectBase & ThreadConfined>(
    _ object: Subject, keyPaths: [String]? = nil
) -> RealmPublishers.ObjectChangeset<Subject> {
    RealmPublishers.Observation { queue, sink in
        object.observe(keyPaths: keyPaths, on: queue) { $0.send(to: sink) }
    }
}

/// Publishes a projection after each change of its projected properties; completes when its
/// object is deleted.
///
/// - Parameters:
///   - projection: A projection of a managed object.
///   - keyPaths: The properties whose changes count; nil for all projected ones. As for
///     `observe(keyPaths:_:)`.
public func valuePublisher<Subject: ProjectionObservable>(
    _ projection: Subject, keyPaths: [String]? = nil
) -> RealmPublishers.Value<Subject> {
    RealmPublishers.Observation { queue, sink in
        projection.observe(keyPaths: keyPaths, on: queue) { $0.send(valuesTo: sink) }
    }
}

/// Publishes the changes of a projection; completes when its object is deleted.
///
/// - Parameters:
///   - projection: A projection of a managed object.
///   - keyPaths: The properties whose changes count; nil for all projected ones. As for
///     `observe(keyPaths:_:)`.
public func changesetPublisher<Subject: ProjectionObservable>(
    _ projection: Subject, keyPaths: [String]? = nil
) -> RealmPublishers.ProjectionChangeset<Subject> {
    RealmPublishers.Observation { queue, sink in
        projection.observe(keyPaths: keyPaths, on: queue) { $0.send(to: sink) }
    }
}

extension ThreadConfined where Self: ObjectBase {
    /// Publishes a value after each change of the object, and after its deletion, then completes.
    /// Sent after the change, when the new values can be read, although Combine's name suggests
    /// otherwise.
    public var objectWillChange: RealmPublishers.WillChange<Self> {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: nil, on: queue) { $0.send(signalsTo: sink) }
        }
    }
}

extension ProjectionObservable {
    /// Publishes a value after each change of the projected properties, and after the deletion of
    /// the object, then completes. Sent after the change, although Combine's name suggests
    /// otherwise.
    public var objectWillChange: RealmPublishers.WillChange<Self> {
        RealmPublishers.Observation { queue, sink in
            self.observe(keyPaths: nil, on: queue) { $0.send(signalsTo: sink) }
        }
    }
}

extension ObjectChange {
    fileprivate func send(valuesTo sink: ObservationSink<T, any Error>) {
        switch self {
        case .change(let object, _): sink.send(object)
        case .deleted: sink.finish(.finished)
        case .error(let error): sink.finish(.failure(error))
        }
    }

    fileprivate func send(to sink: ObservationSink<ObjectChange<T>, Never>) {
        switch self {
        case .change: sink.send(self)
        case .deleted: sink.finish(.finished)
        case .error:
            sink.send(self)
            sink.finish(.finished)
        }
    }

    fileprivate func send(signalsTo sink: ObservationSink<Void, Never>) {
        sink.send(())
        if case .change = self {} else { sink.finish(.finished) }
    }
}

extension Realm {
    /// Publishes a value after each change of the realm. Sent after the change, although
    /// Combine's name suggests otherwise.
    public var objectWillChange: RealmPublishers.RealmWillChange {
        RealmPublishers.RealmWillChange(self)
    }
}
