// Codable synthesis on a model class encodes and decodes the wrappers, because they are the
// stored properties. With these conformances a wrapper is encoded as its value, so that the JSON
// of `@Persisted var age: Int?` is that of `var age: Int?`.

extension Persisted: Encodable where Value: Encodable {
    /// Encodes the value of an unmanaged object.
    ///
    /// Throws for a managed one: only a keyed container, which synthesised code uses, can find
    /// the object of a wrapper.
    public func encode(to encoder: any Encoder) throws {
        guard column == 0 else { throw refusal(encoder.codingPath) }
        // Through a container, because only then the encoder's strategies apply, for example for
        // dates.
        var container = encoder.singleValueContainer()
        try container.encode(unmanaged ?? Value._rlmDefaultValue())
    }

    fileprivate func refusal(_ codingPath: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            self,
            EncodingError.Context(
                codingPath: codingPath,
                debugDescription: """
                    Only unmanaged Realm objects can be encoded using automatic Codable \
                    synthesis. You must explicitly define encode(to:) on your model class to \
                    support managed Realm objects.
                    """))
    }
}

extension KeyedEncodingContainer {
    /// Encodes a persisted property like its value, also for managed objects. Synthesised code
    /// calls this.
    ///
    /// A linked object is written as ``ConfinedEncodable`` describes. Traps for a managed object
    /// that was deleted, and off its realm's thread, queue or actor.
    public mutating func encode<Value: Encodable & _Persistable>(
        _ property: Persisted<Value>, forKey key: Key
    ) throws {
        let owner = property.owner
        guard property.column == 0 || owner != nil else {
            throw property.refusal(codingPath + [key])
        }
        let value =
            owner.map { Value._read($0, Int(property.column)) } ?? property.unmanaged
            ?? Value._rlmDefaultValue()
        if !Value.mayHoldObjects { return try encode(value, forKey: key) }
        try EncodingPath.current.insideOwner(owner) { try encode(EncodedValue(value), forKey: key) }
    }

    /// Omits the property: linking objects follow from the properties of other objects. Never
    /// throws. Synthesised code calls this.
    public mutating func encode<Element>(
        _ property: Persisted<LinkingObjects<Element>>, forKey key: Key
    ) throws {}
}

extension Persisted: Decodable where Value: Decodable {
    /// Decodes the value.
    ///
    /// - Throws: What the decoder throws.
    public init(from decoder: any Decoder) throws {
        self.init(unmanaged: try decoder.singleValueContainer().decode(Value.self), role: .plain)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a persisted property like its value, without a separate decoder for the wrapper.
    /// Synthesised code calls this.
    ///
    /// - Throws: What the container throws.
    public func decode<Value: Decodable & _Persistable>(
        _ type: Persisted<Value>.Type, forKey key: Key
    ) throws -> Persisted<Value> {
        Persisted(unmanaged: try decodeDirectly(Value.self, key), role: .plain)
    }

    /// The containers' own functions for the common types need no separate decoder either.
    private func decodeDirectly<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
        if type == String.self {
            return unsafeBitCast(try decode(String.self, forKey: key), to: type)
        }
        if type == Int.self { return unsafeBitCast(try decode(Int.self, forKey: key), to: type) }
        if type == Double.self {
            return unsafeBitCast(try decode(Double.self, forKey: key), to: type)
        }
        if type == Bool.self { return unsafeBitCast(try decode(Bool.self, forKey: key), to: type) }
        return try decode(type, forKey: key)
    }

    /// Decodes an optional persisted property: nil if the key is missing or its value is null.
    /// Synthesised code calls this.
    ///
    /// - Throws: What the container throws.
    public func decode<Wrapped: Decodable & _PersistableInsideOptional>(
        _ type: Persisted<Wrapped?>.Type, forKey key: Key
    ) throws -> Persisted<Wrapped?> {
        Persisted(unmanaged: .some(try decodeIfPresent(Wrapped.self, forKey: key)), role: .plain)
    }
}
