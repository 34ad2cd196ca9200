/// An object where another one links to it, or the outermost one.
struct EncodedObject: Encodable {
    let object: ObjectBase

    /// Writes the object: as its class does if that is `Encodable`, else its properties. One
    /// that is being written already, or that lies too deep, is written as its key.
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
    /// Writes all properties by their names in the program, but linking objects.
    final func encodeProperties(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PropertyKey.self)
        guard let schema = reflectedSchema else { return }
        for property in schema.properties {
            try container.encode(
                EncodedValue(declaredValue(of: property)), forKey: PropertyKey(property.name))
        }
    }

    /// Writes the primary key, null if there is none.
    final func encodeKey(to encoder: any Encoder) throws {
        guard let property = reflectedSchema?.primaryKeyProperty else {
            var container = encoder.singleValueContainer()
            return try container.encodeNil()
        }
        try EncodedValue(declaredValue(of: property)).encode(to: encoder)
    }

    /// The value of a property as the program declares it: an enum, where ``value(of:)`` gives
    /// its raw value. Of a dynamic object, as stored.
    private final func declaredValue(of property: PropertyDescriptor) -> Any? {
        if self is DynamicObject { return value(of: property) }
        return property.codec.declaredValue(of: self, wrapper: unsafeWrapper(of: property))
    }
}

/// The name of a property, of a projected one, or of a part of a section.
struct PropertyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
