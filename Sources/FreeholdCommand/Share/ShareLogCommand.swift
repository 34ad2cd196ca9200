import ArgumentParser
import Foundation
import Freehold
import FreeholdPostgres
import FreeholdSharing

struct ShareLogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Shows the commits of a shared realm.",
        discussion: """
            Examples:
              freehold share log postgresql://app@localhost/app orders --last 20
              freehold share log postgresql://app@localhost/app orders --after 1200 --json

            Each commit has its number, who pushed it, and what it does to which objects. The \
            oldest comes first.
            """)

    @OptionGroup var server: ServerArgument

    @Argument(help: ArgumentHelp("The realm.", valueName: "realm"))
    var name: String

    @Option(help: ArgumentHelp("Only the commits after this one.", valueName: "number"))
    var after: Int64 = 0

    @Option(help: ArgumentHelp("Only the last commits.", valueName: "number"))
    var last: Int64?

    @OptionGroup var options: OutputOptions

    func validate() throws {
        if let last, last < 1 { throw ValidationError("--last must be at least 1.") }
    }

    private static let batch = 1000

    private struct Entry: Encodable {
        var sequence: Int64
        var date: String
        var client: String
        var clientName: String?
        var clientSequence: Int64
        var author: String?
        var byteCount: Int
        var changes: [SharedChange]?
    }

    func run() throws {
        let (upstream, name) = (server.upstream, name)
        var start = after
        if let last {
            let realm = try waiting {
                try await upstream.realms().first { RealmName.areEqual($0.name, name) }
            }
            guard let realm else { throw unknown }
            start = max(start, realm.head - last)
        }
        let output = Output(options)
        var count = 0
        while true {
            let entries = try waiting { [start] in
                try await upstream.log(of: name, after: start, count: Self.batch)
            }
            for entry in entries { try show(entry, output) }
            count += entries.count
            guard let newest = entries.last, entries.count == Self.batch else { break }
            start = newest.commit.sequence
        }
        if count == 0, last == nil,
            try waiting({
                try await !upstream.realms().contains { RealmName.areEqual($0.name, name) }
            })
        {
            throw unknown
        }
        if !options.json { try output.line(options.style.dim(counted(count, "commit"))) }
        try output.finish()
    }

    private var unknown: SharingError {
        SharingError(
            .unknownRealm, "The server has no realm \"\(name)\" that this user may read.",
            remedy: "freehold share status URL lists those that are there.")
    }

    private func show(_ entry: PostgresUpstream.LogEntry, _ output: Output) throws {
        let commit = entry.commit
        let contents = SharedCommitDescription(commit)
        if options.json {
            return try output.json(
                Entry(
                    sequence: commit.sequence, date: entry.date.formatted(.iso8601),
                    client: commit.client.uuidString, clientName: entry.clientName,
                    clientSequence: commit.clientSequence, author: contents?.author,
                    byteCount: commit.payload.count, changes: contents?.changes))
        }
        let style = options.style
        let author = contents?.author.map { "  by \(TextTable.visible($0))" } ?? ""
        try output.line(
            style.bold("\(grouped(Int(commit.sequence)))  \(entry.date.formatted(.iso8601))")
                + author
                + style.dim(
                    """
                      \(TextTable.visible(entry.clientName ?? commit.client.uuidString)), \
                    \(bytesText(commit.payload.count))
                    """))
        guard let contents else {
            return try output.line(style.red("  cannot be read: format \(commit.format)"))
        }
        for change in contents.changes {
            let name = TextTable.visible("\(change.className) \(change.primaryKey)")
            let values = change.values.sorted { $0.key < $1.key }
                .map { TextTable.visible("\($0.key) \($0.value)") }.joined(separator: ", ")
            let line =
                switch change.kind {
                case .inserted: style.green("  + \(name)")
                case .deleted: style.red("  - \(name)")
                case .updated: style.yellow("  ~ \(name)")
                }
            try output.line(values.isEmpty ? line : line + style.dim("  \(values)"))
        }
    }
}
