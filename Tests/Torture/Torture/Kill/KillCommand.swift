import ArgumentParser
import Foundation
import FreeholdTestSupport

enum KillEncryption: String, CaseIterable, ExpressibleByArgument { case never, some, always }

/// Kills processes that write, and looks at their files.
struct KillCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kill",
        abstract:
            """
            Kills writing processes at random moments: nothing that was acknowledged is \
            lost, nothing else is there in part, and no process is held up.
            """
    )

    @Option(help: "How many processes are killed.") var rounds = 200
    @OptionGroup var options: RunOptions
    @Option(help: "Repeats what was done to one file: the seed that is in its name.") var file:
        UInt64?
    @Option(
        parsing: .upToNextOption,
        help: "What the processes do: \(KillWay.allCases.map(\.rawValue).joined(separator: ", ")).")
    var ways: [KillWay] = KillWay.allCases
    @Option(
        help:
            """
            Whether files are encrypted: \
            \(KillEncryption.allCases.map(\.rawValue).joined(separator: ", ")).
            """
    ) var encryption = KillEncryption.some
    @Option(help: "The rows of large transactions.") var rows = 20_000

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        let parent = URL(fileURLWithPath: options.place("kill", inMemory: false))
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        say("files in \(parent.path)")
        var result = KillResult(seed: options.seed)
        var random = SeededGenerator(seed: options.seed)
        let bench = KillBench(directory: parent)
        let start = monotonicNanoseconds()
        while result.kills < rounds {
            let plan = KilledFile.Plan(
                ways: ways, encryption: encryption, rows: rows, directory: parent)
            let subject = KilledFile(seed: file ?? random.next(), plan: plan, judge: bench)
            run(subject, &result)
            say(
                """
                \(result.kills) kills, \(result.files) files, \(result.findings.count) \
                findings; the last: \(subject.description)
                """
            )
            if file != nil { break }
        }
        bench.close()
        result.seconds = Double(monotonicNanoseconds() - start) / 1e9
        result.judgeHoldUps()
        if result.findings.isEmpty, options.directory == nil {
            try? FileManager.default.removeItem(at: parent)
        }
        print(options.json ? result.json : result.text)
        if !result.findings.isEmpty { throw ExitCode(1) }
    }

    private func run(_ subject: KilledFile, _ result: inout KillResult) {
        result.files += 1
        var round = 0
        var problems: [String] = []
        while round < subject.roundCount, result.kills < rounds, problems.isEmpty {
            round += 1
            result.kills += 1
            problems = subject.runRound()
        }
        if problems.isEmpty { problems = subject.finish() }
        result.add(subject)
        if problems.isEmpty {
            try? FileManager.default.removeItem(at: subject.directory)
            return
        }
        let command =
            """
            torture kill --file \(subject.seed) --rounds \(round) --encryption \
            \(encryption.rawValue) --rows \(rows) --ways \
            \(ways.map(\.rawValue).joined(separator: " "))
            """
        let finding = KillFinding(
            description: "round \(round): \(subject.description)",
            problems: Array(problems.prefix(10)), directory: subject.directory.path,
            command: command)
        result.findings.append(finding)
        say(finding.text)
    }

    private func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}

struct KillFinding: Codable {
    var description: String
    var problems: [String]
    var directory: String
    var command: String

    var text: String {
        "FOUND in \(description)\n  " + problems.joined(separator: "\n  ")
            + "\n  kept in \(directory)\n  again: \(command)"
    }
}
