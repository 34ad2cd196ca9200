// In JSON, lists and sets are arrays and maps are dictionaries, managed or not. Elements may be
// objects of classes that are not `Encodable`. Elements that are objects follow the rules of
// `EncodingPath` for links.

extension List: Encodable {
    /// Encodes the elements as an array. ``ConfinedEncodable`` describes how objects are encoded.
    ///
    /// - Throws: What the encoder throws; `EncodingError` if objects are nested too deeply
    ///   (``ConfinedEncodable``).
    public func encode(to encoder: any Encoder) throws {
        try encodeNesting(self, to: encoder) { try encoder.encode(elements: self) }
    }
}

extension MutableSet: Encodable {
    /// Encodes the elements as an array. ``ConfinedEncodable`` describes how objects are encoded.
    ///
    /// - Throws: What the encoder throws; `EncodingError` if objects are nested too deeply
    ///   (``ConfinedEncodable``).
    public func encode(to encoder: any Encoder) throws { try encoder.encode(elements: self) }
}

extension Map: Encodable {
    /// Encodes the entries as a dictionary. ``ConfinedEncodable`` describes how objects are
    /// encoded.
    ///
    /// - Throws: What the encoder throws; `EncodingError` if objects are nested too deeply
    ///   (``ConfinedEncodable``).
    public func encode(to encoder: any Encoder) throws {
        try encodeNesting(self, to: encoder) {
            let entries = sortedEntries.map { ($0.key._rlmMapKey, EncodedValue($0.value)) }
            // A dictionary, because encoders change the names of properties, but not its keys.
            var container = encoder.singleValueContainer()
            try container.encode(Dictionary(entries, uniquingKeysWith: { first, _ in first }))
        }
    }
}

/// Counts the nesting of collections of ``AnyRealmValue``s.
private func encodeNesting<Collection: PersistedCollection>(
    _ collection: Collection, to encoder: any Encoder, _ body: () throws -> Void
) throws {
    if Collection.Item._rlmType == .any {
        try EncodingPath.current.nested(collection, body)
    } else {
        try body()
    }
}

extension Results: Encodable {
    /// Encodes the elements as an array. ``ConfinedEncodable`` describes how objects are encoded.
    ///
    /// - Throws: What the encoder throws; `EncodingError` if objects are nested too deeply
    ///   (``ConfinedEncodable``).
    public func encode(to encoder: any Encoder) throws { try encoder.encode(elements: self) }
}

extension LinkingObjects: Encodable {
    /// Encodes the objects as an array. An object does not encode its own linking objects.
    ///
    /// - Throws: What the encoder throws; `EncodingError` if objects are nested too deeply
    ///   (``ConfinedEncodable``).
    public func encode(to encoder: any Encoder) throws { try encoder.encode(elements: self) }
}

extension AnyRealmCollection: Encodable {
    /// Encodes the elements as an array. ``ConfinedEncodable`` describes how objects are encoded.
    ///
    /// - Throws: What the encoder throws; `EncodingError` if objects are nested too deeply
    ///   (``ConfinedEncodable``).
    public func encode(to encoder: any Encoder) throws { try encoder.encode(elements: self) }
}

extension ProjectedCollection: Encodable {
    /// Encodes the values as an array.
    ///
    /// - Throws: What the encoder throws; `EncodingError` if objects are nested too deeply
    ///   (``ConfinedEncodable``).
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(EncodedValue(element)) }
    }
}

// MARK: - Sections

extension SectionedResults: Encodable {
    /// Encodes the sections as an array.
    ///
    /// - Throws: What the encoder throws; `EncodingError` if objects are nested too deeply
    ///   (``ConfinedEncodable``).
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for section in self { try container.encode(section) }
    }
}

extension ResultsSection: Encodable {
    /// Encodes an object with the section's `key`, and with its `elements` as an array.
    ///
    /// - Throws: What the encoder throws; `EncodingError` if objects are nested too deeply
    ///   (``ConfinedEncodable``).
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PropertyKey.self)
        try container.encode(EncodedValue(key), forKey: PropertyKey("key"))
        try container.encode(SectionElements(section: self), forKey: PropertyKey("elements"))
    }

    private struct SectionElements: Encodable {
        let section: ResultsSection
        func encode(to encoder: any Encoder) throws { try encoder.encode(elements: section) }
    }
}

// MARK: - Values

extension AnyRealmValue: Encodable {
    /// Encodes the held value: `none` as null, collections as arrays and dictionaries, an object
    /// as an object.
    ///
    /// - Throws: What the encoder throws; `EncodingError` if objects are nested too deeply
    ///   (``ConfinedEncodable``).
    public func encode(to encoder: any Encoder) throws {
        try EncodedValue(held).encode(to: encoder)
    }
}
