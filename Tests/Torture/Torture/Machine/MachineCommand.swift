import ArgumentParser
import Foundation
import FreeholdTestSupport

/// F19: a whole machine from one seed: what is scheduled when, which calls fail, when processes die, which deadlines
/// pass and how the clock moves. Processes do one step at a time, and come to rest before the next one, so a seed replays.
struct MachineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "machine",
        abstract: "Processes, schedulers, failing calls, deaths and clocks from one seed; then some of it heals, and must make progress.")

    @OptionGroup var options: RunOptions
    @Option(help: "How many seeds, from the first one on.") var seeds = 20
    @Option(help: "How many steps a seed takes.") var steps = 300
    @Option(help: "Only these features, as the number that a finding prints.") var features: Int?
    @Flag(help: "Print each step.") var trace = false

    func run() throws { try onThread { try runOnThread() } }

    private func runOnThread() throws {
        let report = try TortureReport("machine", options)
        // Each process of a machine is spawned with it.
        setenv("LD_PRELOAD", try WatchedChild.shim("FaultShim"), 1)
        setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
        var trace = MachineTrace()
        for offset in 0..<UInt64(seeds) {
            let run = try MachineRun(seed: report.seed &+ offset, features: features, report: report, isTraced: self.trace)
            do {
                try run.run(steps: steps)
            } catch {
                run.find("\(error)")
            }
            trace.add(run.trace)
            if self.trace { TortureReport.progress("Trace of seed \(report.seed &+ offset): \(run.trace)") }
            if report.hasFindings { break }
            run.removeFiles()
        }
        TortureReport.progress("Trace of all: \(trace)")
        try report.finish()
    }
}
