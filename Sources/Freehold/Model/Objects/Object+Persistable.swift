// A link is `@Persisted var dog: Dog?`. `@Persisted var dog: Dog` is not allowed. `Object`
// itself is `_Persistable` only so that such a declaration compiles, and opening a realm can say
// what is wrong with it.

extension Object: _PersistableInsideOptional, _RealmCollectionValueInsideOptional {
    /// The class of the elements: this class.
    public static var _rlmObjectType: ObjectBase.Type? { self }

    /// The stored type of a link.
    public typealias PersistedType = Object

    /// The property type in schemas: `.object`.
    public static var _rlmType: PropertyType { .object }

    /// Returns a new object.
    public static func _rlmDefaultValue() -> Self { self.init() }

    /// Not used: a link must be optional.
    public static func _read(_ object: ObjectBase, _ column: Int) -> Self {
        _readOptional(object, column) ?? self.init()
    }

    /// Not used: a link must be optional.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Object) {
        _writeOptional(object, column, value)
    }

    /// Returns the object that a link of a managed object points to. O(log clusters), and one
    /// allocation.
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Self? {
        unsafeBitCast(readLink(of: object, column), to: Self?.self)
    }

    /// Makes a link of a managed object point to another object. Adds that object to the realm
    /// if it is unmanaged.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: Object?) {
        writeLink(of: object, column, value)
    }
}
