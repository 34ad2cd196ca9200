/// A type whose objects ``Realm/objects(_:)`` can fetch: every subclass of ``Object``.
///
/// The library conforms the types that work; a conformance of your own would not make a type
/// fetchable.
public protocol RealmFetchable: RealmCollectionValue {
    /// The name of the class in schemas.
    static func className() -> String

    /// The model class. Not for use by programs.
    static var _objectClass: ObjectBase.Type { get }
}

extension Object: RealmFetchable {
    /// The model class. Not for use by programs.
    public static var _objectClass: ObjectBase.Type { self }
}
