import ArgumentParser

/// What Tests/torture runs: each subcommand is one kind of torture, with the number of its rounds and a seed that replays it.
@main
struct Torture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tortures realms, and says what they lost.",
        subcommands: [
            LimitsCommand.self, LimitsCaseCommand.self, LimitsOpenCommand.self, HistoryCommand.self, HistoryProcessCommand.self, RaceReaderCommand.self,
            SoakCommand.self, SoakWorkerCommand.self, WatchCommand.self, WatchWriterCommand.self,
            WatchListenerCommand.self, PinsCommand.self, PinsReaderCommand.self, SimulateCommand.self,
        ])
}
