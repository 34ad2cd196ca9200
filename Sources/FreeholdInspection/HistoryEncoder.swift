import Foundation
package import Freehold
package import FreeholdStorage

/// Writes values of a history as JSON, in the shape of ``RowEncoder``. Docs/Command.md documents
/// it.
package struct HistoryEncoder {
    private let catalog: Catalog

    /// - Parameter catalog: The present classes: which of their properties are mixed.
    package init(_ catalog: Catalog) { self.catalog = catalog }

    /// Appends the properties of an object.
    package func append(
        _ values: [String: HistoryValue], ofClass name: String, to json: inout JSONBytes
    ) {
        let table = catalog[name]
        json.append(UInt8(ascii: "{"))
        for (index, (property, value)) in values.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.append(quoted: RowEncoder.memberName(property))
            json.append(UInt8(ascii: ":"))
            let column = table?[property]
            let type = column?.collection?.type ?? column?.type
            append(value, isMixed: type == nil || type == .mixed, to: &json)
        }
        json.append(UInt8(ascii: "}"))
    }

    /// Appends what tells an object from others of its class.
    package func append(identityOf object: HistoryObject, to json: inout JSONBytes) {
        if let key = object.primaryKey { return append(key, isMixed: false, to: &json) }
        json.append(raw: "{\"$key\":")
        json.append(object.row)
        json.append(UInt8(ascii: "}"))
    }

    /// - Parameter isMixed: Whether a value says its type where JSON does not.
    private func append(_ value: HistoryValue, isMixed: Bool, to json: inout JSONBytes) {
        func tagged(_ tag: StaticString, _ body: (inout JSONBytes) -> Void) {
            if isMixed { json.append(raw: tag) }
            body(&json)
            if isMixed { json.append(UInt8(ascii: "}")) }
        }
        switch value {
        case .none: json.append(raw: "null")
        case .bool(let value): json.append(raw: value ? "true" : "false")
        case .int(let value): json.append(Int64(value))
        case .float(let value): tagged("{\"$float\":") { ScalarText.append(value, to: &$0) }
        case .double(let value) where value.isFinite: ScalarText.append(value, to: &json)
        case .double(let value): tagged("{\"$double\":") { ScalarText.append(value, to: &$0) }
        case .string(let value): json.append(quoted: value)
        case .data(let value):
            tagged("{\"$data\":") { $0.append(quoted: value.base64EncodedString()) }
        case .date(let value):
            tagged("{\"$date\":") {
                ScalarText.appendDate(value.timeIntervalSinceReferenceDate, to: &$0)
            }
        case .decimal128(let value): tagged("{\"$decimal128\":") { $0.append(quoted: "\(value)") }
        case .objectId(let value): tagged("{\"$objectId\":") { $0.append(quoted: "\(value)") }
        case .uuid(let value): tagged("{\"$uuid\":") { $0.append(quoted: value.uuidString) }
        case .object(let object): append(object, isMixed: isMixed, to: &json)
        case .list(let values), .set(let values):
            json.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                append(value, isMixed: isMixed, to: &json)
            }
            json.append(UInt8(ascii: "]"))
        case .map(let values):
            json.append(UInt8(ascii: "{"))
            for (index, (key, value)) in values.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                json.append(quoted: isMixed ? RowEncoder.memberName(key) : key)
                json.append(UInt8(ascii: ":"))
                append(value, isMixed: isMixed, to: &json)
            }
            json.append(UInt8(ascii: "}"))
        }
    }

    private func append(_ object: HistoryObject, isMixed: Bool, to json: inout JSONBytes) {
        guard isMixed else { return append(identityOf: object, to: &json) }
        json.append(raw: "{\"$link\":")
        json.append(quoted: object.className)
        if let key = object.primaryKey {
            json.append(raw: ",\"$primaryKey\":")
            append(key, isMixed: false, to: &json)
        } else {
            json.append(raw: ",\"$key\":")
            json.append(object.row)
        }
        json.append(UInt8(ascii: "}"))
    }
}
