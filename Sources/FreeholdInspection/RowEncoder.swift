package import FreeholdStorage

/// Writes rows as JSON objects that read back as exactly the same values. Docs/Command.md
/// documents the shape.
///
/// A value of the thread that uses it.
package struct RowEncoder {
    /// How links are written.
    package enum Links: Sendable {
        /// By the primary key of the target, else by its row key: for people and programs.
        case primaryKey
        /// With the row key beside the primary key, so that a new file can be filled in one pass.
        case both
    }

    package struct Options: Sendable {
        /// Whether objects begin with `"$class"`.
        package var includesClass = false
        /// Whether objects have `"$key"`, the key of their row, if that is not the primary key.
        package var includesKey = false
        package var links = Links.primaryKey
        /// The properties to write, in this order; nil for all.
        package var properties: [String]?
        /// Whether sets of links are in the order of their texts. Row keys order them otherwise,
        /// and these differ between equal files.
        package var sortsLinks = false

        package init() {}
    }

    /// The most embedded objects inside of each other that are written.
    private static let greatestDepth = 200

    package let options: Options
    /// The version whose rows are written.
    package let source: TableSource
    private let catalog: Catalog
    private var layouts: [TableID: TableLayout] = [:]

    /// What the encoder knows of a table.
    private struct TableLayout {
        let table: TableView
        /// `"$class":"Dog"`
        let classMember: [UInt8]
        /// `"name":`, and the columns.
        let members: [(name: [UInt8], column: ColumnDefinition)]
        let primaryKey: ColumnDefinition?
        let isRowKey: Bool
    }

    package init(_ source: TableSource, options: Options = Options()) {
        self.source = source
        self.options = options
        catalog = source.currentCatalog
    }

    // MARK: Rows

    /// Appends a row as an object; nothing and false without such a row.
    @discardableResult
    package mutating func append(row key: Int64, of table: TableID, to json: inout JSONBytes)
        -> Bool
    {
        let layout = layout(of: table)
        guard let place = layout.table.locate(RowKey(rawValue: key)) else { return false }
        append(place.cluster, place.row, of: table, to: &json)
        return true
    }

    /// Appends a row as an object.
    package mutating func append(
        _ cluster: ClusterView, _ row: Int, of table: TableID, to json: inout JSONBytes
    ) {
        let layout = layout(of: table)
        json.append(UInt8(ascii: "{"))
        var isFirst = true
        if options.includesClass {
            json.append(raw: layout.classMember)
            isFirst = false
        }
        if options.includesKey, !layout.isRowKey {
            if !isFirst { json.append(UInt8(ascii: ",")) }
            json.append(raw: "\"$key\":")
            json.append(cluster.key(at: row).rawValue)
            isFirst = false
        }
        appendMembers(layout, cluster, row, depth: 0, isFirst, to: &json)
        json.append(UInt8(ascii: "}"))
    }

    private mutating func appendMembers(
        _ layout: TableLayout, _ cluster: ClusterView, _ row: Int, depth: Int, _ isFirst: Bool,
        to json: inout JSONBytes
    ) {
        var isFirst = isFirst
        for (name, column) in layout.members {
            if !isFirst { json.append(UInt8(ascii: ",")) }
            isFirst = false
            json.append(raw: name)
            append(column, cluster, row, in: layout.table, depth: depth, to: &json)
        }
    }

    private mutating func layout(of table: TableID) -> TableLayout {
        if let known = layouts[table] { return known }
        let view = source.table(table)
        let definition = view.definition
        var columns = definition.columns
        if let wanted = options.properties, !definition.isOwned {
            columns = wanted.compactMap { definition[$0] }
        }
        var classMember = JSONBytes()
        classMember.append(raw: "\"$class\":")
        classMember.append(quoted: definition.name)
        let made = TableLayout(
            table: view, classMember: classMember.bytes,
            members: columns.map { column in
                var name = JSONBytes()
                name.append(quoted: RowEncoder.memberName(column.name))
                name.append(UInt8(ascii: ":"))
                return (name.bytes, column)
            },
            primaryKey: definition.primaryKey.flatMap { definition[$0] },
            isRowKey: definition.usesPrimaryKeyAsRowKey)
        layouts[table] = made
        return made
    }

    /// A name as a member of an object: `$` begins the names that the coding itself uses.
    package static func memberName(_ name: String) -> String {
        name.hasPrefix("$") ? "$" + name : name
    }

    // MARK: Values

    /// Appends the value of one column of a row.
    package mutating func append(
        _ column: ColumnDefinition, _ cluster: ClusterView, _ row: Int, of table: TableID,
        to json: inout JSONBytes
    ) { append(column, cluster, row, in: layout(of: table).table, depth: 0, to: &json) }

    private mutating func append(
        _ column: ColumnDefinition, _ cluster: ClusterView, _ row: Int, in table: TableView,
        depth: Int, to json: inout JSONBytes
    ) {
        if column.collection != nil {
            let value = StoredValue(column, cluster, row: row, of: table)
            return append(value, of: column, depth: depth, to: &json)
        }
        let view = cluster.columns[column.id.position]
        if view.isNull(at: row) { return json.append(raw: "null") }
        switch column.type {
        case .integer: json.append(view.integer(at: row))
        case .boolean: json.append(raw: view.boolean(at: row) ? "true" : "false")
        case .double: ScalarText.append(view.double(at: row), to: &json)
        case .float: ScalarText.append(view.float(at: row), to: &json)
        case .timestamp: ScalarText.appendDate(view.double(at: row), to: &json)
        case .text: table.withBytes(cluster, column.id, row) { json.append(quoted: $0) }
        case .bytes: table.withBytes(cluster, column.id, row) { json.append(base64: $0) }
        case .link: appendLink(to: view.integer(at: row), of: column, depth: depth, to: &json)
        case .decimal, .fixed12, .fixed16, .mixed:
            let value = StoredValue(column, cluster, row: row, of: table)
            append(value, of: column, depth: depth, to: &json)
        }
    }

    /// Appends a value of a column, or an element of its collections.
    package mutating func append(
        _ value: StoredValue, of column: ColumnDefinition, to json: inout JSONBytes
    ) { append(value, of: column, depth: 0, to: &json) }

    private mutating func append(
        _ value: StoredValue, of column: ColumnDefinition, depth: Int, to json: inout JSONBytes
    ) {
        switch value {
        case .plain(let value): append(value, of: column, depth: depth, to: &json)
        case .mixed(let value): append(mixed: value, to: &json)
        case .list(let elements): append(elements, of: column, depth: depth, to: &json)
        case .set(let elements):
            if options.sortsLinks, column.collection?.carriesLinks ?? false {
                appendSorted(elements, of: column, to: &json)
            } else {
                append(elements, of: column, depth: depth, to: &json)
            }
        case .map(let entries):
            json.append(UInt8(ascii: "{"))
            for (index, entry) in entries.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                entry.key.withUnsafeBytes { json.append(quoted: $0) }
                json.append(UInt8(ascii: ":"))
                append(entry.value, of: column, depth: depth, to: &json)
            }
            json.append(UInt8(ascii: "}"))
        }
    }

    private mutating func append(
        _ elements: ContiguousArray<StoredValue>, of column: ColumnDefinition, depth: Int,
        to json: inout JSONBytes
    ) {
        json.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            append(element, of: column, depth: depth, to: &json)
        }
        json.append(UInt8(ascii: "]"))
    }

    private mutating func appendSorted(
        _ elements: ContiguousArray<StoredValue>, of column: ColumnDefinition,
        to json: inout JSONBytes
    ) {
        var texts: [[UInt8]] = []
        for element in elements {
            var text = JSONBytes()
            append(element, of: column, depth: 0, to: &text)
            texts.append(text.bytes)
        }
        texts.sort { $0.lexicographicallyPrecedes($1) }
        json.append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.append(raw: text)
        }
        json.append(UInt8(ascii: "]"))
    }

    private mutating func append(
        _ value: ScanValue, of column: ColumnDefinition, depth: Int, to json: inout JSONBytes
    ) {
        switch value {
        case .null: json.append(raw: "null")
        case .integer(let value): json.append(value)
        case .boolean(let value): json.append(raw: value ? "true" : "false")
        case .float(let value): ScalarText.append(value, to: &json)
        case .double(let value):
            if (column.collection?.type ?? column.type) == .timestamp {
                ScalarText.appendDate(value, to: &json)
            } else {
                ScalarText.append(value, to: &json)
            }
        case .timestamp(let value): ScalarText.appendDate(value, to: &json)
        case .text(let bytes): bytes.withUnsafeBytes { json.append(quoted: $0) }
        case .bytes(let bytes): bytes.withUnsafeBytes { json.append(base64: $0) }
        case .fixed(let value): json.append(quoted: ScalarText.text(of: value))
        case .decimal(let low, let high):
            json.append(quoted: ScalarText.decimalText(low, high))
        case .link(let key): appendLink(to: key.rawValue, of: column, depth: depth, to: &json)
        case .object, .nested: preconditionFailure("Rows have no constants of predicates.")
        }
    }

    // MARK: Links

    private mutating func appendLink(
        to key: Int64, of column: ColumnDefinition, depth: Int, to json: inout JSONBytes
    ) {
        guard let target = column.target, let definition = catalog[target] else {
            return json.append(raw: "null")
        }
        if !definition.isOwned {
            return appendReference(to: LinkTarget(table: target, key: key), nil, to: &json)
        }
        let layout = layout(of: target)
        guard depth < Self.greatestDepth, let place = layout.table.locate(RowKey(rawValue: key))
        else { return json.append(raw: "null") }
        json.append(UInt8(ascii: "{"))
        appendMembers(layout, place.cluster, place.row, depth: depth + 1, true, to: &json)
        json.append(UInt8(ascii: "}"))
    }

    /// Appends the value that a link to a row is written as.
    package mutating func appendReference(to target: LinkTarget, to json: inout JSONBytes) {
        appendReference(to: target, nil, to: &json)
    }

    /// - Parameter className: The class, to name in an object; nil where the property has one.
    private mutating func appendReference(
        to target: LinkTarget, _ className: String?, to json: inout JSONBytes
    ) {
        let layout = layout(of: target.table)
        var primaryKey = JSONBytes()
        if layout.isRowKey {
            primaryKey.append(target.key)
        } else if let column = layout.primaryKey,
            let place = layout.table.locate(RowKey(rawValue: target.key)),
            !place.cluster.columns[column.id.position].isNull(at: place.row)
        {
            append(
                column, place.cluster, place.row, in: layout.table, depth: 0, to: &primaryKey)
        }
        let needsKey =
            primaryKey.count == 0 || options.links == .both && !layout.isRowKey
        if className == nil, !needsKey { return json.append(raw: primaryKey.bytes) }
        json.append(UInt8(ascii: "{"))
        if let className {
            json.append(raw: "\"$link\":")
            json.append(quoted: className)
            json.append(UInt8(ascii: ","))
        }
        if primaryKey.count > 0 {
            json.append(raw: "\"$primaryKey\":")
            json.append(raw: primaryKey.bytes)
            if needsKey { json.append(UInt8(ascii: ",")) }
        }
        if needsKey {
            json.append(raw: "\"$key\":")
            json.append(target.key)
        }
        json.append(UInt8(ascii: "}"))
    }

    // MARK: Mixed values

    private mutating func append(mixed value: MixedValue?, to json: inout JSONBytes) {
        func tagged(_ tag: StaticString, _ body: (inout JSONBytes) -> Void) {
            json.append(raw: tag)
            body(&json)
            json.append(UInt8(ascii: "}"))
        }
        switch value {
        case nil: json.append(raw: "null")
        case .boolean(let value): json.append(raw: value ? "true" : "false")
        case .integer(let value): json.append(value)
        case .float(let value): tagged("{\"$float\":") { ScalarText.append(value, to: &$0) }
        case .double(let value):
            if value.isFinite {
                ScalarText.append(value, to: &json)
            } else {
                tagged("{\"$double\":") { ScalarText.append(value, to: &$0) }
            }
        case .decimal(let low, let high):
            tagged("{\"$decimal128\":") { $0.append(quoted: ScalarText.decimalText(low, high)) }
        case .text(let bytes): bytes.withUnsafeBytes { json.append(quoted: $0) }
        case .bytes(let bytes):
            tagged("{\"$data\":") { json in
                bytes.withUnsafeBytes { json.append(base64: $0) }
            }
        case .timestamp(let value):
            tagged("{\"$date\":") { ScalarText.appendDate(value, to: &$0) }
        case .fixed(let value):
            tagged(value.kind == .fixed12 ? "{\"$objectId\":" : "{\"$uuid\":") {
                $0.append(quoted: ScalarText.text(of: value))
            }
        case .link(let target):
            guard let definition = catalog[target.table] else { return json.append(raw: "null") }
            appendReference(to: target, definition.name, to: &json)
        case .list(let values, _):
            json.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                append(mixed: value, to: &json)
            }
            json.append(UInt8(ascii: "]"))
        case .map(let entries, _):
            json.append(UInt8(ascii: "{"))
            for (index, entry) in entries.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                json.append(
                    quoted: RowEncoder.memberName(String(decoding: entry.key, as: UTF8.self)))
                json.append(UInt8(ascii: ":"))
                append(mixed: entry.value, to: &json)
            }
            json.append(UInt8(ascii: "}"))
        }
    }
}
