import ArgumentParser
import Foundation
import FreeholdTestSupport
import TortureCalls

/// F19: a whole machine from one seed: what is scheduled when, which calls fail, when processes
/// die, which deadlines pass, which of a process's threads goes on (``SteppedThreads``) and how
/// the clock moves. Processes do one step at a time, so a seed replays.
struct MachineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "machine",
        abstract:
            """
            Processes, schedulers, failing calls, deaths and clocks from one seed; then \
            some of it heals, and must make progress.
            """
    )

    @OptionGroup var options: RunOptions
    @Option(help: "How many seeds, from the first one on.") var seeds = 20
    @Option(help: "How many steps a seed takes.") var steps = 300
    @Option(help: "Only these features, as the number that a finding prints.") var features: Int?
    @Flag(help: "Print each step.") var trace = false
    @Flag(help: "Run each seed twice; that it goes another way is a finding.") var replay = false

    func run() throws { try onThread { try runOnThread() } }

    private func runOnThread() throws {
        let report = try TortureReport("machine", options)
        // Each process of a machine is spawned with it.
        setenv("LD_PRELOAD", try WatchedChild.shim("FaultShim"), 1)
        setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
        torture_fix_addresses()
        var trace = MachineTrace()
        for offset in 0..<UInt64(seeds) {
            let run = try runOne(report.seed &+ offset, report)
            trace.add(run.trace)
            if self.trace {
                TortureReport.progress("FREEHOLD_SEED=\(report.seed &+ offset): trace \(run.trace)")
            }
            if report.hasFindings { break }
            run.removeFiles()
            guard replay else { continue }
            let second = try runOne(report.seed &+ offset, report)
            if let difference = run.trace.difference(from: second.trace) {
                second.find("It goes two ways: \(difference).")
            }
            if report.hasFindings { break }
            second.removeFiles()
        }
        TortureReport.progress("Trace of all: \(trace)")
        try report.finish()
    }

    private func runOne(_ seed: UInt64, _ report: TortureReport) throws -> MachineRun {
        let run = try MachineRun(seed: seed, features: features, report: report, isTraced: trace)
        do {
            try run.run(steps: steps)
        } catch {
            run.find("\(error)")
        }
        return run
    }
}
