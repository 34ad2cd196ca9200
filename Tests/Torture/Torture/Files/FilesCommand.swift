import ArgumentParser
import Foundation
import FreeholdTestSupport
import FreeholdWorkload
import Glibc

/// Damages files and opens them.
struct FilesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files",
        abstract:
            """
            Damages files in every way: each is refused, or found damaged, or as sound as \
            it was; nothing traps, hangs or grows.
            """
    )

    @Option(help: "How many files are damaged.") var count = 2000
    @OptionGroup var options: RunOptions
    @Option(help: "The number of the first file, to go on with a run that was stopped.") var first =
        0
    @Option(name: .customLong("case"), help: "Examines this one of a run's files.") var only: Int?
    @Option(help: "The number of processes at once.") var processes = 2
    @Option(
        help:
            "The directory of sound files of an earlier run, which a case is repeated with exactly."
    ) var corpus: String?
    @Option(help: "Examines a file that was kept.") var file: String?
    @Option(help: "The sound file that it was made from.") var base = "plain"
    @Flag(
        help:
            """
            Reads and writes in each way that the library has (EverythingReader), instead \
            of as programs do mostly.
            """
    ) var reader = false
    @Flag(help: "Keeps what is found as it is, without looking for the bytes that show it.")
    var unreduced = false
    @Flag(help: "With --file: its rows must be those of the sound one, or damage must be found.")
    var comparable = false
    @Option(
        help:
            """
            With --file: reads by the reader, whose steps have the order of the case with \
            this number.
            """
    ) var turn: Int?

    private struct Result: Encodable {
        var seed: UInt64
        var date = ISO8601DateFormatter().string(from: Date())
        var seconds = 0.0
        var files = 0
        var outcomes: [String: Int] = [:]
        var kinds: [String: Int] = [:]
        var crashes = 0
        var hangs = 0
        var findings: [String] = []
    }

    func run() throws {
        let place = URL(fileURLWithPath: options.place("files"))
        let sound = corpus.map { URL(fileURLWithPath: $0) } ?? place.appendingPathComponent("sound")
        if corpus == nil { try FileBase.make(in: sound, forReader: reader || turn != nil) }
        if let file {
            let code = try examine(file, sound, place)
            throw ExitCode(code)
        }
        FileHandle.standardError.write(Data("files in \(place.path)\n".utf8))
        let start = Date()
        var result = Result(seed: options.seed)
        let workers = try (0..<(only == nil ? processes : 1)).map { index in
            try FilesProcess(
                corpus: sound, scratch: place.appendingPathComponent("worker-\(index)"),
                seed: options.seed, first: only ?? first + index,
                step: only == nil ? processes : count + 1,
                count: only.map { $0 + 1 } ?? first + count, usesReader: reader)
        }
        var isRunning = true
        var nextReport = Date() + 10
        while isRunning {
            isRunning = false
            for worker in workers where !worker.isDone {
                isRunning = true
                for event in try worker.wait() { try note(event, sound, place, &result) }
            }
            if Date() > nextReport {
                nextReport = Date() + 10
                FileHandle.standardError.write(
                    Data(
                        "\(result.files) of \(count) files, \(result.findings.count) findings\n"
                            .utf8))
            }
        }
        result.seconds = Date().timeIntervalSince(start)
        if options.json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            print(String(decoding: try encoder.encode(result), as: UTF8.self))
        } else {
            let outcomes = result.outcomes.sorted { $0.key < $1.key }
                .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
            print(
                """
                \(result.files) files in \(Int(result.seconds)) s: \(outcomes); \
                \(result.crashes) crashes, \(result.hangs) hangs, \
                \(result.findings.count) findings
                """)
            for finding in result.findings.prefix(50) { print(finding) }
        }
        if result.findings.isEmpty {
            if options.directory == nil { try? FileManager.default.removeItem(at: place) }
        } else {
            print("What was found is in \(place.path)/found.")
            throw ExitCode(1)
        }
    }

    // MARK: What was found

    private func note(
        _ event: FilesProcess.Event, _ sound: URL, _ place: URL, _ result: inout Result
    ) throws {
        switch event {
        case .end(let outcome, let kinds):
            result.files += 1
            result.outcomes[outcome, default: 0] += 1
            for kind in kinds { result.kinds[kind, default: 0] += 1 }
        case .finding(let number, let text): try keep(number, text, sound, place, &result)
        case .crash(let number, let text):
            result.crashes += 1
            result.files += 1
            try keep(number, "The process ended: \(text)", sound, place, &result)
        case .hang(let number):
            result.hangs += 1
            result.files += 1
            try keep(
                number, "Nothing was heard for \(Int(FilesProcess.patience)) seconds.", sound,
                place, &result)
        }
    }

    /// Keeps the file, with as few changed bytes as show the same.
    private func keep(
        _ number: Int, _ text: String, _ sound: URL, _ place: URL, _ result: inout Result
    ) throws {
        let found = place.appendingPathComponent("found")
        try FileManager.default.createDirectory(at: found, withIntermediateDirectories: true)
        let bases = try FileBase.all(
            in: sound, scratch: place.appendingPathComponent("base.realm").path)
        let one = FileCase(number, seed: options.seed, bases, bases.map { FileMap($0.bytes) })
        let path = found.appendingPathComponent("case-\(number).realm").path
        var damage = one.damage
        if result.findings.count < 40, !unreduced {
            let probe = place.appendingPathComponent("probe.realm").path
            damage = FileReduction(one.damage, one.base).reduced { damage in
                do {
                    try FileCase.write(damage.applied(to: one.base.bytes), damage, to: probe)
                    return try FilesProcess.examine(
                        probe, one.base.name, isComparable: !damage.isSilent,
                        turn: reader ? number : nil, sound,
                        place.appendingPathComponent("reduction")
                    ).isFound
                } catch {
                    return false
                }
            }
        }
        try FileCase.write(damage.applied(to: one.base.bytes), damage, to: path)
        let edits = damage.edits.prefix(8).map {
            """
            \($0.offset / 4096)+\($0.offset % 4096): \
            \($0.bytes.prefix(16).map { String($0, radix: 16) }.joined(separator: " "))
            """
        }
        let line =
            """
            case \(number), \(one.base.name), \(one.damage.kinds.joined(separator: "+")): \
            \(text)\n    changed: \(edits.joined(separator: "; "))
            """
            + (damage.length.map { ", length \($0)" } ?? "")
            + (damage.control == nil ? ", no control file" : "")
            + "\n    torture files --corpus \(sound.path) --base \(one.base.name) --file \(path)"
            + (reader ? " --turn \(number)" : "") + (one.damage.isSilent ? "" : " --comparable")
        FileHandle.standardError.write(Data((line + "\n").utf8))
        result.findings.append(line)
    }

    private func examine(_ file: String, _ sound: URL, _ place: URL) throws -> Int32 {
        let outcome = try FilesProcess.examine(
            file, base, isComparable: comparable, turn: turn, sound, place)
        print(outcome.text)
        return outcome.isFound ? 1 : 0
    }
}
