/// A value that is stored with a built-in type: an enum as its raw value, a type of the program
/// as the value that it maps to.
///
/// Do not conform your own types to it: use ``PersistableEnum``, ``CustomPersistable`` or
/// ``FailableCustomPersistable``.
public protocol _MappedPersistable: _PersistableInsideOptional, _RealmCollectionValueInsideOptional
{
    /// Returns the value for a stored one; nil if there is none.
    static func _rlmFromPersisted(_ persisted: PersistedType) -> Self?
    /// The value to store.
    var _rlmPersisted: PersistedType { get }
    /// The default of the type; nil if it has none. Never traps.
    static var _rlmPossibleDefault: Self? { get }
    /// Reports that a non-optional property has a stored value without a counterpart in the
    /// type.
    static func _rlmRefuse(_ persisted: PersistedType, of object: ObjectBase) -> Never
}

extension _MappedPersistable {
    /// The property type of the stored type.
    public static var _rlmType: PropertyType { PersistedType._rlmType }

    /// The value for the stored type's default; nil if there is none.
    public static var _rlmPossibleDefault: Self? {
        _rlmFromPersisted(PersistedType._rlmDefaultValue())
    }

    /// Reads the property of a managed object. Traps if the stored value does not map to a
    /// value.
    @inlinable
    public static func _read(_ object: ObjectBase, _ column: Int) -> Self {
        let persisted = PersistedType._read(object, column)
        return _rlmFromPersisted(persisted) ?? _withoutMapping(persisted, object, column)
    }

    /// Reads the optional property of a managed object; nil if the stored value does not map to
    /// a value.
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

    /// Returns the declaration's default if a recorder is read, whose zeros need not map to a
    /// value, or if the file is damaged. Otherwise traps.
    @inline(never) @usableFromInline
    static func _withoutMapping(_ persisted: PersistedType, _ object: ObjectBase, _ column: Int)
        -> Self
    {
        if let declared = _declaredValue(object, column) { return declared }
        _rlmRefuse(persisted, of: object)
    }

    /// The default of a non-optional property, for reading a recorder or a damaged value. If a
    /// damaged object's property has no default, another substitute. Otherwise nil.
    static func _declaredValue(_ object: ObjectBase, _ column: Int) -> Self? {
        guard
            let property = object.isRecorder
                ? object.reflectedSchema?.properties[column - 1] : object.damagedProperty(column)
        else { return nil }
        // A dynamic object has no wrappers; the realm knows its class.
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
