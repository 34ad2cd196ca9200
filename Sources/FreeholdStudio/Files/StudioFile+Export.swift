import FlyingFox
import Foundation
import Freehold
import FreeholdInspection
import FreeholdStorage

extension StudioFile {
    /// What a query finds, as a download. Reads the file, not the draft; in constant memory
    /// wherever queries are.
    nonisolated func export(_ parameters: Parameters) async throws -> HTTPResponse {
        let name = parameters["class"] ?? ""
        let text = parameters["query"] ?? ""
        let key = parameters["key"].flatMap { Int64($0) }
        // Mistakes are answered before the download begins.
        let definition = try await checked(name, text)
        let inspected = inspected
        switch parameters["format"] {
        case "json":
            let chunks = Chunks.made { chunks in
                Self.write(inspected, name, text, key, definition, to: chunks) { row, encoder in
                    var json = JSONBytes()
                    encoder.append(row.cluster, row.row, of: row.table.id, to: &json)
                    return json.bytes + [0x0A]
                }
            }
            return Reply.stream(
                "application/x-ndjson; charset=utf-8", chunks, name: "\(name).jsonl")
        case "csv":
            let columns = definition.columns
            let chunks = Chunks.made { chunks in
                guard chunks.send(Self.csvHeader(columns)) else { return }
                Self.write(inspected, name, text, key, definition, to: chunks) { row, encoder in
                    var line: [UInt8] = []
                    for (index, column) in columns.enumerated() {
                        if index > 0 { line.append(UInt8(ascii: ",")) }
                        CellText.append(csv: CellText.cell(column, row, &encoder), to: &line)
                    }
                    return line + [0x0D, 0x0A]
                }
            }
            return Reply.stream("text/csv; charset=utf-8", chunks, name: "\(name).csv")
        case "swift":
            let chunks = Chunks()
            _ = chunks.post(Array(try await swift(name, text).utf8))
            chunks.finish()
            return Reply.stream("text/x-swift; charset=utf-8", chunks, name: "\(name).swift")
        default: throw RequestError.missing("format")
        }
    }

    private func checked(_ className: String, _ text: String) throws -> TableDefinition {
        let view = try view()
        let definition = try table(className, in: view)
        if !definition.isOwned { _ = try query(text, of: className, in: view) }
        return definition
    }

    private static func csvHeader(_ columns: [ColumnDefinition]) -> [UInt8] {
        var line: [UInt8] = []
        for (index, column) in columns.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            CellText.append(csv: CellText.Cell(text: column.name, isNull: false), to: &line)
        }
        return line + [0x0D, 0x0A]
    }

    /// Writes the rows in chunks of about 64 KB until the reader has gone.
    private static func write(
        _ inspected: InspectedFile, _ name: String, _ text: String, _ key: Int64?,
        _ definition: TableDefinition, to chunks: Chunks,
        _ line: (RowWalk.Row, inout RowEncoder) -> [UInt8]
    ) {
        var waiting: [UInt8] = []
        func take(_ row: RowWalk.Row, _ encoder: inout RowEncoder) -> Bool {
            waiting += line(row, &encoder)
            if waiting.count < 64 << 10 { return true }
            defer { waiting = [] }
            return chunks.send(waiting)
        }
        do {
            let options = RowEncoder.Options()
            if let key {
                let walk = RowWalk(try inspected.snapshot(), definition.id, options: options)
                try walk.forEach(keys: [key], take)
            } else if definition.isOwned {
                let walk = RowWalk(try inspected.snapshot(), definition.id, options: options)
                try walk.forEach(.all, take)
            } else {
                try StoredQuery(text, of: name, in: inspected.realm()).forEach(
                    options: options, take)
            }
        } catch {
            waiting += Array("\(error)\n".utf8)
        }
        if !waiting.isEmpty { _ = chunks.send(waiting) }
    }

    /// The model class with those that it leads to, and the query as code.
    private func swift(_ className: String, _ text: String) throws -> String {
        let view = try view()
        let described = SchemaDescription(view.realm.storedSnapshot, counts: false)
        var wanted: Set<String> = []
        var work = [className]
        while let name = work.popLast() {
            guard wanted.insert(name).inserted, let found = described[name] else { continue }
            work += found.properties.compactMap(\.target)
        }
        let schema = SchemaDescription(
            schemaVersion: described.schemaVersion,
            classes: described.classes.filter { wanted.contains($0.name) })
        let hashes = text.contains("\"") || text.contains("\\") ? "#" : ""
        let query =
            text.isEmpty
            ? "let found = realm.objects(\(className).self)"
            : """
            let found = realm.objects(\(className).self)
                .filter(\(hashes)"\(text.replacing("\n", with: " "))"\(hashes))
            """
        return SwiftModels.text(schema, file: path) + "\n\n// The query:\n// "
            + query.replacing("\n", with: "\n// ") + "\n"
    }
}
