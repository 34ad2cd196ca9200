import ArgumentParser
import Foundation
import FreeholdStorage

/// Looks into files of realms. It knows no model classes: a file describes its own content.
@main
struct FreeholdCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freehold",
        abstract: "Looks into realm files, changes, compares, checks and repairs them.",
        discussion: """
            The file comes first: freehold schema FILE. It may be in use by other processes, and \
            is only read unless a command says that it writes. No model classes are needed.

            The key of an encrypted file comes from a file (--key-file), a descriptor \
            (--key-descriptor) or the keyboard (--ask-key).

            Every command prints for people, and with --json for programs: one JSON value a line.

            Exits with 0 on success; with 1 if the answer is no: files differ, a file is damaged, \
            an object does not exist; with 2 if the command could not be carried out; with 64 if \
            it was called wrongly.
            """,
        subcommands: [],
        groupedSubcommands: [
            CommandGroup(
                name: "Looking",
                subcommands: [
                    SchemaCommand.self, QueryCommand.self, ExplainCommand.self, ShowCommand.self,
                    CountCommand.self, WatchCommand.self, VersionsCommand.self, SpaceCommand.self,
                    DiffCommand.self, HistoryCommand.self, StudioCommand.self,
                ]),
            CommandGroup(
                name: "Moving data", subcommands: [DumpCommand.self, LoadCommand.self]),
            CommandGroup(
                name: "Changing", subcommands: [SetCommand.self, DeleteCommand.self]),
            CommandGroup(
                name: "Keeping files",
                subcommands: [
                    CopyCommand.self, CompactCommand.self, RekeyCommand.self, CheckCommand.self,
                    SalvageCommand.self,
                ]),
            CommandGroup(name: "Sharing", subcommands: [ShareCommand.self]),
        ])

    static func main() {
        Terminal.ignoreBrokenPipes()
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            Failure.exit(error)
        }
    }
}

extension ExitCode {
    /// The file was read, and is damaged.
    static let damaged = ExitCode(1)
    /// The answer is no: files differ, or an object does not exist.
    static let no = ExitCode(1)
    /// The command could not be carried out.
    static let failed = ExitCode(2)
}
