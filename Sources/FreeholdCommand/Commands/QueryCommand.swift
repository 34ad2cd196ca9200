import ArgumentParser
import Foundation
import Freehold
import FreeholdInspection
import FreeholdStorage

struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Shows the objects that satisfy a condition.",
        discussion: """
            Examples:
              freehold query shop.realm Customer
              freehold query shop.realm Person 'name LIKE "A*" SORT(age DESC) LIMIT(9)'
              freehold query shop.realm Order 'ANY items.price > 9' --columns id,total
              freehold query shop.realm Order 'customer.name == "Ann"' --json | jq .total
              freehold query shop.realm Customer --csv > customers.csv

            The conditions are those of Realm's string predicates, with SORT, DISTINCT and LIMIT \
            behind them. Rows are printed as they are found; without SORT, DISTINCT and LIMIT the \
            memory does not grow with their number.
            """)

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @Argument(help: ArgumentHelp("The class.", valueName: "class"))
    var className: String

    @Argument(help: ArgumentHelp("The condition; all objects without one.", valueName: "query"))
    var query: String = ""

    @Option(help: ArgumentHelp("The properties to show: name,age.", valueName: "names"))
    var columns: String?

    @Option(help: ArgumentHelp("Stop after this many objects.", valueName: "number"))
    var limit: Int?

    @Flag(help: "Show the keys of the rows, too.")
    var keys = false

    @Flag(help: "Write CSV.")
    var csv = false

    @OptionGroup var key: KeyOption
    @OptionGroup var options: OutputOptions

    func validate() throws {
        if csv, options.json { throw ValidationError("Give --csv or --json, not both.") }
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    }

    func run() throws {
        let file = try InspectedFile(path: path, key: try key.data())
        let realm = try file.realm()
        let found = try StoredQuery(query, of: className, in: realm)
        let definition = try realm.storedSnapshot.catalog.inspected(className)
        let shown = try Self.columns(columns, of: definition)
        let output = Output(options)
        if options.json {
            var encoding = RowEncoder.Options()
            encoding.properties = columns == nil ? nil : shown.map(\.name)
            encoding.includesKey = keys || definition.primaryKey == nil
            var json = JSONBytes()
            try forEach(found, encoding) { row, encoder in
                json.removeAll()
                encoder.append(row.cluster, row.row, of: found.table, to: &json)
                try output.line(json)
            }
        } else if csv {
            try writeCSV(found, shown, output)
        } else {
            try writeTable(found, shown, definition, output)
        }
        try output.finish()
    }

    private func forEach(
        _ query: StoredQuery, _ encoding: RowEncoder.Options = RowEncoder.Options(),
        _ body: (RowWalk.Row, inout RowEncoder) throws -> Void
    ) throws {
        var rest = limit ?? .max
        if rest == 0 { return }
        try query.forEach(options: encoding) { row, encoder in
            try body(row, &encoder)
            rest -= 1
            return rest > 0
        }
    }

    static func columns(_ names: String?, of definition: TableDefinition) throws
        -> [ColumnDefinition]
    {
        guard let names else { return definition.columns }
        return try names.split(separator: ",").map {
            try definition.inspected(property: $0.trimmingCharacters(in: .whitespaces))
        }
    }

    private func writeCSV(_ query: StoredQuery, _ shown: [ColumnDefinition], _ output: Output)
        throws
    {
        // A line without any character would be no record.
        let keys = keys || shown.count == 1
        try output.line(CSVText.header((keys ? ["$key"] : []) + shown.map(\.name)))
        var line: [UInt8] = []
        try forEach(query) { row, encoder in
            line.removeAll(keepingCapacity: true)
            if keys { line.append(contentsOf: String(row.key).utf8) }
            CSVText.append(row, shown, &encoder, isFirst: !keys, to: &line)
            try output.line(line)
        }
    }

    private func writeTable(
        _ query: StoredQuery, _ shown: [ColumnDefinition], _ definition: TableDefinition,
        _ output: Output
    ) throws {
        let showsKeys = keys || definition.primaryKey == nil && columns == nil
        let titles =
            (showsKeys ? [TextTable.Column(title: "row", isRight: true)] : [])
            + shown.map {
                TextTable.Column(
                    title: $0.name, isRight: $0.collection == nil && $0.type.isNumber)
            }
        var table = TextTable(titles, output, options)
        var count = 0
        let begin = ContinuousClock.now
        try forEach(query) { row, encoder in
            var cells = showsKeys ? [TextTable.Cell(String(row.key), .dim)] : []
            for column in shown {
                let cell = CellText.cell(column, row, &encoder)
                // A cell of a terminal shows no more.
                let text = cell.text.utf8.count > 4096 ? String(cell.text.prefix(1024)) : cell.text
                cells.append(cell.isNull ? .init("null", .dim) : .init(text))
            }
            try table.add(cells)
            count += 1
        }
        try table.finish()
        let time = durationText(begin.duration(to: .now))
        try output.line(options.style.dim("\(counted(count, "object")) in \(time)"))
    }
}

/// Lines of CSV.
enum CSVText {
    static func header(_ names: [String]) -> [UInt8] {
        var line: [UInt8] = []
        for (index, name) in names.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            CellText.append(csv: CellText.Cell(text: name, isNull: false), to: &line)
        }
        return line
    }

    static func append(
        _ row: RowWalk.Row, _ columns: [ColumnDefinition], _ encoder: inout RowEncoder,
        isFirst: Bool = true, to line: inout [UInt8]
    ) {
        for (index, column) in columns.enumerated() {
            if index > 0 || !isFirst { line.append(UInt8(ascii: ",")) }
            CellText.append(csv: CellText.cell(column, row, &encoder), to: &line)
        }
    }
}
