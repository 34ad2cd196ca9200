import ArgumentParser
import Foundation

/// Kills a process at each of its system calls.
struct KillAtCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kill-at",
        abstract:
            """
            Kills scripts at each system call that changes files, before, in and after it: \
            the file opens, has all that was acknowledged, and the script can be run again.
            """
    )

    @Option(help: "all, or one of \(KillScript.allCases.map(\.rawValue).joined(separator: ", ")).")
    var script = "all"
    @Option(help: "Only every so manieth call.") var every = 1
    @Option(help: "The first call, so that every one is had by several runs. From 1.") var first = 1
    @Option(help: "Only this call.") var call: Int?
    @Option(help: "before, during or after; otherwise all three.") var when: String?
    @OptionGroup var options: RunOptions

    static let shimName = "libKillShim.so"

    struct Result: Codable {
        var date = ISO8601DateFormatter().string(from: Date())
        var seconds = 0.0
        var kills = 0
        /// How many calls each script makes.
        var calls: [String: Int] = [:]
        var findings: [KillFinding] = []
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        guard
            let scripts = script == "all"
                ? KillScript.allCases : KillScript(rawValue: script).map({ [$0] })
        else {
            throw ValidationError("There is no script \(script).")
        }
        let moments =
            when.map { when in KillMoment.allCases.filter { $0.rawValue == when } }
            ?? KillMoment.allCases
        let shim = URL(fileURLWithPath: ChildProcess.programPath).deletingLastPathComponent()
            .appendingPathComponent(Self.shimName).path
        guard FileManager.default.fileExists(atPath: shim) else {
            throw ValidationError(
                """
                \(shim) is missing. Build it: FREEHOLD_TESTS=torture swift build --product \
                KillShim
                """
            )
        }
        let parent = URL(fileURLWithPath: options.place("kill-at", inMemory: false))
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        say("files in \(parent.path)")
        try PreloadedCalls.verify(shim: shim, in: parent)
        let bench = KillBench(directory: parent)
        var result = Result()
        let start = monotonicNanoseconds()
        for script in scripts {
            for moment in moments {
                let directory = parent.appendingPathComponent(
                    "\(script.rawValue)-\(moment.rawValue)")
                let subject = try KillCase(script, directory: directory, shim: shim, bench: bench)
                try run(subject, script, moment, directory, &result)
                if result.findings.isEmpty { try? FileManager.default.removeItem(at: directory) }
            }
            say(
                """
                \(script.rawValue): \(result.calls[script.rawValue] ?? 0) calls, \
                \(result.kills) kills, \(result.findings.count) findings
                """
            )
        }
        bench.close()
        result.seconds = Double(monotonicNanoseconds() - start) / 1e9
        if result.findings.isEmpty, options.directory == nil {
            try? FileManager.default.removeItem(at: parent)
        }
        print(
            options.json
                ? Self.json(result)
                : """
                \(result.kills) kills at \(result.calls.values.reduce(0, +)) calls in \
                \(Int(result.seconds)) s: \(result.findings.count) findings
                """
        )
        if !result.findings.isEmpty { throw ExitCode(1) }
    }

    private func run(
        _ subject: KillCase, _ script: KillScript, _ moment: KillMoment, _ directory: URL,
        _ result: inout Result
    ) throws {
        var number = call ?? first
        var problems: [String] = []
        while problems.isEmpty, let found = try subject.kill(at: number, moment) {
            result.kills += 1
            result.calls[script.rawValue] = max(result.calls[script.rawValue] ?? 0, number)
            problems = found
            if call != nil { break }
            if problems.isEmpty { number += every }
        }
        problems += subject.finish()
        if problems.isEmpty { return }
        let command =
            "torture kill-at --script \(script.rawValue) --call \(number) --when \(moment.rawValue)"
        let finding = KillFinding(
            description: "\(script.rawValue), \(moment.rawValue) call \(number)",
            problems: Array(problems.prefix(10)), directory: directory.path, command: command)
        result.findings.append(finding)
        say(finding.text)
    }

    private static func json(_ result: Result) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(result)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
