import FreeholdStorage

/// The codec of a built-in type.
struct ScalarCodec: PropertyCodec {
    let scalar: any ScalarValue.Type

    var type: PropertyType { scalar._rlmType }
    var columnType: ColumnType? { scalar.columnType }
    var isOptional: Bool { false }

    var storage: any WrapperStorage.Type { scalar }

    func value(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any? {
        value(scalar, object, wrapper)
    }

    private func value<Value: ScalarValue>(
        _: Value.Type, _ object: ObjectBase, _ wrapper: UnsafeMutableRawPointer
    ) -> Any? {
        Persisted<Value>.unsafeValue(of: object, at: wrapper)
    }

    func setValue(_ value: Any?, of object: ObjectBase, wrapper: UnsafeMutableRawPointer)
        throws(InvalidValueError)
    {
        guard setValue(scalar, flattened(value), object, wrapper) else {
            throw InvalidValueError(refusing: value, of: object, wrapper: wrapper)
        }
    }

    private func setValue<Value: ScalarValue>(
        _: Value.Type, _ value: Any?, _ object: ObjectBase, _ wrapper: UnsafeMutableRawPointer
    ) -> Bool {
        guard let value, let converted = Value.convertedLiteral(value) else { return false }
        Persisted<Value>.unsafeSetValue(converted, of: object, at: wrapper)
        return true
    }

    func primaryKey(in wrapper: UnsafeMutableRawPointer) -> PrimaryKeyValue? {
        scalar.primaryKey(in: wrapper)
    }

    func primaryKey(of value: Any?) -> PrimaryKeyValue? { value.flatMap { primaryKey(scalar, $0) } }

    private func primaryKey<Value: ScalarValue>(_: Value.Type, _ value: Any) -> PrimaryKeyValue? {
        Value.convertedLiteral(value).flatMap { Value.primaryKey(for: $0) }
    }
}

/// The codec of an optional built-in type.
struct OptionalScalarCodec: PropertyCodec {
    let scalar: any ScalarValue.Type

    var type: PropertyType { scalar._rlmType }
    var columnType: ColumnType? { scalar.columnType }
    var isOptional: Bool { true }

    var storage: any WrapperStorage.Type { storage(scalar) }

    private func storage<Value: ScalarValue>(_: Value.Type) -> any WrapperStorage.Type {
        OptionalScalarStorage<Value>.self
    }

    func value(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any? {
        value(scalar, object, wrapper)
    }

    private func value<Value: ScalarValue>(
        _: Value.Type, _ object: ObjectBase, _ wrapper: UnsafeMutableRawPointer
    ) -> Any? {
        Persisted<Value?>.unsafeValue(of: object, at: wrapper)
    }

    func setValue(_ value: Any?, of object: ObjectBase, wrapper: UnsafeMutableRawPointer)
        throws(InvalidValueError)
    {
        guard setValue(scalar, flattened(value), object, wrapper) else {
            throw InvalidValueError(refusing: value, of: object, wrapper: wrapper)
        }
    }

    private func setValue<Value: ScalarValue>(
        _: Value.Type, _ value: Any?, _ object: ObjectBase, _ wrapper: UnsafeMutableRawPointer
    ) -> Bool {
        var converted: Value?
        if let value {
            guard let some = Value.convertedLiteral(value) else { return false }
            converted = some
        }
        Persisted<Value?>.unsafeSetValue(converted, of: object, at: wrapper)
        return true
    }

    func primaryKey(in wrapper: UnsafeMutableRawPointer) -> PrimaryKeyValue? {
        primaryKey(scalar, wrapper)
    }

    private func primaryKey<Value: ScalarValue>(_: Value.Type, _ wrapper: UnsafeMutableRawPointer)
        -> PrimaryKeyValue?
    {
        guard let value = Persisted<Value?>.unsafeUnmanagedValue(at: wrapper) else {
            return .index(.null)
        }
        return Value.indexKey(for: value).map { .index($0) }
    }

    func primaryKey(of value: Any?) -> PrimaryKeyValue? {
        guard let value else { return .index(.null) }
        return primaryKey(scalar, value)
    }

    private func primaryKey<Value: ScalarValue>(_: Value.Type, _ value: Any) -> PrimaryKeyValue? {
        Value.convertedLiteral(value).flatMap { Value.indexKey(for: $0) }.map { .index($0) }
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
