import ArgumentParser
import Foundation
import FreeholdTestSupport

/// Random sequences of operations over the whole API, against a plain model.
struct ModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "model",
        abstract:
            """
            Runs random sequences of operations against a plain model in memory, and \
            shrinks what differs.
            """
    )

    @Option(help: "How many sequences.") var sequences = 200
    @OptionGroup var options: RunOptions
    @Option(help: "How many operations a sequence has.") var operations = 150
    @Option(help: "How many processes run sequences at once.") var jobs = 1
    @Option(help: "How many seconds a sequence may take.") var patience = 20.0
    @Option(help: "How many seconds may be spent on making one failure shorter.") var shrinking =
        180.0
    @Option(help: "After how many failures to stop.") var failures = 3
    @Option(help: "Runs a sequence that was kept, once, and says what it does.") var replay: String?

    struct Found: Codable {
        let seed: UInt64
        /// Its number in the run.
        let number: Int
        let difference: String
        let operations: Int
        let file: String
        let replay: String
    }

    private struct Result: Codable {
        let tool: String
        let seed: UInt64
        let date: String
        let seconds: Double
        let sequences: Int
        let operations: Int
        let found: [Found]
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        let place = URL(fileURLWithPath: options.place("model"))
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        if let replay { return try self.replay(replay, place) }
        let seed = options.seed
        let begin = Date()
        let search = ModelSearch(command: self, seed: seed, directory: place)
        try runThreads(max(1, jobs)) { _ in try search.run() }
        let (count, found) = search.result
        let seconds = Date().timeIntervalSince(begin)
        let result = Result(
            tool: "model", seed: seed, date: ISO8601DateFormatter().string(from: begin),
            seconds: seconds, sequences: count, operations: operations, found: found)
        say(
            """
            \(count) sequences of \(operations) operations in \
            \(String(format: "%.1f", seconds)) s, \(found.count) failures
            """
        )
        if options.json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            print(String(decoding: try encoder.encode(result), as: UTF8.self))
        }
        if found.isEmpty {
            if options.directory == nil { try? FileManager.default.removeItem(at: place) }
            return
        }
        throw ExitCode(1)
    }

    private func replay(_ path: String, _ place: URL) throws {
        let sequence = try JSONDecoder().decode(
            ModelSequence.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        let runner = ModelRunner(place, patience: patience)
        let (outcome, lines) = try runner.traced(sequence)
        runner.stop()
        print("FREEHOLD_SEED=\(sequence.seed)\(sequence.settings)")
        for line in lines { print(line) }
        print(outcome.text)
        if options.directory == nil { try? FileManager.default.removeItem(at: place) }
        if outcome.isFailure { throw ExitCode(1) }
    }

    func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}

extension ModelSequence {
    var settings: String {
        (isEncrypted ? ", encrypted" : "") + (isTiny ? ", with tiny clusters" : "")
            + (isSynced ? ", with syncs" : "")
    }
}
