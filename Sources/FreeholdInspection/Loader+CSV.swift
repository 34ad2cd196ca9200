import Foundation
package import FreeholdImport
package import FreeholdStorage

extension Loader {
    /// An object from the fields of a record of CSV: nil is null, texts and numbers are as they
    /// are, and all else is JSON.
    package func object(_ names: [String], _ fields: [String?], className: String) throws
        -> JSONDocument
    {
        let table = try writeSet.catalog.inspected(className)
        var json = JSONBytes()
        json.append(UInt8(ascii: "{"))
        for (index, (name, field)) in zip(names, fields).enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.append(quoted: name == "$key" ? name : RowEncoder.memberName(name))
            json.append(UInt8(ascii: ":"))
            if name == "$key" {
                json.append(ascii: field ?? "null")
                continue
            }
            let column = try table.inspected(property: name)
            let type = column.collection == nil ? column.type : .mixed
            TypedText.append(field, of: column, type, in: writeSet.catalog, to: &json)
        }
        json.append(UInt8(ascii: "}"))
        do {
            return try JSONParser.parse(Data(json.bytes))
        } catch {
            throw InspectionError("A field is no JSON: expected \(error.expected).")
        }
    }
}

/// Values that people type: texts and numbers as they are, all else as JSON.
package enum TypedText {
    /// Appends what a text means for a column.
    package static func append(
        _ text: String?, of column: ColumnDefinition, in catalog: Catalog, to json: inout JSONBytes
    ) {
        append(
            text, of: column, column.collection == nil ? column.type : .mixed, in: catalog,
            to: &json)
    }

    static func append(
        _ text: String?, of column: ColumnDefinition, _ type: ColumnType, in catalog: Catalog,
        to json: inout JSONBytes
    ) {
        guard let text else { return json.append(raw: "null") }
        switch type {
        case .text, .bytes, .fixed12, .fixed16, .decimal: json.append(quoted: text)
        case .timestamp:
            // Numbers are seconds.
            if Double(text) != nil, text.first.map({ $0.isNumber || $0 == "-" }) ?? false,
                !text.dropFirst().contains("-")
            {
                json.append(ascii: text)
            } else {
                json.append(quoted: text)
            }
        case .double, .float:
            let isNumber = Double(text)?.isFinite ?? false
            if isNumber, text.first != "+", text.first != "." {
                json.append(ascii: text)
            } else {
                json.append(quoted: text)
            }
        case .link:
            let target = column.target.flatMap { catalog[$0] }
            let keyType = target?.primaryKey.flatMap { target?[$0]?.type }
            if text.hasPrefix("{") || text == "null" || keyType == .integer || keyType == nil {
                json.append(ascii: text)
            } else {
                json.append(quoted: text)
            }
        case .mixed where column.collection == nil:
            // What is no JSON is a text.
            let isJSON = (try? JSONParser.parse(Data(text.utf8))) != nil
            if isJSON { json.append(ascii: text) } else { json.append(quoted: text) }
        case .integer where Int64(text) == nil, .boolean where text != "true" && text != "false":
            // The decoder says what is expected.
            json.append(quoted: text)
        case .integer: json.append(Int64(text) ?? 0)
        case .mixed, .boolean: json.append(ascii: text)
        }
    }
}
