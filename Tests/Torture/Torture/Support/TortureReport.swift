import ArgumentParser
import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Glibc

/// What every one of these subcommands takes.
struct RunOptions: ParsableArguments {
    @Option(help: "Where files go; a temporary directory if there is none given.") var directory:
        String?
    @Flag(help: "Print the result as JSON.") var json = false

    /// The command, as a person repeats it with the seed.
    private static let command =
        "Tests/torture " + CommandLine.arguments.dropFirst().joined(separator: " ")

    /// The run's seed, a new one unless `FREEHOLD_SEED` gives it. It replays the run, as far as
    /// scheduling allows.
    static let seed = Seed.random(.random(in: 1...999_999_999), for: command).seed

    var seed: UInt64 { Self.seed }

    /// What repeats the run.
    static var replay: String { "FREEHOLD_SEED=\(seed) \(command)" }

    /// The directory of a run: the given one, or a new one.
    ///
    /// - Parameter inMemory: Where a disk only costs time.
    func place(_ tool: String, inMemory: Bool = true) -> String {
        if let directory { return directory }
        let memory =
            inMemory && FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : nil
        let parent = memory ?? ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        return "\(parent)/torture-\(tool)-\(getpid())"
    }
}

/// What a run counts and finds, from any thread.
final class TortureReport: Sendable {
    private struct Content {
        var figures: [String: Double] = [:]
        var findings: [String] = []
    }

    private struct Printed: Encodable {
        let tool: String
        let seed: UInt64
        let date: String
        let seconds: Double
        let figures: [String: Double]
        let findings: [String]
        let directory: String?
        let replay: String
    }

    let tool: String
    let seed: UInt64
    let directory: String
    private let isJSON: Bool
    private let removesDirectory: Bool
    private let begin = Date()
    private let content = Locked(Content())

    init(_ tool: String, _ options: RunOptions) throws {
        self.tool = tool
        seed = options.seed
        isJSON = options.json
        removesDirectory = options.directory == nil
        directory = options.place(tool, inMemory: false)
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        Self.progress("The files are in \(directory).")
    }

    func path(_ name: String) -> String { directory + "/" + name }

    func find(_ text: String) {
        Self.progress("FOUND \(text)")
        content.withLock { $0.findings.append(text) }
    }

    func expect(_ condition: Bool, _ text: @autoclosure () -> String) {
        if !condition { find(text()) }
    }

    func set(_ name: String, _ value: some BinaryInteger) {
        content.withLock { $0.figures[name] = Double(value) }
    }

    func set(_ name: String, _ value: Double) {
        content.withLock { $0.figures[name] = (value * 1000).rounded() / 1000 }
    }

    func add(_ name: String, _ value: Int = 1) {
        content.withLock { $0.figures[name, default: 0] += Double(value) }
    }

    var hasFindings: Bool { content.withLock { !$0.findings.isEmpty } }

    var seconds: Double { Date().timeIntervalSince(begin) }

    /// Prints the result, removes the files if nothing was found, and ends with 1 otherwise.
    func finish() throws {
        let content = content.withLock { $0 }
        let seconds = (seconds * 10).rounded() / 10
        let isClean = content.findings.isEmpty
        if isClean, removesDirectory { try? FileManager.default.removeItem(atPath: directory) }
        if isJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let printed = Printed(
                tool: tool, seed: seed, date: ISO8601DateFormatter().string(from: begin),
                seconds: seconds, figures: content.figures,
                findings: content.findings, directory: isClean ? nil : directory,
                replay: RunOptions.replay)
            print(String(decoding: try encoder.encode(printed), as: UTF8.self))
        } else {
            for (name, value) in content.figures.sorted(by: { $0.key < $1.key }) {
                print("  \(name): \(value.formatted(.number.grouping(.never)))")
            }
            print("\(tool): \(seconds) s, \(content.findings.count) findings")
        }
        if isClean { return }
        Self.progress("What was found is in \(directory). Replay: \(RunOptions.replay)")
        throw ExitCode(1)
    }

    static func progress(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}

/// Runs a command on a thread of its own, as realms of threads want it: commands are run by a task.
func onThread(_ body: @escaping @Sendable () throws -> Void) throws { try runThreads([body]) }

/// Nanoseconds of the clock that all processes of the machine share.
func machineNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

extension Array where Element: Comparable {
    /// The element that so large a part of the others is less than; the array is sorted.
    func quantile(_ part: Double) -> Element? {
        isEmpty ? nil : self[Swift.min(count - 1, Int(Double(count) * part))]
    }
}
