// Collections in JSON are arrays, maps dictionaries, whether a realm manages them or not.
// Elements may be objects of classes that are not `Encodable`. What `EncodingPath` says of
// links holds for elements that are objects, too.

extension List: Encodable {
    /// Encodes the elements as an array. See ``ConfinedEncodable`` for what is written of objects.
    public func encode(to encoder: any Encoder) throws {
        try encodeNesting(self, to: encoder) { try encoder.encode(elements: self) }
    }
}

extension MutableSet: Encodable {
    /// Encodes the elements as an array. See ``ConfinedEncodable`` for what is written of objects.
    public func encode(to encoder: any Encoder) throws { try encoder.encode(elements: self) }
}

extension Map: Encodable {
    /// Encodes the entries as a dictionary. See ``ConfinedEncodable`` for what is written of
    /// objects.
    public func encode(to encoder: any Encoder) throws {
        try encodeNesting(self, to: encoder) {
            let entries = sortedEntries.map { ($0.key._rlmMapKey, EncodedValue($0.value)) }
            // A dictionary, because encoders change the names of properties, and leave keys as
            // they are.
            var container = encoder.singleValueContainer()
            try container.encode(Dictionary(entries, uniquingKeysWith: { first, _ in first }))
        }
    }
}

/// Counts collections of any values, which nest.
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
    /// Encodes the elements as an array. See ``ConfinedEncodable`` for what is written of objects.
    public func encode(to encoder: any Encoder) throws { try encoder.encode(elements: self) }
}

extension LinkingObjects: Encodable {
    /// Encodes the objects as an array. An object that has them as a property leaves them out.
    public func encode(to encoder: any Encoder) throws { try encoder.encode(elements: self) }
}

extension AnyRealmCollection: Encodable {
    /// Encodes the elements as an array. See ``ConfinedEncodable`` for what is written of objects.
    public func encode(to encoder: any Encoder) throws { try encoder.encode(elements: self) }
}

extension ProjectedCollection: Encodable {
    /// Encodes the values as an array.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(EncodedValue(element)) }
    }
}

// MARK: - Sections

extension SectionedResults: Encodable {
    /// Encodes the sections as an array.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for section in self { try container.encode(section) }
    }
}

extension ResultsSection: Encodable {
    /// Encodes an object with the section's `key`, and with its `elements` as an array.
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
    /// Encodes what the value holds: `none` as null, collections as arrays and dictionaries, an
    /// object as an object.
    public func encode(to encoder: any Encoder) throws {
        try EncodedValue(held).encode(to: encoder)
    }
}
