// In JSON, lists and sets are arrays and maps are dictionaries. With these conformances and those
// in `Collections+Encodable.swift`, models with collections get a synthesised `Codable`.

extension List: Decodable where Element: Decodable {
    /// Makes an unmanaged list of the elements of an array.
    ///
    /// - Throws: What the decoder throws.
    public convenience init(from decoder: any Decoder) throws {
        self.init(unmanaged: try [Element](from: decoder))
    }
}

extension MutableSet: Decodable where Element: Decodable {
    /// Makes an unmanaged set of the elements of an array.
    ///
    /// - Throws: What the decoder throws.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { insert(try container.decode(Element.self)) }
    }
}

extension Map: Decodable where Key: Decodable, Value: Decodable {
    /// Makes an unmanaged map of the entries of a dictionary.
    ///
    /// - Throws: What the decoder throws; `DecodingError` if a key begins with "$" or contains a
    ///   ".".
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        for (key, value) in try decoder.singleValueContainer().decode([String: Value].self) {
            if let objection = MapKeys.objection(to: key) {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(
                        codingPath: decoder.codingPath, debugDescription: "\(objection): '\(key)'"))
            }
            updateValue(value, forKey: Key(_rlmMapKey: key))
        }
    }
}
