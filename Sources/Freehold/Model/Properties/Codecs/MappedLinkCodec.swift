import FreeholdStorage

/// The codec of a program's value that is stored as an embedded object, or of its optional.
///
/// An unmanaged object contains the value, without an embedded object. That object is created
/// when the value is stored, so it is never part of the graph of unmanaged objects being added.
struct MappedLinkCodec<Value: _MappedPersistable>: LinkPropertyCodec {
    let conversion: OwnedConversion<Value>
    let isOptional: Bool

    var type: PropertyType { .object }
    var columnType: ColumnType? { .link }
    var target: ObjectBase.Type { conversion.target }
    var convertsObjects: Bool { true }

    var storage: any WrapperStorage.Type {
        isOptional ? AttachedStorage<Value?>.self : AttachedStorage<Value>.self
    }

    func unmanagedTarget(in wrapper: UnsafeMutableRawPointer) -> ObjectBase? {
        if isOptional {
            return Persisted<Value?>.unsafeUnmanagedValue(at: wrapper).map(conversion.object(for:))
        }
        return conversion.object(for: Persisted<Value>.unsafeUnmanagedValue(at: wrapper))
    }

    func isSameValue(_ a: ObjectBase, _ b: ObjectBase) -> Bool {
        guard let a = conversion.value(of: a), let b = conversion.value(of: b) else { return false }
        return a == b
    }

    /// The embedded object: the live one of a managed object, or one created for the value of an
    /// unmanaged object.
    func value(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any? {
        guard object._isManaged else { return unmanagedTarget(in: wrapper) }
        return target.readLink(
            of: object, Int(wrapper.assumingMemoryBound(to: Persisted<Value>.self).pointee.column))
    }

    func declaredValue(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any? {
        if isOptional { return Persisted<Value?>.unsafeValue(of: object, at: wrapper) }
        return Persisted<Value>.unsafeValue(of: object, at: wrapper)
    }

    /// Accepts values of the type, and embedded objects and literals that convert to one. As in
    /// Realm, null means the default.
    func setValue(_ value: Any?, of object: ObjectBase, wrapper: UnsafeMutableRawPointer)
        throws(InvalidValueError)
    {
        var converted: Value?
        if let given = flattened(value) {
            converted = try conversion.value(from: given)
        } else if !isOptional {
            converted = Value._rlmInitialValue() ?? Value._rlmDefaultValue()
        }
        if converted == nil, !isOptional || flattened(value) != nil {
            throw InvalidValueError(refusing: value, of: object, wrapper: wrapper)
        }
        if isOptional {
            Persisted<Value?>.unsafeSetValue(converted, of: object, at: wrapper)
        } else if let converted {
            Persisted<Value>.unsafeSetValue(converted, of: object, at: wrapper)
        }
    }
}
