import Foundation
import Freehold

/// The place of a value that is being read.
struct ReadingContext {
    let document: JSONDocument
    /// Whether the document is the export; otherwise it is the JSON in a CSV field.
    let isExport: Bool
    let record: ImportSession.Record
    /// The names of the enclosing properties, separated by dots.
    var path = ""
    /// The number of enclosing embedded objects.
    var depth = 0
}

// The values of an object, as literals that `Realm` accepts: objects of the realm for links, and
// `NSNull` for nil.

extension ImportSession {
    /// The greatest depth of embedded objects: reading and storing them is recursive.
    static let maximumDepth = 100

    /// Returns the values of a record's properties; `linking` chooses those that lead to other
    /// objects, or the others.
    func values(of record: Record, linking: Bool) throws -> [(place: Int, value: Any)] {
        switch source {
        case .json(let export):
            let context = ReadingContext(document: export.document, isExport: true, record: record)
            return try values(ofObject: record.content, record.classIndex, context) {
                $0.isLinking == linking
            }
        case .csv(let tables):
            return try values(ofRow: record, in: tables[record.table], linking: linking)
        }
    }

    private func values(
        ofObject id: JSONDocument.ID, _ classIndex: Int, _ context: ReadingContext,
        where isWanted: (ImportedProperty) -> Bool
    ) throws -> [(place: Int, value: Any)] {
        guard case .object(let range) = context.document[id] else {
            preconditionFailure("The caller has looked.")
        }
        var values: [(place: Int, value: Any)] = []
        for position in range {
            let member = context.document.members[position]
            guard let place = try propertyPlace(member, classIndex, context) else { continue }
            let property = classes[classIndex].properties[place]
            if isWanted(property) {
                values.append((place, try value(Int(member.value), of: property, context)))
            }
        }
        return values
    }

    /// Returns the position of the property that a member belongs to; nil if the member is
    /// skipped.
    private func propertyPlace(
        _ member: JSONDocument.Member, _ classIndex: Int, _ context: ReadingContext
    ) throws -> Int? {
        if context.isExport, let known = placesOfNames[classIndex][member.name] {
            return known < 0 ? nil : known
        }
        let name = context.document.name(of: member)
        let place =
            name == "$refId"
            ? nil
            : try self.place(ofProperty: name, classIndex) {
                self.place(
                    of: context,
                    line: context.isExport ? context.document.line(of: Int(member.value)) : nil,
                    name)
            }
        if context.isExport { placesOfNames[classIndex][member.name] = place ?? -1 }
        return place
    }

    /// Returns the position of the property with a name; nil for backlinks, and for unknown
    /// properties that are to be ignored.
    func place(ofProperty name: String, _ classIndex: Int, refusedAt place: () -> ImportPlace)
        throws -> Int?
    {
        let importedClass = classes[classIndex]
        if let known = importedClass.place(of: name) { return known }
        if schemas[classIndex][name] != nil { return nil }
        guard options.ignoresUnknownProperties else {
            throw ImportError(
                .unknownProperty, place(),
                expected: """
                    a property of '\(importedClass.name)' \
                    (\(list(importedClass.properties.map(\.name))))
                    """,
                found: "'\(shortened(name))'",
                remedy: "Declare the property, or set ImportOptions.ignoresUnknownProperties.")
        }
        ignoredProperties.insert("\(importedClass.name).\(name)")
        return nil
    }

    // MARK: Values

    func value(_ id: JSONDocument.ID, of property: ImportedProperty, _ context: ReadingContext)
        throws -> Any
    {
        let document = context.document
        switch (property.shape, document[id]) {
        case (.single, _): return try element(id, of: property, context)
        case (.list, .null), (.set, .null): return [Any]()
        case (.map, .null): return [String: Any]()
        case (.list, .array(let range)), (.set, .array(let range)):
            return try range.map {
                try element(Int(document.members[$0].value), of: property, context)
            }
        case (.map, .object(let range)):
            var entries: [String: Any] = [:]
            for position in range {
                let member = document.members[position]
                let key = try self.key(member, property, context)
                try checkComposition(key, entries, member, property, context)
                entries[key] = try element(Int(member.value), of: property, context)
            }
            return entries
        case (.map, _):
            throw refusal(
                id, context, property, expected: "an object with \(property.expected) for each key")
        case (.list, _), (.set, _):
            throw refusal(
                id, context, property, expected: "an array, each element \(property.expected)")
        }
    }

    private func key(
        _ member: JSONDocument.Member, _ property: ImportedProperty, _ context: ReadingContext
    ) throws -> String {
        let key = context.document.name(of: member)
        if key.utf8.first == UInt8(ascii: "$") || key.utf8.contains(UInt8(ascii: ".")) {
            throw refusal(
                Int(member.value), context, property,
                expected: "keys that have no '.' in them and do not begin with '$'",
                found: "\"\(key)\"")
        }
        return key
    }

    /// Throws for keys that differ only in their Unicode composition: a Swift dictionary has one
    /// entry for them, JavaScript two.
    private func checkComposition<Value>(
        _ key: String, _ entries: [String: Value], _ member: JSONDocument.Member,
        _ property: ImportedProperty, _ context: ReadingContext
    ) throws {
        guard let index = entries.index(forKey: key),
            !entries[index].key.utf8.elementsEqual(key.utf8)
        else { return }
        throw refusal(
            Int(member.value), context, property,
            expected: "keys that differ by more than the composition of their characters",
            found: "\"\(key)\"")
    }

    private func element(
        _ id: JSONDocument.ID, of property: ImportedProperty, _ context: ReadingContext
    ) throws -> Any {
        let document = context.document
        if property.type == .any { return try mixed(id, property, context, depth: 0) }
        if case .null = document[id] {
            // A single link can be nil, and so can a link in a map.
            if property.isOptional
                || property.type == .object && (property.shape == .single || property.shape == .map)
            {
                return NSNull()
            }
            // JavaScript writes null for numbers that JSON cannot represent.
            if property.type == .double { return Double.nan }
            if property.type == .float { return Float.nan }
            throw refusal(id, context, property, expected: property.expected)
        }
        if property.type == .object {
            guard let target = property.target.flatMap({ targetIndexes[$0] }) else {
                throw refusal(id, context, property, expected: property.expected)
            }
            return classes[target].isEmbedded
                ? try embedded(id, target, context, property)
                : try linked(id, to: target, context, property)
        }
        guard let value = document.scalar(id, as: property.type),
            property.constraint?.accepts(value) ?? true
        else {
            if property.type == .data, case .object(let range) = document[id], range.isEmpty {
                throw refusal(
                    id, context, property, expected: property.expected,
                    remedy: """
                        Early versions of Realm Studio do not export bytes. Export the \
                        file with a newer one.
                        """)
            }
            throw refusal(id, context, property, expected: property.expected)
        }
        return value
    }

    private func embedded(
        _ id: JSONDocument.ID, _ target: Int, _ context: ReadingContext,
        _ property: ImportedProperty
    ) throws -> Any {
        guard case .object = context.document[id] else {
            throw refusal(id, context, property, expected: property.expected)
        }
        if context.depth >= ImportSession.maximumDepth {
            throw refusal(
                id, context, property,
                expected:
                    "embedded objects that are nested at most \(ImportSession.maximumDepth) deep")
        }
        var inner = context
        inner.path += property.name + "."
        inner.depth += 1
        var values: [String: Any] = [:]
        for (place, value) in try self.values(ofObject: id, target, inner, where: { _ in true }) {
            values[classes[target].properties[place].name] = value
        }
        return values
    }

    func mixed(
        _ id: JSONDocument.ID, _ property: ImportedProperty, _ context: ReadingContext, depth: Int
    ) throws -> AnyRealmValue {
        let document = context.document
        switch document[id] {
        case .null: return .none
        case .bool(let value): return .bool(value)
        case .integer(let value): return .int(value)
        case .number(let value): return .double(value)
        case .string(let value): return .string(value)
        case .array(let range):
            try checkDepth(depth, id, property, context)
            return .fromArray(
                try range.map {
                    try mixed(Int(document.members[$0].value), property, context, depth: depth + 1)
                })
        case .object(let range):
            if let value = document.extendedValue(range)?.value { return .holding(value) }
            if let object = try objectInMixedValue(id, range, context) { return .object(object) }
            try checkDepth(depth, id, property, context)
            var entries: [String: AnyRealmValue] = [:]
            for position in range {
                let member = document.members[position]
                let key = try self.key(member, property, context)
                try checkComposition(key, entries, member, property, context)
                entries[key] = try mixed(Int(member.value), property, context, depth: depth + 1)
            }
            return .fromDictionary(entries)
        }
    }

    private func checkDepth(
        _ depth: Int, _ id: JSONDocument.ID, _ property: ImportedProperty, _ context: ReadingContext
    ) throws {
        if depth >= ImportSession.maximumDepth {
            throw refusal(
                id, context, property,
                expected: """
                    lists and dictionaries that are nested at most \
                    \(ImportSession.maximumDepth) deep
                    """)
        }
    }

    // MARK: Errors

    func place(of context: ReadingContext, line: Int? = nil, _ name: String) -> ImportPlace {
        place(of: context.record, line: line, property: context.path + name)
    }

    func place(of context: ReadingContext, _ property: ImportedProperty) -> ImportPlace {
        place(of: context, property.name)
    }

    func refusal(
        _ id: JSONDocument.ID, _ context: ReadingContext, _ property: ImportedProperty,
        expected: String, found: String? = nil, remedy: String? = nil
    ) -> ImportError {
        ImportError(
            .invalidValue,
            place(
                of: context, line: context.isExport ? context.document.line(of: id) : nil,
                property.name),
            expected: expected, found: found ?? context.document.shown(id), remedy: remedy)
    }
}
