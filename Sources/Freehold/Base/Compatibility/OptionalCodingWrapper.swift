/// A property wrapper whose value may be missing when it is decoded. Realm's name.
public protocol OptionalCodingWrapper {
    /// What it wraps.
    associatedtype WrappedType
    /// Wraps a value.
    init(wrappedValue: WrappedType)
}

extension Persisted: OptionalCodingWrapper where Value: ExpressibleByNilLiteral {}

extension KeyedDecodingContainer {
    /// Decodes a wrapper of an optional: of nil if the key is missing. Synthesised code calls this.
    public func decode<Wrapper: Decodable & OptionalCodingWrapper>(
        _ type: Wrapper.Type, forKey key: Key
    ) throws -> Wrapper
    where Wrapper.WrappedType: ExpressibleByNilLiteral {
        try decodeIfPresent(type, forKey: key) ?? Wrapper(wrappedValue: nil)
    }
}
