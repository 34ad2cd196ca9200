/// The outermost object, or one that another object links to.
struct EncodedObject: Encodable {
    let object: ObjectBase

    /// Encodes the object: by its class's own code if that is `Encodable`, else by its
    /// properties. An object that is being encoded already, or that lies too deep, is encoded as
    /// its key.
    func encode(to encoder: any Encoder) throws {
        let path = EncodingPath.current
        let depth = encoder.codingPath.count
        let own = object as? any Encodable
        if own != nil,
            try path.delegate(object, at: depth, { try object.encodeProperties(to: encoder) })
        {
            return
        }
        let isTooDeep = !(object is EmbeddedObject) && path.links > encoder.linkDepth(for: object)
        if isTooDeep || path.contains(object) { return try object.encodeKey(to: encoder) }
        try path.inside(object, at: depth) {
            if let own {
                try own.encode(to: encoder)
            } else {
                try object.encodeProperties(to: encoder)
            }
        }
    }
}

extension ObjectBase {
    /// Encodes all properties by their names in the program, except linking objects.
    final func encodeProperties(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PropertyKey.self)
        guard let schema = reflectedSchema else { return }
        for property in schema.properties {
            try container.encode(
                EncodedValue(declaredValue(of: property)), forKey: PropertyKey(property.name))
        }
    }

    /// Encodes the primary key; null if there is none.
    final func encodeKey(to encoder: any Encoder) throws {
        guard let property = reflectedSchema?.primaryKeyProperty else {
            var container = encoder.singleValueContainer()
            return try container.encodeNil()
        }
        try EncodedValue(declaredValue(of: property)).encode(to: encoder)
    }

    /// Returns the value of a property in its declared type, such as an enum, of which
    /// ``value(of:)`` gives the raw value. For a dynamic object, the stored value.
    private final func declaredValue(of property: PropertyDescriptor) -> Any? {
        if self is DynamicObject { return value(of: property) }
        return property.codec.declaredValue(of: self, wrapper: unsafeWrapper(of: property))
    }
}

/// The name of a property, of a projected property, or of a part of a section.
struct PropertyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
