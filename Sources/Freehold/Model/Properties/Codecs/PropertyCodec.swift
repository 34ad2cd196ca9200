import FreeholdStorage

/// Accesses a property whose type is not statically known: one instance for each property.
///
/// Everywhere, `wrapper` is the address of the property's `Persisted` inside an object, which
/// the caller keeps alive.
protocol PropertyCodec: Sendable {
    /// The kind of collection; nil if the property is not a collection.
    var shape: CollectionKind? { get }
    /// The property's type in schemas; for a collection, the type of its elements.
    var type: PropertyType { get }
    /// The type of the column; nil if realms cannot store the property.
    var columnType: ColumnType? { get }
    /// Whether the property can be nil; for a collection, whether its elements can.
    var isOptional: Bool { get }
    /// The class of a collection's elements.
    var elementTarget: ObjectBase.Type? { get }
    /// Whether the embedded objects are values of the program, which are converted when they are
    /// read and written.
    var convertsObjects: Bool { get }

    /// Reads and writes a collection's elements; nil for other properties.
    func elementDescriptor() -> AnyElementDescriptor?
    /// Calls `body` with each object in an unmanaged collection or ``AnyRealmValue``.
    func forEachObject(in wrapper: UnsafeMutableRawPointer, _ body: (ObjectBase) -> Void)
    /// Stores an unmanaged collection, and makes it the managed one.
    func manage(
        _ wrapper: UnsafeMutableRawPointer, _ managed: ManagedCollection, onlyIfDifferent: Bool)

    /// The rows of the embedded objects in a stored collection at the same places as the
    /// unmanaged collection's objects, in the order of ``forEachObject(in:_:)``. Nil for places
    /// without one.
    func ownedKeys(in wrapper: UnsafeMutableRawPointer, of managed: ManagedCollection) -> [Int64?]
    /// Gives a stored collection of embedded objects the contents of an unmanaged one. Objects
    /// that stay are changed in place.
    func update(_ managed: ManagedCollection, from wrapper: UnsafeMutableRawPointer)

    /// Stores and attaches wrappers of this type.
    var storage: any WrapperStorage.Type { get }
    /// The value as `Any?`, managed or not; an enum's raw value.
    func value(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any?
    /// The value with the property's declared type, managed or not: an enum, where
    /// ``value(of:wrapper:)`` returns its raw value.
    func declaredValue(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any?
    /// Converts and assigns, managed or not. Throws if the value does not fit. Nil at any depth
    /// of optionals is nil.
    func setValue(_ value: Any?, of object: ObjectBase, wrapper: UnsafeMutableRawPointer)
        throws(InvalidValueError)
    /// Whether a managed object's property can store a value that the property's type cannot
    /// represent, so that an unmanaged object cannot contain it.
    func isStorableOnly(_ value: Any?) -> Bool
    /// The unmanaged object's value as primary key; nil for types that cannot be one.
    func primaryKey(in wrapper: UnsafeMutableRawPointer) -> PrimaryKeyValue?
    /// Any value as primary key; nil if it does not fit.
    func primaryKey(of value: Any?) -> PrimaryKeyValue?
}

extension PropertyCodec {
    var shape: CollectionKind? { nil }
    var elementTarget: ObjectBase.Type? { nil }
    var convertsObjects: Bool { false }
    func isStorableOnly(_ value: Any?) -> Bool { false }
    func primaryKey(in wrapper: UnsafeMutableRawPointer) -> PrimaryKeyValue? { nil }
    func primaryKey(of value: Any?) -> PrimaryKeyValue? { nil }
    func elementDescriptor() -> AnyElementDescriptor? { nil }
    func declaredValue(of object: ObjectBase, wrapper: UnsafeMutableRawPointer) -> Any? {
        value(of: object, wrapper: wrapper)
    }
    func forEachObject(in wrapper: UnsafeMutableRawPointer, _ body: (ObjectBase) -> Void) {}
    func manage(
        _ wrapper: UnsafeMutableRawPointer, _ managed: ManagedCollection, onlyIfDifferent: Bool
    ) {}
    func ownedKeys(in wrapper: UnsafeMutableRawPointer, of managed: ManagedCollection) -> [Int64?] {
        []
    }
    func update(_ managed: ManagedCollection, from wrapper: UnsafeMutableRawPointer) {}
}

/// A `Persisted` of any value type, for reflection.
protocol PersistedStorage: SendableMetatype {
    /// Nil if properties of the type cannot be stored.
    static var codec: (any PropertyCodec)? { get }
    /// The declared role of the wrapper at an address.
    static func role(at wrapper: UnsafeMutableRawPointer) -> PersistedRole
}

extension Persisted: PersistedStorage {
    static var codec: (any PropertyCodec)? {
        if let optional = Value.self as? any OptionalProtocol.Type {
            return makeCodec(optionalOf: optional)
        }
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
    case let type as any ScalarValue.Type: type.codec(isOptional: isOptional)
    case let type as Object.Type: LinkCodec(target: type, isOptional: isOptional)
    case let type as EmbeddedObject.Type: LinkCodec(target: type, isOptional: isOptional)
    case let type as any PersistedCollection.Type: makeCodec(forCollection: type)
    case let type as any ComputedProperty.Type: type.computedCodec
    case is AnyRealmValue.Type: AnyValueCodec(isOptional: isOptional)
    case let type as any _MappedPersistable.Type: makeCodec(forMapped: type, isOptional: isOptional)
    default: nil
    }
}

private func makeCodec<Value: _MappedPersistable>(forMapped: Value.Type, isOptional: Bool) -> (
    any PropertyCodec
)? {
    if let conversion = OwnedConversion<Value>() {
        return MappedLinkCodec(conversion: conversion, isOptional: isOptional)
    }
    guard let base = Value.PersistedType.self as? any ScalarValue.Type else { return nil }
    return makeCodec(Value.self, base, isOptional: isOptional)
}

private func makeCodec<Value: _MappedPersistable, Base: ScalarValue>(
    _: Value.Type, _: Base.Type, isOptional: Bool
) -> any PropertyCodec { MappedCodec<Value, Base>(isOptional: isOptional) }

private func makeCodec<Value: PersistedCollection>(forCollection: Value.Type) -> (
    any PropertyCodec
)? { CollectionCodec<Value>() }
