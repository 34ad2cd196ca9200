import FreeholdStorage

/// The codec of a built-in type, or of its optional.
struct ScalarCodec<Value: ScalarValue>: PropertyCodec {
    let isOptional: Bool

    var type: PropertyType { Value._rlmType }
    var columnType: ColumnType? { Value.columnType }

    var storage: any WrapperStorage.Type {
        isOptional ? OptionalScalarStorage<Value>.self : Value.self
    }

    // What concerns the optional type is in functions of its own, because a generic function asks
    // the runtime at its beginning for all types that it names.

    func value(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any? {
        isOptional
            ? optionalValue(of: object, wrapper: wrapper)
            : Persisted<Value>.unsafeValue(of: object, at: wrapper)
    }

    @inline(never)
    private func optionalValue(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any? {
        Persisted<Value?>.unsafeValue(of: object, at: wrapper)
    }

    func setValue(_ value: Any?, of object: ObjectBase, wrapper: UnsafeMutableRawPointer)
        throws(InvalidValueError)
    {
        guard !isOptional, let given = flattened(value),
            let converted = Value.convertedLiteral(given)
        else { return try setOptionalValue(value, of: object, wrapper: wrapper) }
        Persisted<Value>.unsafeSetValue(converted, of: object, at: wrapper)
    }

    @inline(never)
    private func setOptionalValue(
        _ value: Any?, of object: ObjectBase, wrapper: UnsafeMutableRawPointer
    ) throws(InvalidValueError) {
        let given = flattened(value)
        let converted = given.flatMap(Value.convertedLiteral)
        if !isOptional || (converted == nil && given != nil) {
            throw InvalidValueError(refusing: value, of: object, wrapper: wrapper)
        }
        Persisted<Value?>.unsafeSetValue(converted, of: object, at: wrapper)
    }

    func primaryKey(in wrapper: UnsafeMutableRawPointer) -> PrimaryKeyValue? {
        isOptional ? optionalKey(in: wrapper) : Value.primaryKey(in: wrapper)
    }

    @inline(never)
    private func optionalKey(in wrapper: UnsafeMutableRawPointer) -> PrimaryKeyValue? {
        optionalKey(Persisted<Value?>.unsafeUnmanagedValue(at: wrapper))
    }

    func primaryKey(of value: Any?) -> PrimaryKeyValue? {
        guard let value else { return isOptional ? .index(.null) : nil }
        return Value.convertedLiteral(value).flatMap {
            isOptional ? optionalKey($0) : Value.primaryKey(for: $0)
        }
    }

    /// The value of a primary key that can be null. It is not used as row key.
    private func optionalKey(_ value: Value?) -> PrimaryKeyValue? {
        guard let value else { return .index(.null) }
        return Value.indexKey(for: value).map { .index($0) }
    }
}

extension ScalarValue {
    /// The codec of properties of the type.
    static func codec(isOptional: Bool) -> any PropertyCodec {
        ScalarCodec<Self>(isOptional: isOptional)
    }
}

extension Persisted {
    /// The value of a property, managed or not. The caller promises that the wrapper at the
    /// address is this object's.
    static func unsafeValue(of object: ObjectBase, at wrapper: UnsafeMutableRawPointer) -> Value {
        if object._isManaged {
            return Value._read(
                object, Int(wrapper.assumingMemoryBound(to: Self.self).pointee.column))
        }
        return unsafeUnmanagedValue(at: wrapper)
    }

    /// Assigns a property, managed or not. The caller promises that the wrapper at the address
    /// is this object's.
    static func unsafeSetValue(
        _ value: Value, of object: ObjectBase, at wrapper: UnsafeMutableRawPointer
    ) {
        let persisted = wrapper.assumingMemoryBound(to: Self.self)
        if object._isManaged {
            Value._write(object, Int(persisted.pointee.column), value)
        } else {
            persisted.pointee.unmanaged = Value._rlmAssigned(
                value, over: persisted.pointee.unmanaged)
        }
    }
}
