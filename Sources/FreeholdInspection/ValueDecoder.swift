import Foundation
package import FreeholdImport
package import FreeholdStorage

/// Reads values as ``RowEncoder`` writes them.
///
/// Links need the rows of a file: the caller gives what finds them.
package struct ValueDecoder {
    /// Finds the row that a link names. Nil where there is none and the link becomes null.
    ///
    /// - Parameters:
    ///   - table: The class of the target.
    ///   - primaryKey: Its primary key, if the link has one.
    ///   - key: Its row key in the file that the link comes from, if the link has one.
    package typealias LinkFinder = (
        _ table: TableDefinition, _ primaryKey: ScanValue?, _ key: Int64?
    ) throws -> Int64?

    private let catalog: Catalog
    private let findLink: LinkFinder

    package init(_ catalog: Catalog, findLink: @escaping LinkFinder) {
        self.catalog = catalog
        self.findLink = findLink
    }

    // MARK: Single values

    /// Reads a single value of a column, or an element of its collections. Not of columns of
    /// embedded objects.
    package func value(
        _ id: JSONDocument.ID, of document: JSONDocument, _ column: ColumnDefinition
    ) throws -> StoredValue {
        let type = column.collection?.type ?? column.type
        if type == .mixed {
            return try mixed(id, of: document, depth: 0).map { .mixed($0) } ?? .null
        }
        if case .null = document[id] {
            let isNullable = column.collection?.isNullable ?? column.isNullable
            guard isNullable || type == .link else {
                throw refusal(of: document, id, column, "a value, because it cannot be null")
            }
            return .null
        }
        if type == .link { return try link(id, of: document, column) }
        guard let value = scalar(document[id], type) else {
            throw refusal(of: document, id, column, Self.expectation(of: type))
        }
        return .plain(value)
    }

    /// Reads a value of a type without links; nil if it is not one.
    package func scalar(_ value: JSONDocument.Value, _ type: ColumnType) -> ScanValue? {
        switch (type, value) {
        case (.integer, .integer(let value)): return .integer(Int64(value))
        case (.boolean, .bool(let value)): return .boolean(value)
        case (.double, .integer(let value)): return .double(Double(value))
        case (.double, .number(let value)): return .double(value)
        case (.double, .string(let text)):
            return ScalarText.double(special: text).map { .double($0) }
        case (.float, .integer(let value)): return .float(Float(value))
        case (.float, .number(let value)): return .float(Float(value))
        case (.float, .string(let text)):
            return ScalarText.float(special: text).map { .float($0) }
        case (.timestamp, .integer(let value)): return .double(Double(value))
        case (.timestamp, .number(let value)): return .double(value)
        case (.timestamp, .string(let text)):
            return (ScalarText.date(text) ?? ScalarText.double(special: text)).map { .double($0) }
        case (.text, .string(let text)): return .text(Array(text.utf8))
        case (.bytes, .string(let text)):
            return Data(base64Encoded: text).map { .bytes([UInt8]($0)) }
        case (.fixed12, .string(let text)), (.fixed16, .string(let text)):
            return ScalarText.fixed(text, type).map { .fixed($0) }
        case (.decimal, .string(let text)):
            return ScalarText.decimal(text).map { .decimal($0.low, $0.high) }
        case (.decimal, .integer(let value)):
            return ScalarText.decimal(String(value)).map { .decimal($0.low, $0.high) }
        default: return nil
        }
    }

    /// What a value of a type looks like.
    package static func expectation(of type: ColumnType) -> String {
        switch type {
        case .integer: "an integer"
        case .boolean: "true or false"
        case .float, .double: "a number, or \"NaN\", \"Infinity\" or \"-Infinity\""
        case .timestamp: "a date such as \"2024-02-29T12:00:00Z\", or seconds since 2001"
        case .text: "a text in quotes"
        case .bytes: "bytes in Base64, in quotes"
        case .fixed12: "an ObjectId of 24 hexadecimal digits, in quotes"
        case .fixed16: "a UUID, in quotes"
        case .decimal: "a decimal number in quotes"
        case .link: "the primary key of an object, {\"$key\": its row key}, or null"
        case .mixed: "a value"
        }
    }

    package func refusal(
        of document: JSONDocument, _ id: JSONDocument.ID, _ column: ColumnDefinition,
        _ expected: String
    ) -> InspectionError {
        InspectionError(
            "'\(column.name)' must be \(expected), and is \(document.shown(id)).")
    }

    // MARK: Links

    private func link(
        _ id: JSONDocument.ID, of document: JSONDocument, _ column: ColumnDefinition
    ) throws -> StoredValue {
        guard let target = column.target.flatMap({ catalog[$0] }) else { return .null }
        let expected = Self.expectation(of: .link)
        guard let reference = reference(id, of: document, target) else {
            throw refusal(of: document, id, column, expected)
        }
        guard let key = try findLink(target, reference.primaryKey, reference.key) else {
            return .null
        }
        return .plain(.link(RowKey(rawValue: key)))
    }

    private func reference(
        _ id: JSONDocument.ID, of document: JSONDocument, _ target: TableDefinition
    ) -> (primaryKey: ScanValue?, key: Int64?)? {
        let type = target.primaryKey.flatMap { target[$0]?.type }
        guard case .object(let members) = document[id] else {
            guard let type, let value = scalar(document[id], type) else { return nil }
            return (value, nil)
        }
        var key: Int64?
        if let member = document.member(of: members, named: "$key") {
            guard case .integer(let value) = document[member] else { return nil }
            key = Int64(value)
        }
        var primaryKey: ScanValue?
        if let member = document.member(of: members, named: "$primaryKey") {
            guard let type, let value = scalar(document[member], type) else { return nil }
            primaryKey = value
        }
        return key == nil && primaryKey == nil ? nil : (primaryKey, key)
    }

    // MARK: Mixed values

    private func mixed(_ id: JSONDocument.ID, of document: JSONDocument, depth: Int) throws
        -> MixedValue?
    {
        switch document[id] {
        case .null: return nil
        case .bool(let value): return .boolean(value)
        case .integer(let value): return .integer(Int64(value))
        case .number(let value): return .double(value)
        case .string(let text): return .text(ContiguousArray(text.utf8))
        case .array(let members):
            try checkDepth(depth)
            var values: ContiguousArray<MixedValue?> = []
            for member in document.members[members] {
                values.append(try mixed(Int(member.value), of: document, depth: depth + 1))
            }
            return .list(values, identity: MixedValue.newIdentity())
        case .object(let members):
            if let first = document.members[members].first {
                let name = document.name(of: first)
                if name.hasPrefix("$"), !name.hasPrefix("$$") {
                    return try tagged(name, members, id, of: document)
                }
            }
            try checkDepth(depth)
            return try map(members, of: document, depth: depth)
        }
    }

    private func checkDepth(_ depth: Int) throws {
        if depth < MixedValue.greatestDepth { return }
        throw InspectionError(
            "A mixed value has more than \(MixedValue.greatestDepth) collections in each other.")
    }

    private func map(_ members: Range<Int>, of document: JSONDocument, depth: Int) throws
        -> MixedValue
    {
        var entries: ContiguousArray<(key: ContiguousArray<UInt8>, value: MixedValue?)> = []
        for member in document.members[members] {
            let name = ValueDecoder.name(document.name(of: member))
            try ValueDecoder.check(key: name)
            entries.append(
                (
                    ContiguousArray(name.utf8),
                    try mixed(Int(member.value), of: document, depth: depth + 1)
                ))
        }
        entries.sort { $0.key.lexicographicallyPrecedes($1.key) }
        for (first, second) in zip(entries, entries.dropFirst()) where first.key == second.key {
            throw InspectionError(
                "A map has the key '\(String(decoding: first.key, as: UTF8.self))' twice.")
        }
        return .map(entries, identity: MixedValue.newIdentity())
    }

    /// Checks that programs could have set a map's key, too.
    package static func check(key: String) throws(InspectionError) {
        if key.utf8.first != UInt8(ascii: "$"), !key.utf8.contains(UInt8(ascii: ".")) { return }
        throw InspectionError(
            "The key '\(key)' of a map begins with '$' or contains '.', which keys must not.")
    }

    /// The inverse of ``RowEncoder/memberName(_:)``.
    package static func name(_ member: String) -> String {
        member.hasPrefix("$$") ? String(member.dropFirst()) : member
    }

    private func tagged(
        _ tag: String, _ members: Range<Int>, _ id: JSONDocument.ID, of document: JSONDocument
    ) throws -> MixedValue? {
        let value = document[Int(document.members[members.lowerBound].value)]
        if tag == "$link" {
            guard case .string(let name) = value else {
                throw InspectionError("\"$link\" must be the name of a class.")
            }
            let target = try catalog.inspected(name)
            guard let reference = reference(id, of: document, target) else {
                throw InspectionError(
                    "A link to \(name) needs \"$primaryKey\" or \"$key\" beside \"$link\".")
            }
            return try findLink(target, reference.primaryKey, reference.key).map {
                .link(LinkTarget(table: target.id, key: $0))
            }
        }
        let types: [String: ColumnType] = [
            "$float": .float, "$double": .double, "$decimal128": .decimal, "$data": .bytes,
            "$date": .timestamp, "$objectId": .fixed12, "$uuid": .fixed16, "$int": .integer,
            "$bool": .boolean, "$string": .text,
        ]
        guard let type = types[tag] else {
            throw InspectionError(
                "'\(tag)' is no type of a mixed value.",
                remedy: """
                    A map's key that begins with $ is written with two of them. The types are \
                    \(types.keys.sorted().joined(separator: ", ")) and $link.
                    """)
        }
        guard members.count == 1, let scalar = scalar(value, type) else {
            throw InspectionError("\"\(tag)\" must have \(Self.expectation(of: type)).")
        }
        return switch scalar {
        case .float(let value): .float(value)
        case .double(let value): type == .timestamp ? .timestamp(value) : .double(value)
        case .decimal(let low, let high): .decimal(low, high)
        case .bytes(let bytes): .bytes(ContiguousArray(bytes))
        case .text(let bytes): .text(ContiguousArray(bytes))
        case .fixed(let value): .fixed(value)
        case .integer(let value): .integer(value)
        case .boolean(let value): .boolean(value)
        case .null, .timestamp, .link, .object, .nested: nil
        }
    }
}
