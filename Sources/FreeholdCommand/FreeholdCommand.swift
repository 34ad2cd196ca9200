import ArgumentParser

/// Maintains files of realms. It knows no model classes: a file describes its own content.
@main
struct FreeholdCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freehold",
        abstract: """
            Checks realm files, saves what is left of damaged ones, and changes the keys \
            of encrypted ones.
            """, subcommands: [CheckCommand.self, SalvageCommand.self, RekeyCommand.self, StudioCommand.self])
}

extension ExitCode {
    /// The file was read, and is damaged.
    static let damaged = ExitCode(1)
    /// The command could not be carried out.
    static let failed = ExitCode(2)
}
