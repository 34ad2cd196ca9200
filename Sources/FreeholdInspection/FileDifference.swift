package import FreeholdStorage

/// One way in which two files differ.
package enum FileChange: Sendable {
    /// A class, property or setting that differs, in words.
    case schema(String)
    /// An object that only the second file has, as JSON.
    case added(className: String, identity: String, object: [UInt8])
    /// An object that only the first file has, as JSON.
    case removed(className: String, identity: String, object: [UInt8])
    /// An object with other values in both, as JSON before and after.
    case changed(
        className: String, identity: String,
        properties: [(name: String, before: [UInt8], after: [UInt8])])
}

/// Compares the contents of two files: classes, and objects by their primary keys, or by their
/// row keys in classes without one. Embedded objects are compared with their owners.
///
/// Constant memory. O(objects), with a look-up in an index for each object of a class whose
/// primary key is not an integer.
package struct FileComparison {
    private let first: Snapshot
    private let second: Snapshot
    private let body: (FileChange) throws -> Void

    /// - Parameter body: Called with each difference.
    package static func compare(
        _ first: Snapshot, _ second: Snapshot, progress: (Int) -> Void = { _ in },
        _ body: @escaping (FileChange) throws -> Void
    ) throws {
        try FileComparison(first: first, second: second, body: body).run(progress)
    }

    private func run(_ progress: (Int) -> Void) throws {
        var done = 0
        func step() {
            done += 1
            if done & 0xFFF == 0 { progress(done) }
        }
        try compareSchemas()
        let before = first.catalog.classTables.sorted { $0.name < $1.name }
        for table in before where !table.isOwned {
            guard let other = second.catalog[table.name], !other.isOwned else {
                try listAll(table, of: first, isAdded: false, step)
                continue
            }
            try compare(table, other, step)
        }
        for table in second.catalog.classTables.sorted(by: { $0.name < $1.name })
        where !table.isOwned && first.catalog[table.name].map(\.isOwned) ?? true {
            try listAll(table, of: second, isAdded: true, step)
        }
    }

    // MARK: Schemas

    private func compareSchemas() throws {
        let before = SchemaDescription(first, counts: false)
        let now = SchemaDescription(second, counts: false)
        func say(_ text: String) throws { try body(.schema(text)) }
        if before.schemaVersion != now.schemaVersion {
            func text(_ version: UInt64?) -> String { version.map(String.init) ?? "none" }
            try say(
                "schema version \(text(before.schemaVersion)) → \(text(now.schemaVersion))")
        }
        for found in before.classes {
            guard let other = now[found.name] else {
                try say("class \(found.name) is only in the first file")
                continue
            }
            if found.isEmbedded != other.isEmbedded {
                let owner = found.isEmbedded ? "first" : "second"
                try say("\(found.name) is embedded only in the \(owner) file")
            }
            if found.primaryKey != other.primaryKey {
                try say(
                    """
                    primary key of \(found.name): \(found.primaryKey ?? "none") → \
                    \(other.primaryKey ?? "none")
                    """)
            }
            for property in found.properties {
                let name = "\(found.name).\(property.name)"
                guard let same = other.properties.first(where: { $0.name == property.name }) else {
                    try say("\(name) is only in the first file")
                    continue
                }
                if property.typeText != same.typeText {
                    try say("\(name): \(property.typeText) → \(same.typeText)")
                }
                if property.index != same.index {
                    func text(_ index: SchemaDescription.Property.Index?) -> String {
                        index?.rawValue ?? "none"
                    }
                    try say("index of \(name): \(text(property.index)) → \(text(same.index))")
                }
            }
            for property in other.properties
            where !found.properties.contains(where: { $0.name == property.name }) {
                try say("\(found.name).\(property.name) is only in the second file")
            }
        }
        for found in now.classes where before[found.name] == nil {
            try say("class \(found.name) is only in the second file")
        }
    }

    // MARK: Objects

    private static func options(_ properties: [String]? = nil) -> RowEncoder.Options {
        var options = RowEncoder.Options()
        options.sortsLinks = true
        options.properties = properties
        return options
    }

    private func listAll(
        _ table: TableDefinition, of source: Snapshot, isAdded: Bool, _ step: () -> Void
    ) throws {
        try RowWalk(source, table.id, options: Self.options()).forEach { row, encoder in
            step()
            try report(row, table, &encoder, isAdded: isAdded)
            return true
        }
    }

    private func report(
        _ row: RowWalk.Row, _ table: TableDefinition, _ encoder: inout RowEncoder, isAdded: Bool
    ) throws {
        var json = JSONBytes()
        encoder.append(row.cluster, row.row, of: table.id, to: &json)
        let identity = table.identity(row.cluster, row.row, &encoder)
        try body(
            isAdded
                ? .added(className: table.name, identity: identity, object: json.bytes)
                : .removed(className: table.name, identity: identity, object: json.bytes))
    }

    private func compare(_ table: TableDefinition, _ other: TableDefinition, _ step: () -> Void)
        throws
    {
        let common = table.columns.map(\.name).filter { other[$0] != nil }
        let finder = RowMatcher(from: table, to: other, in: second)
        try RowWalk(first, table.id, options: Self.options(common)).forEach { row, encoder in
            step()
            guard let match = try finder.match(row) else {
                try report(row, table, &encoder, isAdded: false)
                return true
            }
            try compare(row, table, &encoder, match, other, finder, common)
            return true
        }
        let reverse = RowMatcher(from: other, to: table, in: first)
        try RowWalk(second, other.id, options: Self.options()).forEach { row, encoder in
            step()
            if try reverse.match(row) == nil { try report(row, other, &encoder, isAdded: true) }
            return true
        }
    }

    private func compare(
        _ row: RowWalk.Row, _ table: TableDefinition, _ encoder: inout RowEncoder,
        _ match: RowWalk.Row, _ other: TableDefinition, _ finder: RowMatcher, _ common: [String]
    ) throws {
        var (before, now) = (JSONBytes(), JSONBytes())
        encoder.append(row.cluster, row.row, of: table.id, to: &before)
        finder.append(match, common, to: &now)
        if before.bytes == now.bytes { return }
        var properties: [(String, [UInt8], [UInt8])] = []
        for name in common {
            guard let column = table[name], let same = other[name] else { continue }
            before.removeAll()
            now.removeAll()
            encoder.append(column, row.cluster, row.row, of: table.id, to: &before)
            finder.append(same, match, to: &now)
            if before.bytes != now.bytes { properties.append((name, before.bytes, now.bytes)) }
        }
        // Only the order of properties may have differed.
        if properties.isEmpty { return }
        try body(
            .changed(
                className: table.name,
                identity: table.identity(row.cluster, row.row, &encoder), properties: properties))
    }
}

/// Finds the rows of a table of one file in another file.
private final class RowMatcher {
    private static let matchesPerView = 4096

    private let table: TableDefinition
    private let other: TableDefinition
    private let snapshot: Snapshot
    private var view: Snapshot
    private var rows: TableView
    private var known: RowEncoder?
    private var rest = RowMatcher.matchesPerView

    init(from table: TableDefinition, to other: TableDefinition, in snapshot: Snapshot) {
        self.table = table
        self.other = other
        self.snapshot = snapshot
        view = snapshot.renewed()
        rows = view.table(other.id)
    }

    /// The row of the other file; valid until the next call.
    func match(_ row: RowWalk.Row) throws -> RowWalk.Row? {
        rest -= 1
        if rest == 0 {
            rest = Self.matchesPerView
            view = snapshot.renewed()
            rows = view.table(other.id)
            known = nil
        }
        guard let key = try key(of: row), let place = rows.locate(RowKey(rawValue: key)) else {
            return nil
        }
        return RowWalk.Row(table: rows, cluster: place.cluster, row: place.row)
    }

    /// Appends a row that was found, with some properties.
    func append(_ row: RowWalk.Row, _ properties: [String], to json: inout JSONBytes) {
        makeEncoder(properties)
        known?.append(row.cluster, row.row, of: other.id, to: &json)
    }

    /// Appends a value of a row that was found.
    func append(_ column: ColumnDefinition, _ row: RowWalk.Row, to json: inout JSONBytes) {
        known?.append(column, row.cluster, row.row, of: other.id, to: &json)
    }

    private func makeEncoder(_ properties: [String]) {
        if known != nil { return }
        var options = RowEncoder.Options()
        options.sortsLinks = true
        options.properties = properties
        known = RowEncoder(view, options: options)
    }

    private func key(of row: RowWalk.Row) throws -> Int64? {
        guard let column = table.primaryKey.flatMap({ table[$0] }),
            let target = other.primaryKey.flatMap({ other[$0] })
        else { return row.key }
        guard column.type == target.type else { return nil }
        guard
            case .plain(let value) = StoredValue(
                column, row.cluster, row: row.row, of: row.table)
        else { return nil }
        if other.usesPrimaryKeyAsRowKey {
            if case .integer(let key) = value { return key }
            return nil
        }
        return try view.rowKey(forPrimaryKey: value.indexKey, in: other.id)?.rawValue
    }
}
