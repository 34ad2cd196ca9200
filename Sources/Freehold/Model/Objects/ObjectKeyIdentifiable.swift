/// A model class whose objects are identified by their row, for lists that require
/// `Identifiable` elements.
///
/// ```swift
/// class Dog: Object, ObjectKeyIdentifiable {
///     @Persisted var name = ""
/// }
/// ```
///
/// A class with its own property `id` uses that as its identity.
public protocol ObjectKeyIdentifiable: Identifiable {
    /// The identity, equal for all instances of one object of one file.
    var id: ID { get }
}

extension ObjectKeyIdentifiable where Self: ObjectBase {
    /// The object's key within its class, equal for every accessor of the object in every realm
    /// and version of the file. For an unmanaged object, a number that is unique to this
    /// instance while it lives. Any thread.
    public var id: UInt64 { rowIdentity }
}

extension ObjectBase {
    fileprivate var rowIdentity: UInt64 {
        _isManaged ? UInt64(bitPattern: key) : UInt64(UInt(bitPattern: ObjectIdentifier(self)))
    }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
    /// The identity of the projected object: the same for all its projections, and for the
    /// object itself. Any thread.
    public var id: UInt64 { rootObject.rowIdentity }
}
