import ArgumentParser
import Foundation
import FreeholdStorage
import FreeholdTestSupport

/// F10: LMDB takes the number of a read transaction and its pages in two steps, and two commits
/// may end between. What the library says must be right all the same.
struct LabelRace {
    private let command: HistoryCommand
    private let report: TortureReport
    private static let readers = 12

    init(_ command: HistoryCommand) throws {
        self.command = command
        var options = command.options
        // In memory, where a commit costs microseconds.
        if options.directory == nil, FileManager.default.isWritableFile(atPath: "/dev/shm") {
            options.directory = "/dev/shm/torture-race-\(getpid())"
        }
        report = try TortureReport("label-race", options)
    }

    func run() throws {
        let path = report.path("race")
        var options = Environment.Options(path: path)
        options.durability = .none
        let environment = try Environment.open(options)
        let first = try Self.commit(environment, 0)
        let deadline = machineNanoseconds() + UInt64(command.seconds) * 1_000_000_000
        let children = try (0..<Self.readers).map { _ in
            try SpawnedProcess([
                "race-reader", path, "--first", "\(first)", "--deadline", "\(deadline)",
            ])
        }
        let commits = Locked(0)
        let writer: @Sendable () throws -> Void = { [report] in
            var number: UInt64 = 0
            while machineNanoseconds() < deadline {
                number += 1
                let version = try Self.commit(environment, number)
                if version != first + number {
                    report.find("Commit \(number) made version \(version), not \(first + number).")
                }
            }
            commits.withLock { $0 = Int(number) }
        }
        let readers = children.map { [report] child -> @Sendable () throws -> Void in
            {
                child.readLines { line in
                    let words = line.split(separator: " ")
                    if words.first == "reads", let reads = Int(words[1]), let wrong = Int(words[2])
                    {
                        report.add("reads", reads)
                        report.add("mislabelled by LMDB", wrong)
                    } else {
                        report.find(line)
                    }
                }
                let end = child.wait()
                report.expect(end == 0, "A reader ended with \(end).")
            }
        }
        try runThreads([writer] + readers)
        report.set("commits", commits.withLock { $0 })
        let isOwn = command.options.directory == nil
        if isOwn, !report.hasFindings {
            try? FileManager.default.removeItem(atPath: report.directory)
        }
        try report.finish()
    }

    static let key = Array("race".utf8)

    /// Writes a number; the version that this made.
    private static func commit(_ environment: Environment, _ number: UInt64) throws -> UInt64 {
        try environment.writer.begin().commit { transaction in
            try withUnsafeBytes(of: number) { value in
                try key.withUnsafeBytes { try transaction.put(.meta, key: $0, value: value) }
            }
        }.1.version
    }
}

/// Begins and ends reads as fast as it can.
struct RaceReaderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "race-reader", shouldDisplay: false)

    @Argument var path: String
    @Option var first: UInt64
    @Option var deadline: UInt64

    func run() throws {
        var options = Environment.Options(path: path)
        options.durability = .none
        let environment = try Environment.open(options)
        var (reads, last) = (0, UInt64(0))
        while machineNanoseconds() < deadline {
            for _ in 0..<200 {
                // The view before is gone, so this begins one.
                let view = try environment.read()
                let number =
                    try LabelRace.key.withUnsafeBytes {
                        try view.value(.meta, key: $0)?.loadUnaligned(as: UInt64.self)
                    } ?? 0
                if view.version != first + number {
                    SpawnedProcess.say(
                        """
                        A view says that it is version \(view.version), and has what \
                        version \(first + number) has.
                        """
                    )
                }
                if view.version < last {
                    SpawnedProcess.say("Version \(view.version) came after \(last).")
                }
                last = view.version
                reads += 1
            }
        }
        SpawnedProcess.say("reads \(reads) \(environment.mislabelledReadCount)")
    }
}
