import ArgumentParser
import Foundation
import Freehold
import FreeholdInspection
import FreeholdStorage

struct DumpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump", abstract: "Writes objects as JSON Lines or CSV.",
        discussion: """
            Examples:
              freehold dump shop.realm > shop.jsonl
              freehold dump shop.realm | freehold load - copy.realm
              freehold dump shop.realm Customer 'age > 30' > customers.jsonl
              freehold dump shop.realm Customer --csv > customers.csv

            Without a class, the dump has everything: its first line is the schema, each other \
            one an object. Loaded into a new file it gives an equal one, which freehold diff \
            confirms. Docs/Command.md documents the form. Memory does not grow with the number of \
            objects.
            """)

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @Argument(help: ArgumentHelp("The class; all without one.", valueName: "class"))
    var className: String?

    @Argument(help: ArgumentHelp("The condition.", valueName: "query"))
    var query: String = ""

    @Flag(help: "Write CSV: a line for each object. Needs a class.")
    var csv = false

    @Flag(help: "JSON Lines, which is what is written without --csv.")
    var json = false

    @OptionGroup var key: KeyOption

    func validate() throws {
        if csv, className == nil {
            throw ValidationError("CSV has the objects of one class: name it behind the file.")
        }
        if csv, json { throw ValidationError("Give --csv or --json, not both.") }
    }

    func run() throws {
        let file = try InspectedFile(path: path, key: try key.data())
        var options = OutputOptions()
        options.json = true
        options.hasNoColor = true
        options.hasNoPager = true
        let output = Output(options)
        if let className {
            try dump(className, file, output)
        } else {
            try dumpAll(try file.snapshot(), output)
        }
        try output.finish()
    }

    private var encoding: RowEncoder.Options {
        var encoding = RowEncoder.Options()
        encoding.includesClass = true
        encoding.includesKey = true
        encoding.links = .both
        return encoding
    }

    private func dumpAll(_ snapshot: Snapshot, _ output: Output) throws {
        let schema = SchemaDescription(snapshot)
        try output.line(DumpHeader(version: snapshot.version, schema: schema).line)
        let tables = snapshot.catalog.classTables.filter { !$0.isOwned }
        let total = tables.reduce(0) { $0 + snapshot.table($1.id).count }
        // Beside the output on a terminal, and that of the next command of a pipe, a progress line
        // would only disturb.
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/1")
        let line = ProgressLine(
            isOn: !Terminal.isTerminal(1) && target?.hasPrefix("pipe:") != true)
        var done = 0
        var json = JSONBytes()
        for table in tables {
            try RowWalk(snapshot, table.id, options: encoding).forEach { row, encoder in
                json.removeAll()
                encoder.append(row.cluster, row.row, of: table.id, to: &json)
                try output.line(json)
                done += 1
                if done & 0xFF == 0 {
                    line.show(
                        part: Double(done) / Double(max(total, 1)), counted(done, "object"))
                }
                return true
            }
        }
        line.clear()
    }

    private func dump(_ className: String, _ file: InspectedFile, _ output: Output) throws {
        let realm = try file.realm()
        let found = try StoredQuery(query, of: className, in: realm)
        let snapshot = realm.storedSnapshot
        let definition = try snapshot.catalog.inspected(className)
        if csv {
            // A line without any character would be no record.
            let keys = definition.columns.count == 1
            try output.line(
                CSVText.header((keys ? ["$key"] : []) + definition.columns.map(\.name)))
            var line: [UInt8] = []
            return try found.forEach(options: RowEncoder.Options()) { row, encoder in
                line.removeAll(keepingCapacity: true)
                if keys { line.append(contentsOf: String(row.key).utf8) }
                CSVText.append(row, definition.columns, &encoder, isFirst: !keys, to: &line)
                try output.line(line)
                return true
            }
        }
        try output.line(
            DumpHeader(
                version: snapshot.version, schema: SchemaDescription(snapshot, counts: false)
            ).line)
        var json = JSONBytes()
        try found.forEach(options: encoding) { row, encoder in
            json.removeAll()
            encoder.append(row.cluster, row.row, of: definition.id, to: &json)
            try output.line(json)
            return true
        }
    }
}
