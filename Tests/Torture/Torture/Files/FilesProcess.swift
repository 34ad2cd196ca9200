import Foundation
import Glibc

/// A process that examines files, and another one in its place when a file was its end.
final class FilesProcess {
    enum Event {
        case end(outcome: String, kinds: [String])
        case finding(Int, String)
        case crash(Int, String)
        case hang(Int)
    }

    /// How many seconds a file may take.
    static let patience = 30.0
    private static let mostMemory = 2 << 30

    private let corpus: URL
    private let scratch: URL
    private let seed: UInt64
    private let step: Int
    private let count: Int
    private let usesReader: Bool
    private var next: Int
    private var current: Int?
    private var process: Process?
    private var output: Int32 = -1
    private var buffer: [UInt8] = []
    private var heard = Date()
    private(set) var isDone = false

    init(
        corpus: URL, scratch: URL, seed: UInt64, first: Int, step: Int, count: Int, usesReader: Bool
    ) throws {
        (self.corpus, self.scratch, self.seed, self.step, self.count) = (
            corpus, scratch, seed, step, count
        )
        self.usesReader = usesReader
        next = first
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        if first >= count { isDone = true } else { try start() }
    }

    private static func spawn(_ arguments: [String], errors: URL) throws -> (Process, Pipe) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["SWIFT_BACKTRACE"] = "enable=no"
        process.environment = environment
        let pipe = Pipe()
        process.standardOutput = pipe
        _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        return (process, pipe)
    }

    private var pipe: Pipe?
    private var errors: URL { scratch.appendingPathComponent("errors.txt") }

    private func start() throws {
        let (process, pipe) = try Self.spawn(
            [
                "files-worker", "--corpus", corpus.path, "--scratch", scratch.path, "--seed",
                "\(seed)", "--first", "\(next)", "--step", "\(step)", "--count", "\(count)",
            ] + (usesReader ? ["--reader"] : []), errors: errors)
        self.process = process
        self.pipe = pipe
        output = pipe.fileHandleForReading.fileDescriptor
        buffer = []
        current = nil
        heard = Date()
    }

    /// What happened since, waiting for it a moment.
    func wait() throws -> [Event] {
        var events: [Event] = []
        var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        if poll(&descriptor, 1, 50) > 0 {
            var chunk = [UInt8](repeating: 0, count: 65536)
            let count = read(output, &chunk, chunk.count)
            if count > 0 {
                heard = Date()
                buffer += chunk[..<count]
                while let end = buffer.firstIndex(of: 10) {
                    if let event = event(String(decoding: buffer[..<end], as: UTF8.self)) {
                        events.append(event)
                    }
                    buffer.removeSubrange(...end)
                }
            } else {
                try ended(&events)
            }
        } else if Date().timeIntervalSince(heard) > Self.patience || memory > Self.mostMemory {
            let number = current ?? next
            if let process { kill(process.processIdentifier, SIGKILL) }
            process?.waitUntilExit()
            events.append(
                memory > Self.mostMemory
                    ? .finding(number, "The process grew beyond 2 GiB.") : .hang(number))
            next = number + step
            if next >= count { isDone = true } else { try start() }
        }
        return events
    }

    private var memory: Int {
        guard let process,
            let text = try? String(
                contentsOfFile: "/proc/\(process.processIdentifier)/statm", encoding: .utf8)
        else { return 0 }
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
            * Int(getpagesize())
    }

    private func event(_ line: String) -> Event? {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        switch words.first {
        case "begin": current = Int(words[1])
        case "end":
            if let current { next = current + step }
            current = nil
            let rest = (words.count > 2 ? words[2] : "").split(separator: " ").map(String.init)
            return .end(
                outcome: rest.first ?? "",
                kinds: rest.count > 1 ? rest[1].split(separator: "+").map(String.init) : [])
        case "finding": return .finding(Int(words[1]) ?? 0, words.count > 2 ? words[2] : "")
        case "done": isDone = true
        default: break
        }
        return nil
    }

    private func ended(_ events: inout [Event]) throws {
        guard let process else { return }
        process.waitUntilExit()
        if isDone { return }
        guard let current else { throw CocoaError(.executableLoad) }
        events.append(.crash(current, Self.ending(process, errors)))
        next = current + step
        if next >= count { isDone = true } else { try start() }
    }

    private static func ending(_ process: Process, _ errors: URL) -> String {
        let text = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
        let how = process.terminationReason == .uncaughtSignal ? "signal" : "status"
        let lines = text.split(separator: "\n")
        let step = lines.last { $0.hasPrefix("step ") } ?? "before the first step"
        let told =
            lines.first { $0.contains("Fatal error") || $0.contains("ERROR: ") }
            ?? lines.suffix(3).joined(separator: " | ")[...]
        return "\(how) \(process.terminationStatus), \(step): \(told.prefix(600))"
    }

    /// Examines one file that is as it is, in a process of its own.
    static func examine(
        _ file: String, _ base: String, isComparable: Bool, turn: Int?, _ corpus: URL,
        _ scratch: URL
    ) throws -> (isFound: Bool, text: String) {
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        let errors = scratch.appendingPathComponent("errors.txt")
        let (process, pipe) = try spawn(
            [
                "files-worker", "--corpus", corpus.path, "--scratch", scratch.path, "--seed", "0",
                "--first", "0", "--step", "1", "--count", "1", "--file", file, "--base", base,
            ] + (turn.map { ["--reader", "--turn", "\($0)"] } ?? [])
                + (isComparable ? ["--comparable"] : []), errors: errors)
        let deadline = Date() + patience
        while process.isRunning, Date() < deadline { usleep(2000) }
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            return (true, "Nothing was heard for \(Int(patience)) seconds.")
        }
        let text = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        if process.terminationReason == .uncaughtSignal || process.terminationStatus != 0 {
            return (true, ending(process, errors))
        }
        return (text.contains("finding 0 "), text)
    }
}
