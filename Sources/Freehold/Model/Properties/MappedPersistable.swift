/// A value that is stored as one of a built-in type: an enum as its raw value, a type of the
/// program as what it maps itself to.
///
/// Not for conformances of your own: see ``PersistableEnum``, ``CustomPersistable`` and
/// ``FailableCustomPersistable``.
public protocol _MappedPersistable: _PersistableInsideOptional, _RealmCollectionValueInsideOptional
{
    /// The value that is stored as this one; nil if there is none.
    static func _rlmFromPersisted(_ persisted: PersistedType) -> Self?
    /// What is stored.
    var _rlmPersisted: PersistedType { get }
    /// The default of the type; nil if it has none. Never traps.
    static var _rlmPossibleDefault: Self? { get }
    /// Reports that a property that is not optional holds a stored value that maps to nothing.
    static func _rlmRefuse(_ persisted: PersistedType, of object: ObjectBase) -> Never
}

extension _MappedPersistable {
    /// That of the stored type.
    public static var _rlmType: PropertyType { PersistedType._rlmType }

    /// What the stored type's default maps to.
    public static var _rlmPossibleDefault: Self? {
        _rlmFromPersisted(PersistedType._rlmDefaultValue())
    }

    /// Reads the property of a managed object. Traps if the stored value maps to nothing.
    @inlinable
    public static func _read(_ object: ObjectBase, _ column: Int) -> Self {
        let persisted = PersistedType._read(object, column)
        return _rlmFromPersisted(persisted) ?? _withoutMapping(persisted, object, column)
    }

    /// Reads the optional property of a managed object; nil if the stored value maps to nothing.
    @inlinable
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Self? {
        PersistedType._readOptional(object, column).flatMap(_rlmFromPersisted)
    }

    /// Writes the property of a managed object.
    @inlinable
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Self) {
        PersistedType._write(object, column, value._rlmPersisted)
    }

    /// Writes the optional property of a managed object.
    @inlinable
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: Self?) {
        PersistedType._writeOptional(object, column, value?._rlmPersisted)
    }

    /// A recorder reads zeros, which need not map to anything; then the default of the
    /// declaration stands in. So it does where the file is damaged.
    @inline(never) @usableFromInline
    static func _withoutMapping(_ persisted: PersistedType, _ object: ObjectBase, _ column: Int)
        -> Self
    {
        if let declared = _declaredValue(object, column) { return declared }
        _rlmRefuse(persisted, of: object)
    }

    /// What a new object has in a property that is not optional, where a recorder is read, or
    /// an object whose value is damaged: there another value stands in if it has none. Else
    /// nil.
    static func _declaredValue(_ object: ObjectBase, _ column: Int) -> Self? {
        guard
            let property = object.isRecorder
                ? object.reflectedSchema?.properties[column - 1] : object.damagedProperty(column)
        else { return nil }
        // A dynamic object has no place for values; its class is the realm's.
        let declaring = object.isRecorder ? nil : object.binding?.takeUnretainedValue().schema.type
        let type = declaring ?? type(of: object)
        if type is DynamicObject.Type { return _standIn(object, column) }
        let instance = type.init()
        defer { withExtendedLifetime(instance) {} }
        let wrapper = instance.unsafeWrapper(of: property)
        if object.isRecorder { return Persisted<Self>.unsafeUnmanagedValue(at: wrapper) }
        return wrapper.assumingMemoryBound(to: Persisted<Self>.self).pointee.unmanaged
            ?? _standIn(object, column)
    }
}
