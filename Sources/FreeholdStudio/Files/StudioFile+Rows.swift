import Foundation
import Freehold
import FreeholdInspection
import FreeholdStorage

extension StudioFile {
    /// A window of rows.
    struct RowsRequest: Sendable {
        var className: String
        var query: String
        var columns: [String]?
        var position: Int
        var count: Int
        /// A row that should stay where it is, and the position where it was.
        var anchor: (key: Int64, position: Int)?
    }

    /// The rows at some positions, as JSON.
    func rows(_ request: RowsRequest) throws -> [UInt8] {
        let begin = ContinuousClock.now
        let view = try view()
        let definition = try table(request.className, in: view)
        let found = try RowSet(self, request.query, of: definition, in: view)
        let total = found.count
        var position = request.position
        var anchored: Int?
        if let anchor = request.anchor {
            anchored = try found.position(of: anchor.key)
            if let anchored { position += anchored - anchor.position }
        }
        let count = min(max(request.count, 0), 500)
        position = max(0, min(position, total - count))
        let keys = try found.keys(at: position..<min(total, position + count))

        var json = JSONBytes()
        json.append(raw: "{\"version\":")
        json.append(Int64(clamping: view.version))
        json.append(raw: ",\"total\":")
        json.append(Int64(total))
        json.append(raw: ",\"position\":")
        json.append(Int64(position))
        if let anchored {
            json.append(raw: ",\"anchorPosition\":")
            json.append(Int64(anchored))
        }
        json.append(raw: ",\"rows\":[")
        let columns = (request.columns ?? definition.columns.map(\.name)).compactMap {
            definition[$0]
        }
        append(keys, columns, of: definition, in: view, to: &json)
        json.append(raw: "],\"seconds\":")
        json.append(ascii: "\((ContinuousClock.now - begin).seconds)")
        json.append(raw: "}")
        return json.bytes
    }

    private func append(
        _ keys: [Int64], _ columns: [ColumnDefinition], of definition: TableDefinition,
        in view: View, to json: inout JSONBytes
    ) {
        // A view of its own, which is gone with this answer: a version keeps all that was read.
        let source = (view.rows as? Snapshot)?.renewed() ?? view.rows
        let table = source.table(definition.id)
        var encoder = CellEncoder(source, .grid)
        let marks = rowMarks()
        for (index, key) in keys.enumerated() {
            guard let place = table.locate(RowKey(rawValue: key)) else { continue }
            if index > 0 { json.append(raw: ",") }
            // A text: row keys have 64 bits, and numbers of JavaScript 53.
            json.append(raw: "{\"key\":\"")
            json.append(key)
            json.append(raw: "\"")
            if let mark = marks[RowName(className: definition.name, key: key)] {
                json.append(raw: ",\"state\":")
                json.append(quoted: mark.kind)
                json.append(raw: ",\"changed\":[")
                for (number, name) in mark.properties.enumerated() {
                    if number > 0 { json.append(raw: ",") }
                    json.append(quoted: name)
                }
                json.append(raw: "]")
            }
            json.append(raw: ",\"cells\":[")
            for (number, column) in columns.enumerated() {
                if number > 0 { json.append(raw: ",") }
                encoder.append(column, place.cluster, place.row, of: definition.id, to: &json)
            }
            json.append(raw: "]}")
        }
    }

    /// The plan of a query, which it is run for.
    func explain(_ className: String, _ text: String) throws -> [UInt8] {
        struct Answer: Encodable {
            let plan: QueryPlan
            let seconds: Double
        }
        let begin = ContinuousClock.now
        let view = try view()
        let definition = try table(className, in: view)
        if definition.isOwned {
            throw RequestError(400, "Embedded objects are found through their owners.")
        }
        let plan = try query(text, of: className, in: view).plan(running: true)
        return try Reply.encoded(
            Answer(plan: plan, seconds: (ContinuousClock.now - begin).seconds))
    }

    // MARK: Finding

    /// The most frequent values of a property that begin with a text, of the first rows.
    func values(_ className: String, _ property: String, prefix: String) throws -> [UInt8] {
        struct Answer: Encodable { let values: [String] }
        let view = try view()
        let definition = try table(className, in: view)
        guard let column = definition[property], column.collection == nil else {
            return try Reply.encoded(Answer(values: []))
        }
        let source = (view.rows as? Snapshot)?.renewed() ?? view.rows
        let rows = source.table(definition.id)
        var counts: [String: Int] = [:]
        var remaining = 20_000
        scan: for index in 0..<rows.clusterCount {
            let cluster = rows.cluster(at: index)
            for row in 0..<cluster.count where !cluster.columns[column.id.position].isNull(at: row)
            {
                remaining -= 1
                if remaining < 0 { break scan }
                switch column.type {
                case .text:
                    let text = rows.withBytes(cluster, column.id, row) { bytes in
                        bytes.count > 60 ? nil : String(decoding: bytes, as: UTF8.self)
                    }
                    guard let text, text.lowercased().hasPrefix(prefix.lowercased()) else {
                        continue
                    }
                    counts[text, default: 0] += 1
                case .integer:
                    let text = "\(cluster.columns[column.id.position].integer(at: row))"
                    if text.hasPrefix(prefix) { counts[text, default: 0] += 1 }
                default: break scan
                }
                if counts.count > 2_000 { break scan }
            }
        }
        let best = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(12)
        return try Reply.encoded(Answer(values: best.map(\.key)))
    }

    /// Objects whose names begin with a text, or whose keys are it, as links.
    ///
    /// - Parameter className: The class; nil for all.
    func find(_ text: String, in className: String?) throws -> [UInt8] {
        let view = try view()
        let tables =
            try className.map { [try table($0, in: view)] }
            ?? view.catalog.classTables.filter { !$0.isOwned }
        let limit = className == nil ? 5 : 30
        var encoder = CellEncoder(view.rows, .grid)
        var json = JSONBytes()
        json.append(raw: "{\"rows\":[")
        var isFirst = true
        for definition in tables where !definition.isOwned {
            for key in try keys(of: definition, named: text, limit, in: view) {
                if !isFirst { json.append(raw: ",") }
                isFirst = false
                encoder.append(link: LinkTarget(table: definition.id, key: key), to: &json)
            }
        }
        json.append(raw: "]}")
        return json.bytes
    }

    private func keys(
        of definition: TableDefinition, named text: String, _ limit: Int, in view: View
    ) throws -> [Int64] {
        let rows = view.rows.table(definition.id)
        if text.isEmpty {
            return (0..<min(limit, rows.count)).compactMap { position in
                rows.locate(position: position).map { $0.cluster.key(at: $0.row).rawValue }
            }
        }
        let engine = ScanEngine(source: view.rows)
        var found: [Int64] = []
        if let key = Int64(text) {
            if let column = definition.primaryKey.flatMap({ definition[$0] }),
                column.type == .integer
            {
                found += try engine.keys(
                    .compare(ScanPath(column: column.id), .equal, .integer(key)), in: rows,
                    limit: limit)
            } else if rows.contains(RowKey(rawValue: key)) {
                found.append(key)
            }
        }
        if let column = definition.titleColumn, column.type == .text,
            let predicate = try query(
                "\(column.name) BEGINSWITH[c] \(Self.literal(text))", of: definition.name, in: view
            ).results.scanPredicate
        {
            found += try engine.keys(predicate, in: rows, limit: limit)
        }
        return Array(found.prefix(limit))
    }

    /// A text as a literal of the predicate language.
    static func literal(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

/// The rows that a page shows, by position: those of a query, or of a class that queries do not
/// reach.
struct RowSet {
    private let query: StoredQuery?
    private let long: LongResults?
    private let table: TableView

    init(
        _ file: isolated StudioFile, _ text: String, of definition: TableDefinition,
        in view: StudioFile.View
    ) throws {
        table = view.rows.table(definition.id)
        if definition.isOwned {
            if !text.isEmpty {
                throw RequestError(400, "Embedded objects are found through their owners.")
            }
            (query, long) = (nil, nil)
        } else {
            long = try file.longResults(text, of: definition.name, in: view)
            query = long == nil ? try file.query(text, of: definition.name, in: view) : nil
        }
    }

    var count: Int { long?.count ?? query?.count ?? table.count }

    func keys(at positions: Range<Int>) throws -> [Int64] {
        if let long { return try long.keys(at: positions) }
        if let query { return query.results.rowKeys(at: positions) }
        return positions.compactMap { position in
            table.locate(position: position).map { $0.cluster.key(at: $0.row).rawValue }
        }
    }

    func position(of key: Int64) throws -> Int? {
        if let long { return try long.position(ofRow: key) }
        if let query { return query.results.position(ofRow: key) }
        return table.contains(RowKey(rawValue: key)) ? table.position(ofRow: key) : nil
    }
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
