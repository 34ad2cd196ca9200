import ArgumentParser

/// The command line. Without a subcommand it updates the index.
@main
struct PackageIndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "PackageIndex",
        abstract:
            "Keeps this machine's Debian package index in a realm, and answers questions about it.",
        subcommands: [
            UpdateCommand.self, LargestCommand.self, MaintainersCommand.self, SectionsCommand.self,
            SearchCommand.self, ShowCommand.self, NeededCommand.self, PathCommand.self,
            WatchCommand.self, CheckCommand.self,
        ],
        defaultSubcommand: UpdateCommand.self
    )
}

/// The options of every subcommand.
struct CommonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The file the realm is in.", valueName: "path"))
    var realm = IndexRealm.defaultPath

    @Flag(help: "Print JSON instead of text.")
    var json = false
}

/// The option of subcommands that print the beginning of a list.
struct LengthOption: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp("How many to print.", valueName: "number"))
    var limit = 10

    func validate() throws {
        guard limit >= 0 else { throw ValidationError("--limit cannot be negative.") }
    }
}
