// Realm's property declarations from before `@Persisted`, so that programs with them compile.
// They are not persisted. Realm does not persist them either, if a class has a `@Persisted`
// property.

/// A value that ``RealmOptional`` can hold.
public protocol RealmOptionalType: _PersistableInsideOptional {}

extension Int: RealmOptionalType {}
extension Int8: RealmOptionalType {}
extension Int16: RealmOptionalType {}
extension Int32: RealmOptionalType {}
extension Int64: RealmOptionalType {}
extension Float: RealmOptionalType {}
extension Double: RealmOptionalType {}
extension Bool: RealmOptionalType {}

/// A value that ``RealmProperty`` can hold: an optional, or an ``AnyRealmValue``.
public protocol RealmPropertyType: _Persistable {}

extension Optional: RealmPropertyType where Wrapped: _PersistableInsideOptional {}
extension AnyRealmValue: RealmPropertyType {}

/// An enum in Realm's old declarations. Use ``PersistableEnum``.
@available(
    *, deprecated, message: "Use PersistableEnum and @Persisted: an @objc enum is not persisted."
)
public protocol RealmEnum: RawRepresentable {}

/// An optional value that is not persisted.
///
/// O(1). Thread rule: as every instance of a class.
@available(
    *, deprecated,
    message: "Use @Persisted var name: Int?: what a RealmOptional holds is not persisted."
)
public final class RealmOptional<Value: RealmOptionalType> {
    /// The held value. Not persisted.
    public var value: Value?

    /// Holds a value; nil by default.
    public init(_ value: Value? = nil) { self.value = value }
}

@available(*, deprecated)
extension RealmOptional: Equatable where Value: Equatable {
    /// Whether both hold equal values.
    public static func == (a: RealmOptional, b: RealmOptional) -> Bool { a.value == b.value }
}

/// A value that is not persisted.
///
/// O(1). Thread rule: as every instance of a class.
@available(
    *, deprecated,
    message: "Use @Persisted var name: Int?: what a RealmProperty holds is not persisted."
)
public final class RealmProperty<Value: RealmPropertyType> {
    /// The held value. Not persisted.
    public var value: Value

    /// Holds nil, or an empty ``AnyRealmValue``.
    public init() { value = Value._rlmDefaultValue() }
}

@available(*, deprecated)
extension RealmProperty: Equatable where Value: Equatable {
    /// Whether both hold equal values.
    public static func == (a: RealmProperty, b: RealmProperty) -> Bool { a.value == b.value }
}

// As in Realm, only the value is encoded; null for nil.

@available(*, deprecated)
extension RealmOptional: Encodable where Value: Encodable {
    /// Encodes the value, or null.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value { try container.encode(value) } else { try container.encodeNil() }
    }
}

@available(*, deprecated)
extension RealmOptional: Decodable where Value: Decodable {
    /// Decodes a value, or null.
    ///
    /// - Throws: What the decoder throws.
    public convenience init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(container.decodeNil() ? nil : try container.decode(Value.self))
    }
}

@available(*, deprecated)
extension RealmProperty: Encodable where Value: Encodable {
    /// Encodes the value.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

@available(*, deprecated)
extension RealmProperty: Decodable where Value: Decodable {
    /// Decodes a value.
    ///
    /// - Throws: What the decoder throws.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        value = try decoder.singleValueContainer().decode(Value.self)
    }
}
