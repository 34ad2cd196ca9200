/// A value whose type is known only at run time: that of a property of an object, or an element
/// of a collection.
struct EncodedValue: Encodable {
    let value: Any?

    init(_ value: Any?) { self.value = value }

    /// Encodes objects as ``EncodedObject``; other values as they encode themselves, or in their
    /// stored form.
    func encode(to encoder: any Encoder) throws {
        switch flattened(value) {
        case nil:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case let object as ObjectBase: try EncodedObject(object: object).encode(to: encoder)
        case let projection as any ProjectionOfAnyClass: try projection.encodeProjected(to: encoder)
        case let value as any Encodable:
            // Encoded through a container, because only then do the encoder's strategies apply,
            // such as those for dates.
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case let mapped as any _MappedPersistable:
            try EncodedValue(stored(mapped)).encode(to: encoder)
        case let value?:
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: """
                        A value of type '\(type(of: value))' cannot be encoded: declare it \
                        Encodable.
                        """))
        }
    }

    private func stored<Value: _MappedPersistable>(_ mapped: Value) -> Any { mapped._rlmPersisted }
}

extension Encoder {
    /// Encodes an array of elements, of any type that a collection can have.
    func encode<Elements: Sequence>(elements: Elements) throws
    where Elements.Element: _HasPersistedType {
        var container = unkeyedContainer()
        // Elements that hold no objects and encode themselves are not inspected one by one.
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
    /// Whether values can be or hold objects, and so lead to further links.
    static var mayHoldObjects: Bool {
        _rlmType == .object || _rlmType == .any || _rlmType == .linkingObjects
    }
}
