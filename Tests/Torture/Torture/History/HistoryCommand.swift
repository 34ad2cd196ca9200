import ArgumentParser
import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport

/// F11, F10, F12: histories of many participants, judged afterwards.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract:
            """
            Records what threads, queues and actors of several processes read and write, \
            and judges it.
            """
    )

    @OptionGroup var options: RunOptions
    @Option(help: "How long they run.") var seconds = 10
    @Option(help: "How many processes.") var processes = 4
    @Option(help: "How many participants in each: threads, queues and actors in turn.")
    var threads = 4
    @Option(
        help:
            """
            With --label-race: stop after so many begun reads. With --async-writes: how \
            many writes.
            """
    ) var count = 10_000
    @Flag(help: "Commits are synced.") var durable = false
    @Flag(help: "Each second run encrypts; this one does.") var encrypted = false
    @Flag(help: "Reads that begin and end as fast as they can, beside a writer that syncs nothing.")
    var labelRace = false
    @Flag(help: "Asynchronous writes from random threads, queues and actors, with a watchdog.")
    var asyncWrites = false

    func run() throws { try onThread { try runOnThread() } }

    private func runOnThread() throws {
        HistoryData.silenceVersionWarnings()
        if labelRace { return try LabelRace(self).run() }
        if asyncWrites { return try AsyncWriteStorm(self).run() }
        let report = try TortureReport("history", options)
        let path = report.path("history.realm")
        let configuration = HistoryData.configuration(
            path, isEncrypted: encrypted, isDurable: durable)
        let realm = try Realm(configuration: configuration)
        try HistoryData.prepare(realm)
        let deadline = machineNanoseconds() + UInt64(seconds) * 1_000_000_000
        let arguments =
            [
                "history-process", path, "--threads", "\(threads)", "--deadline", "\(deadline)",
                "--seed", "\(report.seed)",
            ]
            + (encrypted ? ["--encrypted"] : []) + (durable ? ["--durable"] : [])
        let children = try (0..<processes).map {
            try SpawnedProcess(arguments + ["--number", "\($0)"])
        }
        let isDone = Locked(false)
        startThread {
            // A minute is more than any machine needs for the last operation.
            let limit = deadline + 60_000_000_000
            while machineNanoseconds() < limit {
                if isDone.withLock({ $0 }) { return } else { usleep(50_000) }
            }
            report.find("A standstill: the processes \(children.map(\.identifier)) do not end.")
            for child in children { child.signal(SIGABRT) }
        }
        try runThreads(
            children.map { child in
                {
                    child.readLines { report.find(String($0.trimmingPrefix("found "))) }
                    let end = child.wait()
                    report.expect(end == 0, "A process ended with \(end).")
                }
            })
        isDone.withLock { $0 = true }
        realm.refresh()
        try HistoryJudge(report, realm, participants: processes * threads).judge()
        try report.finish()
    }
}

/// One of the processes.
struct HistoryProcessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history-process", shouldDisplay: false)

    @Argument var path: String
    @Option var threads: Int
    @Option var deadline: UInt64
    @Option var seed: UInt64
    @Option var number: Int
    @Flag var encrypted = false
    @Flag var durable = false

    func run() async throws {
        HistoryData.silenceVersionWarnings()
        let run = HistoryRun(
            configuration: HistoryData.configuration(
                path, isEncrypted: encrypted, isDurable: durable),
            directory: URL(fileURLWithPath: path).deletingLastPathComponent().path, seed: seed,
            deadline: deadline)
        let first = number * threads
        let numbers = Array(first..<first + threads)
        // Each process begins with another kind.
        let kind = { @Sendable [number] (participant: Int) in (participant + number) % 4 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for participant in numbers where kind(participant) == 3 {
                group.addTask { try await run.runActor(participant) }
            }
            let others = numbers.filter { kind($0) != 3 }
            group.addTask {
                try await withCheckedThrowingContinuation {
                    (continuation: CheckedContinuation<Void, any Error>) in
                    startThread {
                        continuation.resume(
                            with: Result {
                                try runThreads(
                                    others.map { participant in
                                        {
                                            kind(participant) == 2
                                                ? try run.runQueue(participant)
                                                : try run.runThread(participant)
                                        }
                                    })
                            })
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
