package import FreeholdStorage

/// Writes values for the eye: cut to a size, with their kinds and the names of linked objects.
/// Nothing reads them back; ``RowEncoder`` writes values that are.
///
/// A cell is null, or an object: `k`, the kind; `v`, the value as a text, a boolean, cells or
/// members; `n`, the whole length of a text or of bytes that is cut, or the number of elements;
/// `c` and `r`, the class and the row of a link.
///
/// Valid as long as the version does not change.
package struct CellEncoder {
    /// How much of a value is written.
    package struct Limits: Sendable {
        /// Characters of texts, about.
        package var text: Int
        package var bytes: Int
        package var elements: Int
        /// Embedded objects and collections in each other.
        package var depth: Int

        package static let grid = Limits(text: 160, bytes: 12, elements: 8, depth: 3)
        package static let card = Limits(text: 20_000, bytes: 256, elements: 200, depth: 24)
        package static let whole = Limits(
            text: 16_000_000, bytes: 1_000_000, elements: 10_000, depth: 64)
    }

    package let source: TableSource
    package let limits: Limits
    private let catalog: Catalog
    private var tables: [TableID: (view: TableView, title: ColumnDefinition?)] = [:]

    package init(_ source: TableSource, _ limits: Limits) {
        self.source = source
        self.limits = limits
        catalog = source.currentCatalog
    }

    private mutating func table(_ id: TableID) -> (view: TableView, title: ColumnDefinition?) {
        if let known = tables[id] { return known }
        let view = source.table(id)
        let made = (view, view.definition.titleColumn)
        tables[id] = made
        return made
    }

    // MARK: Values

    /// Appends the cell of a column.
    package mutating func append(
        _ column: ColumnDefinition, _ cluster: ClusterView, _ row: Int, of id: TableID,
        to json: inout JSONBytes
    ) { append(column, cluster, row, in: table(id).view, depth: 0, to: &json) }

    private mutating func append(
        _ column: ColumnDefinition, _ cluster: ClusterView, _ row: Int, in table: TableView,
        depth: Int, to json: inout JSONBytes
    ) {
        if let kind = column.collection {
            let elements = table.collection(of: column.id, kind, cluster, row: row)
            let shown = 0..<min(elements.count, limits.elements)
            return append(
                StoredValue(elements, in: shown, table), of: column, count: elements.count,
                depth: depth, to: &json)
        }
        let view = cluster.columns[column.id.position]
        if view.isNull(at: row) { return json.append(raw: "null") }
        switch column.type {
        case .text:
            table.withBytes(cluster, column.id, row) { append(text: $0, to: &json) }
        case .bytes:
            table.withBytes(cluster, column.id, row) { append(bytes: $0, to: &json) }
        default:
            append(
                StoredValue(column, cluster, row: row, of: table), of: column, count: 0,
                depth: depth, to: &json)
        }
    }

    private mutating func append(
        _ value: StoredValue, of column: ColumnDefinition, count: Int, depth: Int,
        to json: inout JSONBytes
    ) {
        switch value {
        case .plain(let value): append(value, of: column, depth: depth, to: &json)
        case .mixed(let value): append(value, depth: depth, to: &json)
        case .list(let elements), .set(let elements):
            let isSet = column.collection?.shape == .set
            json.append(raw: isSet ? "{\"k\":\"set\",\"n\":" : "{\"k\":\"list\",\"n\":")
            json.append(Int64(count))
            json.append(raw: ",\"v\":[")
            for (index, element) in elements.enumerated() {
                if index > 0 { json.append(raw: ",") }
                append(element, of: column, count: 0, depth: depth + 1, to: &json)
            }
            json.append(raw: "]}")
        case .map(let entries):
            json.append(raw: "{\"k\":\"map\",\"n\":")
            json.append(Int64(count))
            json.append(raw: ",\"v\":[")
            for (index, entry) in entries.enumerated() {
                if index > 0 { json.append(raw: ",") }
                json.append(raw: "[")
                entry.key.withUnsafeBytes { json.append(quoted: $0) }
                json.append(raw: ",")
                append(entry.value, of: column, count: 0, depth: depth + 1, to: &json)
                json.append(raw: "]")
            }
            json.append(raw: "]}")
        }
    }

    private mutating func append(
        _ value: ScanValue, of column: ColumnDefinition, depth: Int, to json: inout JSONBytes
    ) {
        switch value {
        case .null, .object, .nested: json.append(raw: "null")
        case .integer(let value): append("int", text: String(value), to: &json)
        case .boolean(let value): append(value, to: &json)
        case .float(let value): append("float", text: "\(value)", to: &json)
        case .double(let value):
            if (column.collection?.type ?? column.type) == .timestamp {
                append(date: value, to: &json)
            } else {
                append("double", text: "\(value)", to: &json)
            }
        case .timestamp(let value): append(date: value, to: &json)
        case .text(let bytes): bytes.withUnsafeBytes { append(text: $0, to: &json) }
        case .bytes(let bytes): bytes.withUnsafeBytes { append(bytes: $0, to: &json) }
        case .fixed(let value): append(value, to: &json)
        case .decimal(let low, let high):
            append("decimal128", text: ScalarText.decimalText(low, high), to: &json)
        case .link(let key):
            guard let target = column.target else { return json.append(raw: "null") }
            append(LinkTarget(table: target, key: key.rawValue), depth: depth, to: &json)
        }
    }

    private mutating func append(_ value: MixedValue?, depth: Int, to json: inout JSONBytes) {
        switch value {
        case nil: json.append(raw: "null")
        case .boolean(let value): append(value, to: &json)
        case .integer(let value): append("int", text: String(value), to: &json)
        case .float(let value): append("float", text: "\(value)", to: &json)
        case .double(let value): append("double", text: "\(value)", to: &json)
        case .decimal(let low, let high):
            append("decimal128", text: ScalarText.decimalText(low, high), to: &json)
        case .text(let bytes): bytes.withUnsafeBytes { append(text: $0, to: &json) }
        case .bytes(let bytes): bytes.withUnsafeBytes { append(bytes: $0, to: &json) }
        case .timestamp(let value): append(date: value, to: &json)
        case .fixed(let value): append(value, to: &json)
        case .link(let target): append(target, depth: depth, to: &json)
        case .list(let values, _):
            json.append(raw: "{\"k\":\"list\",\"n\":")
            json.append(Int64(values.count))
            json.append(raw: ",\"v\":[")
            if depth < limits.depth {
                for (index, value) in values.prefix(limits.elements).enumerated() {
                    if index > 0 { json.append(raw: ",") }
                    append(value, depth: depth + 1, to: &json)
                }
            }
            json.append(raw: "]}")
        case .map(let entries, _):
            json.append(raw: "{\"k\":\"map\",\"n\":")
            json.append(Int64(entries.count))
            json.append(raw: ",\"v\":[")
            if depth < limits.depth {
                for (index, entry) in entries.prefix(limits.elements).enumerated() {
                    if index > 0 { json.append(raw: ",") }
                    json.append(raw: "[")
                    entry.key.withUnsafeBytes { json.append(quoted: $0) }
                    json.append(raw: ",")
                    append(entry.value, depth: depth + 1, to: &json)
                    json.append(raw: "]")
                }
            }
            json.append(raw: "]}")
        }
    }

    // MARK: Scalars

    private func append(_ kind: StaticString, text: String, to json: inout JSONBytes) {
        json.append(raw: "{\"k\":\"")
        json.append(raw: kind)
        json.append(raw: "\",\"v\":")
        json.append(quoted: text)
        json.append(raw: "}")
    }

    private func append(_ value: Bool, to json: inout JSONBytes) {
        json.append(raw: value ? "{\"k\":\"bool\",\"v\":true}" : "{\"k\":\"bool\",\"v\":false}")
    }

    private func append(_ value: FixedValue, to json: inout JSONBytes) {
        append(
            value.kind == .fixed12 ? "objectId" : "uuid", text: ScalarText.text(of: value),
            to: &json)
    }

    private func append(date seconds: Double, to json: inout JSONBytes) {
        append(
            "date",
            text: ScalarText.dateText(seconds) ?? ScalarText.dateText(seconds, decimals: 9),
            to: &json)
    }

    private func append(text bytes: UnsafeRawBufferPointer, to json: inout JSONBytes) {
        json.append(raw: "{\"k\":\"string\",\"v\":")
        json.append(quoted: bytes.cut(to: limits.text))
        if bytes.count > limits.text {
            json.append(raw: ",\"n\":")
            json.append(Int64(bytes.count))
        }
        json.append(raw: "}")
    }

    private func append(bytes: UnsafeRawBufferPointer, to json: inout JSONBytes) {
        json.append(raw: "{\"k\":\"data\",\"v\":\"")
        json.append(ascii: ScalarText.hexadecimal(bytes.prefix(limits.bytes)))
        json.append(raw: "\",\"n\":")
        json.append(Int64(bytes.count))
        json.append(raw: "}")
    }

    // MARK: Links

    private mutating func append(_ target: LinkTarget, depth: Int, to json: inout JSONBytes) {
        guard let definition = catalog[target.table] else { return json.append(raw: "null") }
        if !definition.isOwned { return append(link: target, to: &json) }
        json.append(raw: "{\"k\":\"embedded\",\"c\":")
        json.append(quoted: definition.name)
        json.append(raw: ",\"r\":\"")
        json.append(target.key)
        json.append(raw: "\",\"v\":{")
        let view = table(target.table).view
        if depth < limits.depth, let place = view.locate(RowKey(rawValue: target.key)) {
            for (index, column) in definition.columns.enumerated() {
                if index > 0 { json.append(raw: ",") }
                json.append(quoted: column.name)
                json.append(raw: ":")
                append(column, place.cluster, place.row, in: view, depth: depth + 1, to: &json)
            }
        }
        json.append(raw: "}}")
    }

    /// Appends a link with the name of its target: `{"k":"link","c":"Person","r":"7","v":"Ada"}`.
    package mutating func append(link target: LinkTarget, to json: inout JSONBytes) {
        json.append(raw: "{\"k\":\"link\",\"c\":")
        json.append(quoted: catalog[target.table]?.name ?? "")
        // A text: row keys have 64 bits, and numbers of JavaScript 53.
        json.append(raw: ",\"r\":\"")
        json.append(target.key)
        json.append(raw: "\",\"v\":")
        json.append(quoted: title(of: target) ?? "")
        json.append(raw: "}")
    }

    /// What names an object best: its name, title or the like, else its primary key.
    package mutating func title(of target: LinkTarget) -> String? {
        let (view, title) = table(target.table)
        guard let title, let place = view.locate(RowKey(rawValue: target.key)),
            !place.cluster.columns[title.id.position].isNull(at: place.row)
        else { return nil }
        if title.type == .text {
            return view.withBytes(place.cluster, title.id, place.row) {
                String(decoding: $0.cut(to: 80), as: UTF8.self)
            }
        }
        switch StoredValue(title, place.cluster, row: place.row, of: view) {
        case .plain(.integer(let value)): return "\(view.definition.name) \(value)"
        case .plain(.fixed(let value)): return ScalarText.text(of: value)
        default: return nil
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The beginning, of whole characters of UTF-8.
    fileprivate func cut(to limit: Int) -> UnsafeRawBufferPointer {
        if count <= limit { return self }
        var end = limit
        while end > 0, self[end] & 0xC0 == 0x80 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[..<end])
    }
}

extension TableDefinition {
    private static let titles = ["name", "title", "label", "subject", "email", "street", "text"]

    /// The column that names an object best for people; nil if there is none.
    package var titleColumn: ColumnDefinition? {
        let texts = columns.filter { $0.type == .text && $0.collection == nil }
        for name in Self.titles {
            if let found = texts.first(where: { $0.name.lowercased() == name }) { return found }
        }
        return primaryKey.flatMap { self[$0] }
    }
}
