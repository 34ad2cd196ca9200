import ArgumentParser
import Freehold
import FreeholdInspection

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Shows how a query is evaluated, and what that takes.",
        discussion: """
            Examples:
              freehold explain shop.realm Customer 'age > 30 AND city == "Bonn"'
              freehold explain shop.realm Order 'ANY items.price > 9 SORT(date)' --no-run

            Each line is a step that works on the rows of the steps below it, with the rows that \
            the planner expects and those that were found.
            """)

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @Argument(help: ArgumentHelp("The class.", valueName: "class"))
    var className: String

    @Argument(help: ArgumentHelp("The condition.", valueName: "query"))
    var query: String = ""

    @Flag(name: .customLong("no-run"), help: "Only plan; find nothing.")
    var isOnlyPlanned = false

    @OptionGroup var key: KeyOption
    @OptionGroup var options: OutputOptions

    func run() throws {
        let file = try InspectedFile(path: path, key: try key.data())
        let realm = try file.realm()
        let found = try StoredQuery(query, of: className, in: realm)
        let output = Output(options)
        let plan = found.plan(running: !isOnlyPlanned)
        if options.json {
            try output.json(plan)
        } else {
            try output.line("\(plan)")
            if !isOnlyPlanned {
                let begin = ContinuousClock.now
                let count = try StoredQuery(query, of: className, in: realm).results.rowKeys.count
                let time = durationText(begin.duration(to: .now))
                try output.line(options.style.dim("\(counted(count, "object")) in \(time)"))
            }
        }
        try output.finish()
    }
}
