/// A type whose objects ``Realm/objects(_:)`` can fetch: every subclass of ``Object``.
///
/// Do not conform your own types: that would not make them fetchable.
public protocol RealmFetchable: RealmCollectionValue {
    /// The name of the class in schemas.
    static func className() -> String

    /// The model class. For the library's own use.
    static var _objectClass: ObjectBase.Type { get }
}

extension Object: RealmFetchable {
    /// The model class. For the library's own use.
    public static var _objectClass: ObjectBase.Type { self }
}
