/// A value whose type is known at run time only: what an object has in a property, or a
/// collection in an element.
struct EncodedValue: Encodable {
    let value: Any?

    init(_ value: Any?) { self.value = value }

    /// Objects as ``EncodedObject``; others as they encode themselves, or as what is stored for
    /// them.
    func encode(to encoder: any Encoder) throws {
        switch flattened(value) {
        case nil:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case let object as ObjectBase: try EncodedObject(object: object).encode(to: encoder)
        case let projection as any ProjectionOfAnyClass: try projection.encodeProjected(to: encoder)
        case let value as any Encodable:
            // Through a container, not by the value: only then do the encoder's strategies, as
            // those for dates, apply.
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case let mapped as any _MappedPersistable:
            try EncodedValue(stored(mapped)).encode(to: encoder)
        case let value?:
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription:
                        """
                        A value of type '\(type(of: value))' cannot be encoded: declare it \
                        Encodable.
                        """
                ))
        }
    }

    private func stored<Value: _MappedPersistable>(_ mapped: Value) -> Any { mapped._rlmPersisted }
}

extension Encoder {
    /// Writes an array of elements, which may be of any type that a collection has.
    func encode<Elements: Sequence>(elements: Elements) throws
    where Elements.Element: _HasPersistedType {
        var container = unkeyedContainer()
        // What holds no objects and encodes itself is not looked at one by one.
        if !Elements.Element.mayHoldObjects, let type = Elements.Element.self as? any Encodable.Type
        {
            return try encode(elements, as: type, to: &container)
        }
        for element in elements { try container.encode(EncodedValue(element)) }
    }

    private func encode<Elements: Sequence, Value: Encodable>(
        _ elements: Elements, as type: Value.Type, to container: inout any UnkeyedEncodingContainer
    ) throws {
        for element in elements {
            guard let value = element as? Value else {
                preconditionFailure("An element is of the type of elements.")
            }
            try container.encode(value)
        }
    }
}

extension _RealmSchemaDiscoverable {
    /// Whether values can be or hold objects, so that links lead on from them.
    static var mayHoldObjects: Bool {
        _rlmType == .object || _rlmType == .any || _rlmType == .linkingObjects
    }
}
