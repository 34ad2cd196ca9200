import ArgumentParser
import Foundation
import FreeholdTestSupport

/// F3: what is left of a file by a loss of power at any moment.
struct PowerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "power",
        abstract:
            """
            Records what a workload writes and syncs, makes images of what a loss of power \
            may leave of it, and opens each.
            """
    )

    @Option(help: "How many images.") var images = 2_000
    @OptionGroup var options: RunOptions
    @Option(help: "How many rounds of commits are recorded.") var length = 60
    @Option(help: "How many processes look at images.") var workers = 2

    func run() throws {
        let result = try PowerRun(self).run()
        try result.print(json: options.json)
        if !result.findings.isEmpty { throw ExitCode(1) }
    }
}

/// What one run found.
struct PowerResult: Codable, Sendable {
    var tool = "power"
    var seed: UInt64
    var date = ISO8601DateFormatter().string(from: Date())
    var seconds = 0.0
    var images = 0
    var good = 0
    /// Typed errors where nothing is promised.
    var refused = 0
    /// Processes that ended while they read such files.
    var died = 0
    /// The share of bad images that are found if syncs are left out.
    var badWithoutSyncs = 0.0
    var cases: [String: String] = [:]
    var findings: [String] = []

    func print(json: Bool) throws {
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
            return
        }
        for (name, text) in cases.sorted(by: { $0.key < $1.key }) {
            Swift.print("\(name): \(text)")
        }
        for finding in findings { Swift.print("FOUND \(finding)") }
        Swift.print(
            """
            power: \(images) images in \(Int(seconds)) s: \(good) good, \
            \(refused) refused, \(died) died, \(findings.count) findings; without syncs \
            \(Int(badWithoutSyncs * 100)) % are bad
            """
        )
    }
}

struct PowerRun: Sendable {
    private let command: PowerCommand
    private let directory: String
    private let isOwnDirectory: Bool

    init(_ command: PowerCommand) throws {
        self.command = command
        isOwnDirectory = command.options.directory == nil
        directory = command.options.place("power")
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
    }

    /// The levels of durability, plain and encrypted, each with its share of the images; and
    /// the self-test.
    private var cases: [PowerCase] {
        func one(
            _ name: String, _ level: PowerCase.Level, _ percent: Int, isEncrypted: Bool = false
        ) -> PowerCase {
            PowerCase(
                name, level, isEncrypted: isEncrypted, length: command.length,
                seed: command.options.seed, imageCount: max(1, command.images * percent / 100),
                directory: directory)
        }
        var blind = one("self-test", .full, 5)
        blind.withoutSyncs = true
        blind.imageCount = min(max(blind.imageCount, 40), 400)
        return [
            one("full", .full, 40), one("full-encrypted", .full, 20, isEncrypted: true),
            one("relaxed", .relaxed, 20),
            one("relaxed-encrypted", .relaxed, 10, isEncrypted: true), one("none", .none, 7),
            one("none-encrypted", .none, 3, isEncrypted: true), blind,
        ]
    }

    func run() throws -> PowerResult {
        var result = PowerResult(seed: command.options.seed)
        say("power: in \(directory)")
        let start = Date()
        for powerCase in cases {
            let began = Date()
            let events = try record(powerCase)
            let tally = try verify(powerCase)
            let seconds = Date().timeIntervalSince(began)
            let count = powerCase.imageCount
            result.cases[powerCase.name] =
                """
                \(events) events, \(count) images, \(tally.good) good, \(tally.refused) \
                refused, \(tally.died) died, \(tally.bad.count) bad, \
                \(Int(Double(count) / seconds)) a second
                """
            say("\(powerCase.name): \(result.cases[powerCase.name] ?? "")")
            if powerCase.withoutSyncs {
                result.badWithoutSyncs = Double(tally.bad.count) / Double(count)
                if result.badWithoutSyncs <= 0.5 {
                    result.findings.append(
                        """
                        The self-test found only \(tally.bad.count) of \(count) images \
                        without syncs bad.
                        """
                    )
                }
                continue
            }
            result.images += count
            result.good += tally.good
            result.refused += tally.refused
            result.died += tally.died
            result.findings += tally.bad
            if tally.good + tally.refused + tally.died + tally.bad.count != count {
                result.findings.append("\(powerCase.name): images are unaccounted for.")
            }
        }
        result.seconds = Date().timeIntervalSince(start)
        if result.findings.isEmpty, isOwnDirectory {
            try FileManager.default.removeItem(atPath: directory)
        } else if !result.findings.isEmpty {
            say("What was found is in \(directory).")
        }
        return result
    }

    private func record(_ powerCase: PowerCase) throws -> Int {
        try powerCase.save()
        let place = "\(directory)/\(powerCase.name)-recorded"
        let child = try WatchedChild(
            ["power-script", powerCase.path, "--directory", place],
            preloading: try WatchedChild.shim("RecordingShim"), errors: powerCase.log + ".errors")
        let end = child.run { _ in }
        guard end == .exit(0) else {
            throw RecordedLog.Unreadable(
                description: "\(powerCase.name) could not be recorded: \(end). \(child.lastErrors)")
        }
        try FileManager.default.removeItem(atPath: place)
        return try RecordedLog(powerCase.log).events.count
    }

    private struct Tally: Sendable {
        var good = 0
        var refused = 0
        /// While a file was read of which nothing is promised.
        var died = 0
        var bad: [String] = []
    }

    /// Each process has a part of the images; one that ends is followed by another, behind the
    /// image that ended it.
    private func verify(_ powerCase: PowerCase) throws -> Tally {
        let count = powerCase.imageCount
        let tallies = try runThreads(command.workers) { worker -> Tally in
            var tally = Tally()
            var next = count * worker / command.workers
            let last = count * (worker + 1) / command.workers
            while next < last {
                let place = "\(directory)/\(powerCase.name)-\(worker)"
                let child = try WatchedChild(
                    [
                        "power-verify", powerCase.path, "--from", "\(next)", "--to", "\(last)",
                        "--directory", place,
                    ], errors: "\(place).errors")
                var current: Int?
                var isOpen = false
                let end = child.run { line in
                    let words = line.split(separator: " ", maxSplits: 2)
                    guard words.count > 1, let image = Int(words[1]) else { return }
                    let text = words.count > 2 ? String(words[2]) : ""
                    isOpen = words[0] == "opened"
                    if isOpen { return }
                    current = words[0] == "begin" ? image : nil
                    switch words[0] {
                    case "good": tally.good += 1
                    case "refused":
                        tally.refused += 1
                        sayOnce(powerCase, text)
                    case "bad": tally.bad.append(finding(powerCase, image, text))
                    default: break
                    }
                    next = words[0] == "begin" ? image : image + 1
                }
                if let current, isOpen, powerCase.level == .none, end != .hang {
                    // LMDB ends the process at pages that are of no use; which is all that was
                    // promised.
                    tally.died += 1
                    next = current + 1
                } else if let current {
                    tally.bad.append(finding(powerCase, current, "\(end). \(child.lastErrors)"))
                    next = current + 1
                } else if end != .exit(0) {
                    tally.bad.append(
                        """
                        \(powerCase.name): a process that looks at images ended with \
                        \(end). \(child.lastErrors)
                        """
                    )
                    break
                }
                try? FileManager.default.removeItem(atPath: place)
            }
            return tally
        }
        return tallies.reduce(into: Tally()) { all, one in
            all.good += one.good
            all.refused += one.refused
            all.died += one.died
            all.bad += one.bad
        }
    }

    /// Said at once: a run may take hours.
    private func finding(_ powerCase: PowerCase, _ image: Int, _ text: String) -> String {
        let finding =
            """
            \(powerCase.name), image \(image): \(text) Replay: \(WatchedChild.executable) \
            power-verify \(powerCase.path) --from \(image) --to \(image + 1) --keep \
            --directory \(directory)/replay
            """
        if !powerCase.withoutSyncs { say("FOUND \(finding)") }
        return finding
    }

    /// What files of the level `none` are refused with, as it is.
    private func sayOnce(_ powerCase: PowerCase, _ text: String) {
        if ProcessInfo.processInfo.environment["TORTURE_SAY_REFUSALS"] != nil {
            say("\(powerCase.name): refused: \(text)")
        }
    }

    private func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
