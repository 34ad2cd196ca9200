import FreeholdStorage

/// The codec of a type that is stored as another one, or of its optional. `Base` is the stored
/// type, a built-in one.
struct MappedCodec<Value: _MappedPersistable, Base: ScalarValue>: PropertyCodec {
    let isOptional: Bool

    init(isOptional: Bool) {
        precondition(
            Value.PersistedType.self == Base.self,
            "the codec of a mapped type needs the type that it maps to")
        self.isOptional = isOptional
    }

    var type: PropertyType { Base._rlmType }
    var columnType: ColumnType? { Base.columnType }

    /// The stored value with its static type. The initialiser has checked that both types are
    /// equal.
    private func base(_ value: Value) -> Base { unsafeBitCast(value._rlmPersisted, to: Base.self) }

    private func unmanagedBase(_ wrapper: UnsafeMutableRawPointer) -> Base? {
        if isOptional { return Persisted<Value?>.unsafeUnmanagedValue(at: wrapper).map(base) }
        return base(Persisted<Value>.unsafeUnmanagedValue(at: wrapper))
    }

    var storage: any WrapperStorage.Type {
        isOptional ? OptionalMappedStorage<Value, Base>.self : MappedStorage<Value, Base>.self
    }

    func value(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any? {
        if isOptional { return Persisted<Value?>.unsafeValue(of: object, at: wrapper).map(base) }
        return base(Persisted<Value>.unsafeValue(of: object, at: wrapper))
    }

    func declaredValue(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any? {
        if isOptional { return Persisted<Value?>.unsafeValue(of: object, at: wrapper) }
        return Persisted<Value>.unsafeValue(of: object, at: wrapper)
    }

    /// Accepts values of the type, and everything that converts to the stored type. As in Realm,
    /// a managed object also stores values without a counterpart in the type: raw values without
    /// a case. An unmanaged object cannot contain them, so it gets nil if its type allows that.
    func setValue(_ value: Any?, of object: ObjectBase, wrapper: UnsafeMutableRawPointer)
        throws(InvalidValueError)
    {
        let given = flattened(value)
        let converted = given.flatMap(converted(from:))
        let stored = converted == nil ? given.flatMap(Base.convertedLiteral) : nil
        if let stored, object._isManaged {
            let column = Int(wrapper.load(as: UInt16.self))
            return isOptional
                ? Base._writeOptional(object, column, stored) : Base._write(object, column, stored)
        }
        if let stored, !isOptional {
            throw InvalidValueError(
                message: "Could not convert value '\(stored)' to type '\(Value.self)'.")
        }
        if converted == nil, given != nil && stored == nil || !isOptional {
            throw InvalidValueError(refusing: value, of: object, wrapper: wrapper)
        }
        if isOptional {
            Persisted<Value?>.unsafeSetValue(converted, of: object, at: wrapper)
        } else if let converted {
            Persisted<Value>.unsafeSetValue(converted, of: object, at: wrapper)
        }
    }

    func isStorableOnly(_ value: Any?) -> Bool {
        guard let given = flattened(value) else { return false }
        return converted(from: given) == nil && Base.convertedLiteral(given) != nil
    }

    private func converted(from value: Any) -> Value? {
        if let value = value as? Value { return value }
        return Base.convertedLiteral(value).flatMap {
            Value._rlmFromPersisted(unsafeBitCast($0, to: Value.PersistedType.self))
        }
    }

    func primaryKey(in wrapper: UnsafeMutableRawPointer) -> PrimaryKeyValue? {
        primaryKey(unmanagedBase(wrapper))
    }

    func primaryKey(of value: Any?) -> PrimaryKeyValue? {
        guard let value else { return primaryKey(Base?.none) }
        return converted(from: value).flatMap { primaryKey(base($0)) }
    }

    private func primaryKey(_ value: Base?) -> PrimaryKeyValue? {
        guard isOptional else { return value.flatMap { Base.primaryKey(for: $0) } }
        guard let value else { return .index(.null) }
        return Base.indexKey(for: value).map { .index($0) }
    }
}
