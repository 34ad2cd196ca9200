import ArgumentParser
import FreeholdInspection

struct CountCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Counts the objects of classes, or those of a condition.",
        discussion: """
            Examples:
              freehold count shop.realm
              freehold count shop.realm Customer
              freehold count shop.realm Customer 'age > 30'
            """)

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @Argument(help: ArgumentHelp("The class; all without one.", valueName: "class"))
    var className: String?

    @Argument(help: ArgumentHelp("The condition.", valueName: "query"))
    var query: String = ""

    @OptionGroup var key: KeyOption
    @OptionGroup var options: OutputOptions

    private struct Count: Encodable {
        var name: String
        var count: Int
    }

    func run() throws {
        let file = try InspectedFile(path: path, key: try key.data())
        let output = Output(options)
        var counts: [Count]
        if let className {
            let found = try StoredQuery(query, of: className, in: file.realm())
            counts = [Count(name: className, count: found.count)]
        } else {
            counts = SchemaDescription(try file.snapshot()).classes.map {
                Count(name: $0.name, count: $0.count ?? 0)
            }
        }
        if options.json {
            for count in counts { try output.json(count) }
        } else if className != nil {
            try output.line(grouped(counts[0].count))
        } else {
            var table = TextTable(
                [.init(title: "class"), .init(title: "objects", isRight: true)], output, options)
            for count in counts { try table.add([count.name, grouped(count.count)]) }
            try table.finish()
        }
        try output.finish()
    }
}
