import ArgumentParser
import Foundation
import FreeholdImport
import FreeholdInspection
import FreeholdStorage

struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Changes properties of objects, after a question.",
        discussion: """
            Examples:
              freehold set shop.realm Customer 4711 name=Ann age=31
              freehold set shop.realm Customer 4711 'tags=["new"]' partner=null
              freehold set shop.realm Order --where 'date < 2020' isArchived=true --yes

            Texts and numbers are written as they are, all else as JSON (Docs/Command.md). The \
            values before and after are shown before the question. One transaction; the file may \
            be in use. Primary keys cannot be changed.

            Exits with 1 if there is no such object, or the answer is no.
            """)

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @Argument(help: ArgumentHelp("The class.", valueName: "class"))
    var className: String

    @Argument(
        help: ArgumentHelp(
            "The primary key, unless --where is given; then name=value.",
            valueName: "key-and-values"
        ))
    var words: [String]

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp("Change all objects of a condition.", valueName: "query"))
    var query: String?

    @Flag(name: [.long, .short], help: "Do not ask.")
    var yes = false

    @OptionGroup var key: KeyOption
    @OptionGroup var options: OutputOptions

    func validate() throws {
        if words.count < (query == nil ? 2 : 1) {
            throw ValidationError(
                query == nil
                    ? "Give the primary key, and at least one name=value."
                    : "Give at least one name=value.")
        }
        for word in assignments where !word.contains("=") {
            throw ValidationError("'\(word)' is not of the form name=value.")
        }
    }

    private var assignments: ArraySlice<String> { query == nil ? words.dropFirst() : words[...] }

    func run() throws {
        let file = try InspectedFile(path: path, key: try key.data(), isWritable: true)
        let chosen = ChosenObjects(file: file, className: className)
        let keys = try chosen.keys([words[0]], where: query)
        // A draft, because a transaction would keep others from writing until the answer.
        let preview = file.store.draft(on: try file.snapshot())
        let (columns, document) = try apply(to: keys, in: preview)
        let output = Output(options, isPaged: false)
        let table = try preview.catalog.inspected(className)
        let before = keys.map { values($0, columns, table, preview.base) }
        let after = keys.map { values($0, columns, table, preview) }
        let count = try show(keys, columns, before, after, table, preview, output)
        try output.flush()
        if count > 0 {
            if !yes { try ChosenObjects.confirm("Change \(counted(count, "object"))?") }
            let writeSet = try file.store.beginCommandWrite()
            do {
                try apply(document, to: keys, in: writeSet)
            } catch {
                file.store.cancel(writeSet)
                throw error
            }
            _ = try file.store.commit(writeSet)
        }
        if !options.json { try output.line("\(counted(count, "object")) changed") }
        try output.finish()
    }

    private func apply(to keys: [Int64], in writeSet: WriteSet) throws -> (
        [ColumnDefinition], JSONDocument
    ) {
        let table = try writeSet.catalog.inspected(className)
        let document = try document(table, writeSet.catalog)
        guard case .object(let members) = document[document.root] else {
            preconditionFailure("The document was made as an object.")
        }
        let columns = try document.members[members].map {
            try table.inspected(property: ValueDecoder.name(document.name(of: $0)))
        }
        try apply(document, to: keys, in: writeSet)
        return (columns, document)
    }

    private func apply(_ document: JSONDocument, to keys: [Int64], in writeSet: WriteSet) throws {
        let table = try writeSet.catalog.inspected(className)
        guard case .object(let members) = document[document.root] else { return }
        let finder = RowWriter(writeSet) { _, _, _ in nil }
        let writer = RowWriter(writeSet) { target, primaryKey, key in
            let found = try primaryKey.map { try finder.row(withPrimaryKey: $0, in: target) } ?? key
            guard let found, writeSet.table(target.id).contains(RowKey(rawValue: found)) else {
                throw InspectionError("\(target.name) has no such object to link to.")
            }
            return found
        }
        for key in keys {
            // Another process may have deleted it since it was looked up.
            guard writeSet.table(table.id).contains(RowKey(rawValue: key)) else { continue }
            try writer.set(members, document, row: key, of: table)
        }
    }

    private func document(_ table: TableDefinition, _ catalog: Catalog) throws -> JSONDocument {
        var json = JSONBytes()
        json.append(UInt8(ascii: "{"))
        for (index, word) in assignments.enumerated() {
            let name = String(word.prefix { $0 != "=" })
            let column = try table.inspected(property: name)
            if column.id == table.primaryKey {
                throw InspectionError(
                    "'\(name)' is the primary key of \(table.name) and cannot be changed.",
                    remedy: "Load an object with another key, and delete this one.")
            }
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.append(quoted: RowEncoder.memberName(name))
            json.append(UInt8(ascii: ":"))
            let text = String(word.dropFirst(name.count + 1))
            // An optional text is null without quotes, and the text "null" with them.
            let isQuoted = text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
            if column.isNullable, text == "null" {
                json.append(raw: "null")
            } else if column.type == .text, isQuoted {
                json.append(ascii: text)
            } else {
                TypedText.append(text, of: column, in: catalog, to: &json)
            }
        }
        json.append(UInt8(ascii: "}"))
        do {
            return try JSONParser.parse(Data(json.bytes))
        } catch {
            throw InspectionError(
                "A value is no JSON: expected \(error.expected), found \(error.found)",
                remedy: "Lists, maps and objects are written as JSON: 'tags=[\"a\",\"b\"]'.")
        }
    }

    private func values(
        _ key: Int64, _ columns: [ColumnDefinition], _ table: TableDefinition,
        _ source: TableSource
    ) -> [[UInt8]] {
        var encoder = RowEncoder(source)
        guard let place = source.table(table.id).locate(RowKey(rawValue: key)) else { return [] }
        return columns.map { column in
            var json = JSONBytes()
            encoder.append(column, place.cluster, place.row, of: table.id, to: &json)
            return json.bytes
        }
    }

    private func show(
        _ keys: [Int64], _ columns: [ColumnDefinition], _ before: [[[UInt8]]],
        _ after: [[[UInt8]]], _ table: TableDefinition, _ source: TableSource, _ output: Output
    ) throws -> Int {
        let printer = ChangePrinter(output: output, options: options)
        var encoder = RowEncoder(source)
        var count = 0
        for (index, key) in keys.enumerated() where before[index] != after[index] {
            guard let place = source.table(table.id).locate(RowKey(rawValue: key)) else { continue }
            count += 1
            let identity = table.identity(place.cluster, place.row, &encoder)
            let properties = zip(columns, zip(before[index], after[index])).compactMap {
                column, values in
                values.0 == values.1 ? nil : (column.name, values.0, values.1)
            }
            try printer.changed(table.name, identity, properties)
        }
        return count
    }
}
