import ArgumentParser
import Foundation
import Freehold
import FreeholdInspection
import FreeholdStorage

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Shows the transactions that a file keeps a history of.",
        discussion: """
            Examples:
              freehold history shop.realm
              freehold history shop.realm Order --last 20
              freehold history shop.realm --author import --json
              freehold history shop.realm --after TOKEN --json | jq -r .token

            A file keeps a history if a program opened it with Realm.Configuration.history. The \
            oldest transaction comes first. Old and new values are shown where the history has \
            them.

            Exits with 2 if the file keeps no history, or if what followed the token was deleted.
            """)

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @Argument(help: ArgumentHelp("The classes; all without one.", valueName: "class"))
    var classes: [String] = []

    @Option(help: ArgumentHelp("Only what followed this transaction.", valueName: "token"))
    var after: String?

    @Option(help: ArgumentHelp("Only the transactions of this author.", valueName: "name"))
    var author: String?

    @Option(help: ArgumentHelp("Only the last transactions.", valueName: "number"))
    var last: Int?

    @Flag(help: "Print the token of the newest transaction, and nothing else.")
    var token = false

    @OptionGroup var key: KeyOption
    @OptionGroup var options: OutputOptions

    func validate() throws {
        if let last, last < 1 { throw ValidationError("--last must be at least 1.") }
    }

    func run() throws {
        let file = try InspectedFile(path: path, key: try key.data())
        let realm = try file.realm()
        let output = Output(options)
        if token {
            try output.line("\(try realm.historyToken)")
            return try output.finish()
        }
        var history = try realm.history(after: try start())
        if let author { history = history.by(author) }
        if let last { history = history.suffix(last, where: isShown) }
        let encoder = HistoryEncoder(realm.storedSnapshot.catalog)
        var count = 0
        for transaction in history where isShown(transaction) {
            if options.json {
                try output.line(json(transaction, encoder))
            } else {
                try show(transaction, output)
            }
            count += 1
        }
        if !options.json {
            try output.line(options.style.dim(counted(count, "transaction")))
        }
        try output.finish()
        // Throws if the loop ended at damage.
        _ = try realm.history()
    }

    private func start() throws -> HistoryToken? {
        guard let after else { return nil }
        guard let token = HistoryToken(after) else {
            throw ValidationError(
                "\"\(after)\" is no token: take one that --json or --token printed.")
        }
        return token
    }

    private func isShown(_ transaction: HistoryTransaction) -> Bool {
        classes.isEmpty || transaction.classNames.contains(where: classes.contains)
    }

    private func changes(of transaction: HistoryTransaction) -> some Sequence<HistoryChange> {
        transaction.changes.lazy.filter { classes.isEmpty || classes.contains($0.className) }
    }

    // MARK: For programs

    private func json(_ transaction: HistoryTransaction, _ encoder: HistoryEncoder) -> JSONBytes {
        var json = JSONBytes()
        json.append(raw: "{\"token\":")
        json.append(quoted: "\(transaction.token)")
        if let author = transaction.author {
            json.append(raw: ",\"author\":")
            json.append(quoted: author)
        }
        json.append(raw: ",\"date\":")
        json.append(quoted: transaction.date.formatted(.iso8601))
        json.append(raw: ",\"processName\":")
        json.append(quoted: transaction.processName)
        json.append(raw: ",\"processID\":")
        json.append(Int64(transaction.processIdentifier))
        json.append(raw: ",\"changes\":[")
        for (index, change) in changes(of: transaction).enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            append(change, encoder, to: &json)
        }
        json.append(raw: "]}")
        return json
    }

    private func append(
        _ change: HistoryChange, _ encoder: HistoryEncoder, to json: inout JSONBytes
    ) {
        var (old, new) = (change.oldValues, change.newValues)
        var names: [String]?
        json.append(raw: "{\"change\":")
        switch change.kind {
        case .inserted:
            json.append(raw: "\"added\"")
        case .updated(let properties):
            json.append(raw: "\"changed\"")
            names = properties
        case .deleted(let tombstone):
            json.append(raw: "\"removed\"")
            (old, new) = (tombstone, [:])
        }
        json.append(raw: ",\"class\":")
        json.append(quoted: change.className)
        json.append(raw: ",\"key\":")
        encoder.append(identityOf: change.object, to: &json)
        if let names {
            json.append(raw: ",\"properties\":[")
            for (index, name) in names.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                json.append(quoted: name)
            }
            json.append(UInt8(ascii: "]"))
        }
        if !old.isEmpty {
            json.append(raw: ",\"before\":")
            encoder.append(old, ofClass: change.className, to: &json)
        }
        if !new.isEmpty {
            json.append(raw: ",\"after\":")
            encoder.append(new, ofClass: change.className, to: &json)
        }
        json.append(UInt8(ascii: "}"))
    }

    // MARK: For people

    private func show(_ transaction: HistoryTransaction, _ output: Output) throws {
        let style = options.style
        let author = transaction.author.map { "  by \($0)" } ?? ""
        try output.line(
            style.bold(transaction.date.formatted(.iso8601)) + author
                + style.dim("  \(transaction.processName) \(transaction.processIdentifier)"))
        for change in changes(of: transaction) { try show(change, output) }
    }

    private func show(_ change: HistoryChange, _ output: Output) throws {
        let style = options.style
        let name = TextTable.visible("\(change.object)")
        switch change.kind {
        case .inserted:
            try output.line(style.green("+ \(name)") + values(change.newValues))
        case .deleted(let tombstone):
            try output.line(style.red("- \(name)") + values(tombstone))
        case .updated(let properties):
            try output.line(style.yellow("~ \(name)"))
            let (old, new) = (change.oldValues, change.newValues)
            for property in properties {
                var line = "    \(property)"
                if let before = old[property], let after = new[property] {
                    line += TextTable.visible("  \(before) → \(after)")
                }
                try output.line(line)
            }
        }
    }

    private func values(_ values: [String: HistoryValue]) -> String {
        if values.isEmpty { return "" }
        let texts = values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return options.style.dim(TextTable.visible("  " + texts.joined(separator: ", ")))
    }
}
