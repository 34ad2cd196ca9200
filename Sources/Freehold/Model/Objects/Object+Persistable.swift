// A link is `@Persisted var dog: Dog?`. That `Object` itself is `_Persistable` is not because
// `@Persisted var dog: Dog` is allowed: it makes the declaration compile, so that opening a
// realm can say what is wrong with it.

extension Object: _PersistableInsideOptional, _RealmCollectionValueInsideOptional {
    /// The class itself.
    public static var _rlmObjectType: ObjectBase.Type? { self }

    /// A property of this type is a link.
    public typealias PersistedType = Object

    /// `.object`.
    public static var _rlmType: PropertyType { .object }

    /// A new object.
    public static func _rlmDefaultValue() -> Self { self.init() }

    /// Not used: a link must be optional.
    public static func _read(_ object: ObjectBase, _ column: Int) -> Self {
        _readOptional(object, column) ?? self.init()
    }

    /// Not used: a link must be optional.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Object) {
        _writeOptional(object, column, value)
    }

    /// The object that a link of a managed object points to. O(log clusters), and one allocation.
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Self? {
        unsafeBitCast(readLink(of: object, column), to: Self?.self)
    }

    /// Makes a link of a managed object point to another object, which is added to the realm if
    /// it is unmanaged.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: Object?) {
        writeLink(of: object, column, value)
    }
}
