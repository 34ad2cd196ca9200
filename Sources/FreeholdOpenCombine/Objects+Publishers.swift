public import Freehold
import OpenCombine

/// An object after each of its changes; completes when it is deleted.
///
/// ```swift
/// let subscription = valuePublisher(dog, keyPaths: ["name"]).map(\.name).assertNoFailure().sink { print("renamed to", $0) }
/// ```
///
/// - Parameter keyPaths: What counts; nil for all properties of the object. As for `observe(keyPaths:_:)`.
public func valuePublisher<Subject: ObjectBase & ThreadConfined>(_ object: Subject, keyPaths: [String]? = nil) -> RealmPublishers.Value<Subject> {
    RealmPublishers.Observation { queue, sink in
        object.observe(keyPaths: keyPaths, on: queue) { change in
            switch change {
            case .change(let object, _): sink.send(object)
            case .deleted: sink.finish(.finished)
            case .error(let error): sink.finish(.failure(error))
            }
        }
    }
}

/// The changes of an object; completes after its deletion.
///
/// - Parameter keyPaths: What counts; nil for all properties of the object. As for `observe(keyPaths:_:)`.
public func changesetPublisher<Subject: ObjectBase & ThreadConfined>(_ object: Subject, keyPaths: [String]? = nil) -> RealmPublishers.ObjectChangeset<Subject> {
    RealmPublishers.Observation { queue, sink in
        object.observe(keyPaths: keyPaths, on: queue) { change in
            sink.send(change)
            if case .change = change {} else { sink.finish(.finished) }
        }
    }
}

extension ThreadConfined where Self: ObjectBase {
    /// That the object changed. It is sent after the change, when the new values can be read, in spite of its name, which is Combine's. Completes when the object is deleted.
    public var objectWillChange: RealmPublishers.WillChange<Self> {
        RealmPublishers.Observation { queue, sink in
            self.observe(on: queue) { change in
                if case .change = change { sink.send(()) } else { sink.finish(.finished) }
            }
        }
    }
}

extension Realm {
    /// That the realm changed. It is sent after the change, in spite of its name, which is Combine's.
    public var objectWillChange: RealmPublishers.RealmWillChange { RealmPublishers.RealmWillChange(self) }
}
