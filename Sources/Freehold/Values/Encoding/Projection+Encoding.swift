extension Projection {
    /// Writes all projected properties by their names.
    final func encodeProjected(to encoder: any Encoder) throws {
        try EncodingPath.current.inside(rootObject) {
            if let own = self as? any Encodable { return try own.encode(to: encoder) }
            var container = encoder.container(keyedBy: PropertyKey.self)
            for property in projectedProperties {
                try container.encode(
                    EncodedValue(rootObject[keyPath: property.keyPath]),
                    forKey: PropertyKey(property.name))
            }
        }
    }
}
