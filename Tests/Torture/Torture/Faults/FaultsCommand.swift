import ArgumentParser
import Foundation
import FreeholdTestSupport

/// F5 and F7: each call of a realm's life that can fail, fails.
struct FaultsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract:
            "Makes each system call of a realm's life, and each allocation of LMDB, fail in turn.")

    @OptionGroup var options: RunOptions
    @Flag(
        help:
            """
            Each call with each error, once and from then on; otherwise with one that the \
            seed decides.
            """
    ) var all = false
    @Option(help: "How many faults at most, spread over all.") var limit = Int.max
    @Option(help: "How many processes run scripts.") var workers = 2
    @Option(help: "Only this kind of call.") var kind: String?

    func run() throws {
        let result = try FaultsRun(self).run()
        try result.print(json: options.json)
        if !result.findings.isEmpty { throw ExitCode(1) }
    }
}

/// What one run found.
struct FaultsResult: Codable, Sendable {
    var tool = "faults"
    var seed: UInt64
    var date = ISO8601DateFormatter().string(from: Date())
    var seconds = 0.0
    var faults = 0
    /// Something was thrown, and all was well afterwards.
    var failed = 0
    /// Nothing was thrown, and nothing was wrong.
    var survived = 0
    /// The call did not come.
    var missed = 0
    /// By kind and error: what was thrown, how often.
    var codes: [String: [String: Int]] = [:]
    var findings: [String] = []

    func print(json: Bool) throws {
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
            return
        }
        for (kind, counts) in codes.sorted(by: { $0.key < $1.key }) {
            Swift.print(
                "\(kind): "
                    + counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(
                        separator: ", "))
        }
        for finding in findings { Swift.print("FOUND \(finding)") }
        Swift.print(
            """
            faults: \(faults) faults in \(Int(seconds)) s: \(failed) failed as \
            they should, \(survived) survived, \(missed) did not happen, \(findings.count) \
            findings
            """)
    }
}

struct FaultsRun: Sendable {
    private let command: FaultsCommand
    private let directory: String
    private let shim: String

    init(_ command: FaultsCommand) throws {
        self.command = command
        shim = try WatchedChild.shim("FaultShim")
        directory = command.options.place("faults")
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
    }

    func run() throws -> FaultsResult {
        var result = FaultsResult(seed: command.options.seed)
        let start = Date()
        say("faults: in \(directory)")
        let list = try faults()
        let path = directory + "/faults.json"
        try JSONEncoder().encode(list).write(to: URL(fileURLWithPath: path))
        say("\(list.count) faults")
        let tallies = try runThreads(command.workers) { worker in
            try run(
                list, path,
                list.count * worker / command.workers..<list.count * (worker + 1) / command.workers,
                worker)
        }
        for line in tallies.joined() {
            let words = line.split(separator: " ", maxSplits: 2)
            let fault = Int(words[1]).map { list[$0] }
            let text = words.count > 2 ? String(words[2]) : ""
            result.faults += 1
            switch words[0] {
            case "failed": result.failed += 1
            case "survived": result.survived += 1
            case "missed": result.missed += 1
            default:
                result.findings.append(
                    """
                    \(fault.map { "\($0)" } ?? ""): \(text) Replay: LD_PRELOAD=\(shim) \
                    \(WatchedChild.executable) faults-run --faults \(path) \
                    --from \(words[1]) --to \((Int(words[1]) ?? 0) + 1) \
                    --directory \(directory)/replay
                    """)
            }
            if let fault, words[0] == "failed" || words[0] == "survived" {
                for code in text.isEmpty ? ["-"] : text.split(separator: ",").map(String.init) {
                    result.codes["\(fault.kind)", default: [:]][code, default: 0] += 1
                }
            }
        }
        if result.faults != list.count {
            result.findings.append("Of \(list.count) faults, \(result.faults) were tried.")
        }
        if result.missed * 20 > result.faults {
            result.findings.append(
                """
                \(result.missed) of \(result.faults) faults did not happen: the script is \
                not the same each time.
                """
            )
        }
        result.seconds = Date().timeIntervalSince(start)
        if result.findings.isEmpty, command.options.directory == nil {
            try FileManager.default.removeItem(atPath: directory)
        }
        return result
    }

    /// Each call of each script once, with an error that follows from its number and the seed;
    /// or with all.
    private func faults() throws -> [Fault] {
        let child = try WatchedChild(
            ["faults-run", "--directory", directory + "/count"], preloading: shim,
            errors: directory + "/count.errors")
        var list: [Fault] = []
        var turn = command.options.seed
        var problem: String?
        let end = child.run { line in
            let words = line.split(separator: " ")
            guard words.count > 3, words[0] == "calls",
                let scenario = Fault.Scenario(rawValue: String(words[1])),
                let raw = Int32(words[2]),
                let kind = Fault.Kind(rawValue: raw), let count = Int(words[3])
            else { return problem = String(line) }
            if count == 0, kind.isOfEachScript {
                return problem = "FaultShim sees no call of the kind \(kind)."
            }
            if let only = command.kind, only != "\(kind)" { return }
            // How LMDB asks for memory does not depend on what it waits for.
            if kind == .allocation, scenario == .relaxed { return }
            for number in stride(from: 1, through: count, by: 1) {
                let choices = kind.errors.flatMap { error in
                    [false, true].map {
                        Fault(
                            scenario: scenario, kind: kind, number: number, error: error,
                            isSticky: $0)
                    }
                }
                if command.all {
                    list += choices
                } else {
                    list.append(choices[Int(turn % UInt64(choices.count))])
                    turn &+= 1
                }
            }
        }
        guard end == .exit(0), problem == nil else {
            throw RecordedLog.Unreadable(
                description:
                    "The script fails without a fault: \(problem ?? "\(end)"). \(child.lastErrors)")
        }
        if list.count > command.limit {
            list = (0..<command.limit).map { list[$0 * list.count / command.limit] }
        }
        return list
    }

    private func run(_ list: [Fault], _ path: String, _ range: Range<Int>, _ worker: Int) throws
        -> [String]
    {
        var lines: [String] = []
        var next = range.lowerBound
        while next < range.upperBound {
            let place = "\(directory)/\(worker)"
            let child = try WatchedChild(
                [
                    "faults-run", "--faults", path, "--from", "\(next)", "--to",
                    "\(range.upperBound)", "--directory", place,
                ], preloading: shim,
                errors: place + ".errors")
            var current: Int?
            let end = child.run { line in
                let words = line.split(separator: " ", maxSplits: 2)
                guard words.count > 1, let index = Int(words[1]) else { return }
                if words[0] == "begin" {
                    current = index
                } else {
                    current = nil
                    next = index + 1
                    lines.append(String(line))
                    if lines.count % 500 == 0 {
                        say("process \(worker): \(lines.count) of \(range.count)")
                    }
                }
            }
            if let current {
                lines.append("died \(current) \(end). \(child.lastErrors)")
                next = current + 1
            } else if end != .exit(0) {
                lines.append("died \(next) \(end), before it. \(child.lastErrors)")
                break
            }
        }
        return lines
    }

    private func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
