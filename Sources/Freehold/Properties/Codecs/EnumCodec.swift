import FreeholdStorage

/// The codec of an enum or an optional one. `Raw` is the enum's raw value type, known to be a built-in type.
struct EnumCodec<Enum: PersistableEnum, Raw: ScalarValue>: PropertyCodec {
    let isOptional: Bool

    init(isOptional: Bool) {
        precondition(Enum.RawValue.self == Raw.self, "an enum's codec needs the enum's own raw value type")
        self.isOptional = isOptional
    }

    var type: PropertyType { Raw._rlmType }
    var columnType: ColumnType { Raw.columnType }

    /// The raw value under its static type. The initialiser has checked that both types are the same.
    private func raw(_ value: Enum) -> Raw { unsafeBitCast(value.rawValue, to: Raw.self) }

    private func unmanagedRaw(_ wrapper: UnsafeMutableRawPointer) -> Raw? {
        if isOptional { return Persisted<Enum?>.unsafeUnmanagedValue(at: wrapper).map(raw) }
        return raw(Persisted<Enum>.unsafeUnmanagedValue(at: wrapper))
    }

    var storage: any WrapperStorage.Type {
        isOptional ? OptionalEnumStorage<Enum, Raw>.self : EnumStorage<Enum, Raw>.self
    }

    func value(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any? {
        if isOptional { return Persisted<Enum?>.unsafeValue(of: object, at: wrapper).map(raw) }
        return raw(Persisted<Enum>.unsafeValue(of: object, at: wrapper))
    }

    /// Accepts cases, and whatever converts to the raw value of one.
    func setValue(_ value: Any?, of object: ObjectBase, wrapper: UnsafeMutableRawPointer) throws(InvalidValueError) {
        let given = flattened(value)
        let converted = given.flatMap(converted(from:))
        if converted == nil, given != nil || !isOptional {
            throw InvalidValueError(refusing: value, of: object, wrapper: wrapper)
        }
        if isOptional {
            Persisted<Enum?>.unsafeSetValue(converted, of: object, at: wrapper)
        } else if let converted {
            Persisted<Enum>.unsafeSetValue(converted, of: object, at: wrapper)
        }
    }

    private func converted(from value: Any) -> Enum? {
        if let value = value as? Enum { return value }
        return Raw.converted(from: value).flatMap { Enum(rawValue: unsafeBitCast($0, to: Enum.RawValue.self)) }
    }

    func primaryKey(in wrapper: UnsafeMutableRawPointer) -> PrimaryKeyValue? { primaryKey(unmanagedRaw(wrapper)) }

    func primaryKey(of value: Any?) -> PrimaryKeyValue? {
        guard let value else { return primaryKey(Raw?.none) }
        return converted(from: value).flatMap { primaryKey(raw($0)) }
    }

    private func primaryKey(_ value: Raw?) -> PrimaryKeyValue? {
        guard isOptional else { return value.flatMap { Raw.primaryKey(for: $0) } }
        guard let value else { return .index(.null) }
        return Raw.indexKey(for: value).map { .index($0) }
    }
}
