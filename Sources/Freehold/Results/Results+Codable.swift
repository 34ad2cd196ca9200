extension Results: Encodable where Element: Encodable {
    /// Encodes the objects as an array.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}
