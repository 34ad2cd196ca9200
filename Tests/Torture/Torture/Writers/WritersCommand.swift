import ArgumentParser
import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport

/// Synchronous writers in actors, more than the pool has threads, beside asynchronous ones,
/// threads, queues, schedulers that sleep, and other processes. What must not happen is that
/// all of them wait, or one kind.
struct WritersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "writers",
        abstract:
            """
            Lets more writers wait on the tasks' pool than it has threads, and looks for \
            standstills.
            """
    )

    @OptionGroup var options: RunOptions
    @OptionGroup var kinds: WritersOptions
    @Option(help: "How long they write.") var seconds = 10
    @Option(help: "How many processes.") var processes = 2

    func run() throws { try onThread { try runOnThread() } }

    private func runOnThread() throws {
        HistoryData.silenceVersionWarnings()
        let report = try TortureReport("writers", options)
        let path = report.path("writers.realm")
        let realm = try Realm(
            configuration: HistoryData.configuration(
                path, isEncrypted: false, isDurable: kinds.durable))
        try HistoryData.prepare(realm)
        // Else this thread's realm would keep its version in the file while the others write.
        realm.invalidate()
        let deadline = machineNanoseconds() + UInt64(seconds) * 1_000_000_000
        let arguments = [
            "writers-process", path, "--deadline", "\(deadline)", "--seed", "\(report.seed)",
        ]
        let children = try (0..<processes).map {
            try SpawnedProcess(arguments + kinds.arguments + ["--number", "\($0)"])
        }
        let waits = Locked<[String: WaitTimes]>([:])
        try runThreads(
            children.map { child in
                {
                    child.readLines { line in
                        let words = line.split(separator: " ")
                        let isKnown = waits.withLock { waits in
                            guard words.count > 2, words[0] == "waits" else { return false }
                            return waits[String(words[1]), default: WaitTimes()].add(
                                words.dropFirst(2))
                        }
                        if !isKnown { report.find(line) }
                    }
                    let end = child.wait()
                    report.expect(end == 0, "A process ended with \(end).")
                }
            })
        realm.refresh()
        let seen = HistoryData.look(realm, 0)
        let count = waits.withLock { UInt64($0.values.reduce(0) { $0 + $1.count }) }
        report.expect(
            seen.problem == nil && seen.number == count,
            "\(count) writes ended, \(seen.number) are there. \(seen.problem ?? "")")
        for problem in try realm.check() { report.find(problem) }
        for (kind, times) in waits.withLock({ $0 }) { note(times, of: kind, report) }
        try report.finish()
    }

    private func note(_ times: WaitTimes, of kind: String, _ report: TortureReport) {
        report.set(kind, times.count)
        report.set("\(kind), a second", Double(times.count) / Double(max(1, seconds)))
        report.set("\(kind), wait in ms, median", times.quantile(0.5))
        report.set("\(kind), wait in ms, 99 %", times.quantile(0.99))
        report.set("\(kind), wait in ms, longest", Double(times.longest) / 1e6)
    }
}

/// Who writes, in each process.
struct WritersOptions: ParsableArguments {
    @Option(
        help: "Actors with synchronous writes; one more than there are processors if not given.")
    var writing: Int?
    @Option(help: "Actors with asyncWrite; as many if not given.") var asynchronous: Int?
    @Flag(
        help:
            """
            Actors with synchronous writes keep their thread of the pool from one write to \
            the next.
            """
    )
    var greedy = false
    @Flag(help: "No queue with writeAsync, and no thread that comes late to its own.") var plain =
        false
    @Flag(help: "Commits are synced.") var durable = false

    var writingCount: Int { writing ?? ProcessInfo.processInfo.activeProcessorCount + 1 }
    var asynchronousCount: Int { asynchronous ?? writingCount }

    var arguments: [String] {
        ["--writing", "\(writingCount)", "--asynchronous", "\(asynchronousCount)"]
            + (greedy ? ["--greedy"] : []) + (plain ? ["--plain"] : [])
            + (durable ? ["--durable"] : [])
    }
}
