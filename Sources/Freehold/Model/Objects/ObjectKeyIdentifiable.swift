/// A model class whose objects are told apart by which object of the realm they are, for lists
/// that want `Identifiable` elements.
///
/// ```swift
/// class Dog: Object, ObjectKeyIdentifiable {
///     @Persisted var name = ""
/// }
/// ```
///
/// A class with a property `id` of its own has that as its identity.
public protocol ObjectKeyIdentifiable: Identifiable {
    /// The same for all instances of one object of one file, for lists that tell rows apart.
    var id: ID { get }
}

extension ObjectKeyIdentifiable where Self: ObjectBase {
    /// The object's key among those of its class; the same for every accessor of the object, in
    /// every realm and version of the file. Of an unmanaged object a number that only this
    /// instance has, while it lives. Any thread.
    public var id: UInt64 { rowIdentity }
}

extension ObjectBase {
    fileprivate var rowIdentity: UInt64 {
        _isManaged ? UInt64(bitPattern: key) : UInt64(UInt(bitPattern: ObjectIdentifier(self)))
    }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
    /// The identity of the object that is projected: the same for all projections of it, and
    /// for the object itself. Any thread.
    public var id: UInt64 { rootObject.rowIdentity }
}
