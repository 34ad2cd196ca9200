import ArgumentParser

/// Looks after files of realms. Knows nothing of the classes that a program declares: a file
/// says by itself what is in it.
@main
struct FreeholdCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freehold",
        abstract:
            """
            Checks realm files, saves what is left of damaged ones, and changes the keys \
            of encrypted ones.
            """,
        subcommands: [CheckCommand.self, SalvageCommand.self, RekeyCommand.self])
}

extension ExitCode {
    /// The file was read, and something is wrong with it.
    static let damaged = ExitCode(1)
    /// What was asked for could not be done.
    static let failed = ExitCode(2)
}
