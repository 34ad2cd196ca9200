import FreeholdStorage

// A link is `@Persisted var dog: Dog?`. That `Object` itself is `_Persistable` is not because `@Persisted var dog: Dog` is
// allowed: it makes the declaration compile, so that opening a realm can say what is wrong with it.

extension Object: _PersistableInsideOptional, _RealmCollectionValueInsideOptional {
    /// The class itself.
    public static var _rlmObjectType: ObjectBase.Type? { self }

    /// A link is stored as a link.
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
        let view = object.columnForReading(column)
        guard let core = object.core else { return object.recordLink(to: self) }
        if view.pointee.isNull(at: object.row) { return nil }
        let key = view.pointee.integer(at: object.row)
        let binding = core.binding(for: self)
        guard let place = core.locate(key, of: binding) else { return nil }
        return unsafeDowncast(binding.makeAccessor(key: key, cluster: place.cluster, row: place.row), to: self)
    }

    /// Makes a link of a managed object point to another object, which is added to the realm if it is unmanaged.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: Object?) {
        guard let value else {
            object.rowForWriting(column).setNull(ColumnID(position: column))
            return
        }
        if type(of: value) != self {
            violation(.misuse(
                text: "Invalid value '\(type(of: value).className())' of type '\(type(of: value))' for '\(className())?' property "
                    + "of '\(type(of: object).className())'.",
                remedy: "A link points to objects of exactly the class that its property declares, not of a subclass."))
        }
        // The gate comes first, so that nothing is added when the write is refused; adding may move rows, so the row is
        // asked for again.
        _ = object.rowForWriting(column)
        let key = object.core.unsafelyUnwrapped.linkTargetKey(for: value)
        object.rowForWriting(column).setInteger(ColumnID(position: column), key)
    }
}
