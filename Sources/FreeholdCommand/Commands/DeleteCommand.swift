import ArgumentParser
import FreeholdInspection
import FreeholdStorage

struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes objects, after a question.",
        discussion: """
            Examples:
              freehold delete shop.realm Customer 4711 4712
              freehold delete shop.realm Order --where 'date < 2020' --yes

            The objects are shown before the question. One transaction; the file may be in use. \
            Embedded objects go with their owners, and links to deleted objects become null. \
            Delete rules of the program's classes are not in the file, and are not followed.

            Exits with 1 if there is no such object, or the answer is no.
            """)

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @Argument(help: ArgumentHelp("The class.", valueName: "class"))
    var className: String

    @Argument(help: ArgumentHelp("The primary keys.", valueName: "key"))
    var names: [String] = []

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp("Delete all objects of a condition.", valueName: "query"))
    var query: String?

    @Flag(name: [.long, .short], help: "Do not ask.")
    var yes = false

    @OptionGroup var key: KeyOption
    @OptionGroup var options: OutputOptions

    func validate() throws {
        if names.isEmpty == (query == nil) {
            throw ValidationError("Give either primary keys or --where QUERY.")
        }
    }

    func run() throws {
        let file = try InspectedFile(path: path, key: try key.data(), isWritable: true)
        let chosen = ChosenObjects(file: file, className: className)
        let keys = try chosen.keys(names, where: query)
        let output = Output(options, isPaged: false)
        let snapshot = try file.snapshot()
        let table = try snapshot.catalog.inspected(className)
        if table.isOwned {
            throw InspectionError(
                "\(className) is embedded: its objects go with their owners.",
                remedy: "Set the owner's property to null, or delete the owner.")
        }
        let chosenKeys = Set(keys).sorted()
        try show(chosenKeys, table, snapshot, output)
        try output.flush()
        var count = 0
        if !chosenKeys.isEmpty {
            // Before the transaction, which would keep others from writing until the answer.
            if !yes { try ChosenObjects.confirm("Delete \(counted(chosenKeys.count, "object"))?") }
            let writeSet = try file.store.beginCommandWrite()
            do {
                let rows = writeSet.table(try writeSet.catalog.inspected(className).id)
                // Another process may have deleted some since they were looked up.
                let found = chosenKeys.filter { rows.contains(RowKey(rawValue: $0)) }
                try writeSet.deleteRows(found, of: table.id)
                count = found.count
            } catch {
                file.store.cancel(writeSet)
                throw error
            }
            _ = try file.store.commit(writeSet)
        }
        if !options.json { try output.line("\(counted(count, "object")) deleted") }
        try output.finish()
    }

    private func show(
        _ keys: [Int64], _ table: TableDefinition, _ source: TableSource, _ output: Output
    ) throws {
        let printer = ChangePrinter(output: output, options: options)
        var encoder = RowEncoder(source)
        // People do not read more before they answer.
        let shown = options.json ? keys[...] : keys.prefix(20)
        for key in shown {
            guard let place = source.table(table.id).locate(RowKey(rawValue: key)) else {
                continue
            }
            var json = JSONBytes()
            encoder.append(place.cluster, place.row, of: table.id, to: &json)
            try printer.removed(
                table.name, table.identity(place.cluster, place.row, &encoder), json.bytes)
        }
        if keys.count > shown.count {
            try output.line("  and \(grouped(keys.count - shown.count)) more")
        }
    }
}
