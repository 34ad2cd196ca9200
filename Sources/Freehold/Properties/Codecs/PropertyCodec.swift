import FreeholdStorage

/// What the library does with a property whose type it does not know statically: one instance for each property.
///
/// Everywhere, `wrapper` is the address of the property's `Persisted` inside an object, which the caller keeps alive.
protocol PropertyCodec: Sendable {
    /// What the property is in a schema.
    var type: PropertyType { get }
    /// How it is stored.
    var columnType: ColumnType { get }
    var isOptional: Bool { get }

    /// Stores and attaches wrappers of this type.
    var storage: any WrapperStorage.Type { get }
    /// The value as `Any?`, managed or not; an enum's raw value.
    func value(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any?
    /// Converts and assigns, managed or not. Throws if the value does not fit. Nil at any depth of optionals is nil.
    func setValue(_ value: Any?, of object: ObjectBase, wrapper: UnsafeMutableRawPointer) throws(InvalidValueError)
    /// The unmanaged object's value as primary key; nil for types that cannot be one.
    func primaryKey(in wrapper: UnsafeMutableRawPointer) -> PrimaryKeyValue?
    /// Any value as primary key; nil if it does not fit.
    func primaryKey(of value: Any?) -> PrimaryKeyValue?
}

/// A `Persisted` of any value type, for reflection.
protocol PersistedStorage {
    /// Nil if properties of the type cannot be stored.
    static var codec: (any PropertyCodec)? { get }
    /// What the wrapper at an address was declared as.
    static func role(at wrapper: UnsafeMutableRawPointer) -> PersistedRole
}

extension Persisted: PersistedStorage {
    static var codec: (any PropertyCodec)? {
        if let optional = Value.self as? any OptionalProtocol.Type { return makeCodec(optionalOf: optional) }
        return makeCodec(for: Value.self, isOptional: false)
    }

    static func role(at wrapper: UnsafeMutableRawPointer) -> PersistedRole {
        wrapper.assumingMemoryBound(to: Self.self).pointee.role
    }
}

private func makeCodec<Value: OptionalProtocol>(optionalOf: Value.Type) -> (any PropertyCodec)? {
    makeCodec(for: Value.Wrapped.self, isOptional: true)
}

private func makeCodec(for type: Any.Type, isOptional: Bool) -> (any PropertyCodec)? {
    switch type {
    case let type as any ScalarValue.Type: isOptional ? OptionalScalarCodec(scalar: type) : ScalarCodec(scalar: type)
    case let type as Object.Type: LinkCodec(target: type, isOptional: isOptional)
    case let type as EmbeddedObject.Type: LinkCodec(target: type, isOptional: isOptional)
    case let type as any PersistableEnum.Type: makeCodec(forEnum: type, isOptional: isOptional)
    default: nil
    }
}

private func makeCodec<Enum: PersistableEnum>(forEnum: Enum.Type, isOptional: Bool) -> (any PropertyCodec)? {
    guard let raw = Enum.RawValue.self as? any ScalarValue.Type else { return nil }
    return makeCodec(Enum.self, raw, isOptional: isOptional)
}

private func makeCodec<Enum: PersistableEnum, Raw: ScalarValue>(
    _: Enum.Type, _: Raw.Type, isOptional: Bool
) -> any PropertyCodec {
    EnumCodec<Enum, Raw>(isOptional: isOptional)
}
