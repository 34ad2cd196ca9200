import ArgumentParser
import Foundation
import FreeholdStorage

/// What Tests/torture runs: each subcommand is one kind of torture, with the number of its
/// rounds and a seed that replays it.
@main
struct Torture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tortures realms, and says what they lost.",
        subcommands: [
            KillCommand.self, KillAtCommand.self,
            PowerCommand.self, PowerCutCommand.self, FaultsCommand.self, FullDiskCommand.self,
            FilesCommand.self,
            ModelCommand.self, SimulateCommand.self, MachineCommand.self,
            HistoryCommand.self, WritersCommand.self, PinsCommand.self, PinSoakCommand.self,
            WatchCommand.self, LimitsCommand.self, ProgramsCommand.self, FreshCommand.self,
            SoakCommand.self,
            // Processes of the above.
            KillWriter.self, KillJudge.self, KillScriptRunner.self,
            PowerScriptCommand.self, PowerVerifyCommand.self, PowerCutWriterCommand.self,
            FaultsRunCommand.self,
            FilesWorker.self,
            ModelWorkerCommand.self, ModelPeerCommand.self,
            HistoryProcessCommand.self, WritersProcessCommand.self, RaceReaderCommand.self,
            PinsReaderCommand.self, WatchWriterCommand.self, WatchListenerCommand.self,
            LimitsCaseCommand.self, LimitsOpenCommand.self, SoakWorkerCommand.self,
            MachineProcessCommand.self, MachineJudgeCommand.self,
            PreloadedCallsCommand.self, FreshProcessCommand.self,
        ])

    /// `FREEHOLD_JUDGED=1`: the pages of small files, too, are judged before LMDB comes to them,
    /// instead of walked.
    static func installHooks() {
        guard ProcessInfo.processInfo.environment["FREEHOLD_JUDGED"] == "1" else { return }
        TestHooks.install(TestHooks { $0.walkedPageCount = 0 })
    }

    static func main() async {
        installHooks()
        await main(nil)
    }
}
