import ArgumentParser
import FreeholdPostgres
import FreeholdSharing

struct ShareInitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Makes the server's tables, and realms.",
        discussion: """
            Examples:
              freehold share init postgresql://owner@localhost/app
              freehold share init postgresql://owner@localhost/app orders --grant app

            Needs a user who may make a schema, and who then owns the tables. Tables that are \
            there already stay as they are.

            A name is of 1 to 1,024 bytes of UTF-8. Exits with 2 if there is a realm of the name, \
            or if none can have it.
            """)

    @OptionGroup var server: ServerArgument

    @Argument(help: ArgumentHelp("The realm to make.", valueName: "realm"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Let a role read and write the realm, or all realms without one.", valueName: "role"))
    var grant: [String] = []

    @Option(
        help: ArgumentHelp(
            "Let a role read the realm, or all realms without one.", valueName: "role"))
    var grantReading: [String] = []

    @OptionGroup var options: OutputOptions

    private struct Answer: Encodable {
        var server: String
        var realm: String?
        var writers: [String]
        var readers: [String]
    }

    func run() throws {
        let (upstream, name) = (server.upstream, name)
        let (writers, readers) = (grant, grantReading)
        // Before anything is made.
        if let name { try RealmName.check(name) }
        try waiting {
            try await upstream.prepare()
            if let name {
                do {
                    try await upstream.create(name)
                } catch let error as SharingError
                    where error.code == .nameTaken && !(readers + writers).isEmpty
                {
                    // Grants for a realm that is there.
                }
            }
            for role in readers { try await upstream.grant(name, to: role, canWrite: false) }
            for role in writers { try await upstream.grant(name, to: role, canWrite: true) }
        }
        let output = Output(options)
        if options.json {
            try output.json(
                Answer(
                    server: "\(upstream)", realm: name, writers: writers, readers: readers))
        } else if let name {
            try output.line("The realm '\(name)' is there.")
        } else {
            try output.line("The tables are there.")
        }
        try output.finish()
    }
}
