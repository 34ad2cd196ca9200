import ArgumentParser

/// What Tests/torture runs: each subcommand is one kind of torture, with the number of its rounds and a seed that replays it.
@main
struct Torture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Tortures realms, and says what they lost.", subcommands: [
        PowerCommand.self, PowerScriptCommand.self, PowerVerifyCommand.self, FaultsCommand.self, FaultsRunCommand.self,
        PowerCutCommand.self, PowerCutWriterCommand.self, FullDiskCommand.self,
    ])
}
