/// Encoding works on any thread. ``ConfinedEncodable`` describes the format.
///
/// ```swift
/// // A handler of a web service, on any thread.
/// let body = try JSONEncoder().encode(Frozen(realm.objects(Dog.self).where { $0.age > 5 }))
/// ```
extension Frozen: Encodable {
    /// Encodes the object or collection as it is in its version. O(encoded values).
    ///
    /// - Throws: What the encoder throws; `EncodingError` if objects are nested too deeply
    ///   (``ConfinedEncodable``).
    public func encode(to encoder: any Encoder) throws {
        switch value {
        case let object as Object:
            try EncodedObject(object: Frozen<Object>(frozen: object).unshared).encode(to: encoder)
        case let object as EmbeddedObject:
            try EncodedObject(object: Frozen<EmbeddedObject>(frozen: object).unshared).encode(
                to: encoder)
        default: try EncodedValue(value).encode(to: encoder)
        }
    }
}
