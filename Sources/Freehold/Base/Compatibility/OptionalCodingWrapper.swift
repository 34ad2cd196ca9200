/// A property wrapper whose value may be missing when it is decoded. Exists for source
/// compatibility with Realm.
public protocol OptionalCodingWrapper {
    /// The wrapped type.
    associatedtype WrappedType
    /// Wraps a value.
    init(wrappedValue: WrappedType)
}

extension Persisted: OptionalCodingWrapper where Value: ExpressibleByNilLiteral {}

extension KeyedDecodingContainer {
    /// Decodes a wrapper of an optional; nil if the key is missing. Synthesised code calls this.
    ///
    /// - Throws: What the container throws.
    public func decode<Wrapper: Decodable & OptionalCodingWrapper>(
        _ type: Wrapper.Type, forKey key: Key
    ) throws -> Wrapper where Wrapper.WrappedType: ExpressibleByNilLiteral {
        try decodeIfPresent(type, forKey: key) ?? Wrapper(wrappedValue: nil)
    }
}
