import ArgumentParser
import FreeholdInspection
import FreeholdStorage

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows one object, and the objects that link to it.",
        discussion: """
            Examples:
              freehold show shop.realm Customer 4711
              freehold show shop.realm Product "A-100" --json

            The key is the primary key, or the key of the row in a class without one (freehold \
            query shows it). Exits with 1 if there is no such object.
            """)

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @Argument(help: ArgumentHelp("The class.", valueName: "class"))
    var className: String

    @Argument(help: ArgumentHelp("The primary key.", valueName: "key"))
    var objectKey: String

    @OptionGroup var key: KeyOption
    @OptionGroup var options: OutputOptions

    func run() throws {
        let file = try InspectedFile(path: path, key: try key.data())
        let snapshot = try file.snapshot()
        let definition = try snapshot.catalog.inspected(className)
        guard let rowKey = try definition.key(objectKey, in: snapshot),
            let place = snapshot.table(definition.id).locate(RowKey(rawValue: rowKey))
        else {
            printError("\(className) has no object '\(objectKey)'.")
            throw ExitCode.no
        }
        let output = Output(options)
        var encoding = RowEncoder.Options()
        encoding.includesClass = true
        encoding.includesKey = true
        var encoder = RowEncoder(snapshot, options: encoding)
        if options.json {
            var json = JSONBytes()
            encoder.append(place.cluster, place.row, of: definition.id, to: &json)
            try output.line(json)
            return try output.finish()
        }
        let style = options.style
        let title = definition.identity(place.cluster, place.row, &encoder)
        let suffix =
            definition.usesPrimaryKeyAsRowKey || definition.primaryKey == nil
            ? "" : style.dim("  row \(rowKey)")
        try output.line(style.bold(className) + " " + style.cyan(title) + suffix)
        let row = RowWalk.Row(
            table: snapshot.table(definition.id), cluster: place.cluster, row: place.row)
        let width = definition.columns.map { TextTable.width(of: $0.name) }.max() ?? 0
        for column in definition.columns {
            let cell = CellText.cell(column, row, &encoder)
            let padding = String(repeating: " ", count: width - TextTable.width(of: column.name))
            let text =
                cell.isNull
                ? style.dim("null") : cell.text.isEmpty ? style.dim("\"\"") : cell.text
            try output.line("  \(style.dim(column.name))\(padding)  \(text)")
        }
        try describeLinks(snapshot, LinkTarget(table: definition.id, key: rowKey), output)
        try output.finish()
    }

    private func describeLinks(_ snapshot: Snapshot, _ target: LinkTarget, _ output: Output) throws
    {
        var encoder = RowEncoder(snapshot)
        for links in try snapshot.incomingLinks(to: target) {
            let rows = snapshot.table(links.table)
            let shown = links.keys.prefix(10).compactMap { key in
                rows.locate(RowKey(rawValue: key)).map {
                    rows.definition.identity($0.cluster, $0.row, &encoder)
                }
            }
            let more = links.keys.count > 10 ? ", and \(grouped(links.keys.count - 10)) more" : ""
            try output.line(
                options.style.dim("← \(links.className).\(links.property)  ")
                    + shown.joined(separator: ", ") + more)
        }
    }
}
