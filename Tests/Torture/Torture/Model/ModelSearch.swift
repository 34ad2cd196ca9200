import Foundation
import FreeholdStorage
import FreeholdTestSupport

/// The sequences of one run, shared by those who run them.
final class ModelSearch: Sendable {
    private struct State {
        var next = 0
        var done = 0
        var found: [ModelCommand.Found] = []
    }

    private let state = Locked(State())
    private let seed: UInt64
    private let directory: URL
    private let sequences: Int
    private let operations: Int
    private let patience: Double
    private let shrinking: Double
    private let failures: Int
    private let begin = Date()

    init(command: ModelCommand, seed: UInt64, directory: URL) {
        (self.seed, self.directory, sequences, operations) = (
            seed, directory, command.sequences, command.operations
        )
        (patience, shrinking, failures) = (command.patience, command.shrinking, command.failures)
    }

    var result: (Int, [ModelCommand.Found]) { state.withLock { ($0.done, $0.found) } }

    /// Runs sequences until there are no more, or enough failures.
    func run() throws {
        let runner = ModelRunner(directory, patience: patience)
        defer { runner.stop() }
        while let number = next() {
            // The first is that of the seed itself, so that a sequence's seed and one sequence
            // are that sequence.
            var generator = SeededGenerator(seed: seed &+ UInt64(number))
            let sequenceSeed = number == 0 ? seed : generator.next()
            let outcome = try runner.run(ModelRequest(seed: sequenceSeed, count: operations))
            if outcome.isFailure { try shrink(sequenceSeed, number, outcome, runner) }
            let done = state.withLock {
                $0.done += 1; return $0.done
            }
            if done % 100 == 0 {
                say(
                    """
                    \(done) of \(sequences), \
                    \(String(format: "%.1f", Double(done) / Date().timeIntervalSince(begin))) \
                    a second
                    """
                )
            }
        }
    }

    private func next() -> Int? {
        state.withLock { state in
            if state.next >= sequences || state.found.count >= failures { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    private func shrink(
        _ sequenceSeed: UInt64, _ number: Int, _ outcome: ModelOutcome, _ runner: ModelRunner
    ) throws {
        say("sequence \(number), FREEHOLD_SEED=\(sequenceSeed): \(outcome.text)")
        let sequence = ModelSequence(seed: sequenceSeed, count: operations)
        var shrinker = ModelShrinker(runner, outcome, seconds: shrinking)
        let short = try shrinker.shrunk(sequence)
        var (last, lines) = try runner.traced(short)
        if !last.isFailure { (last, lines) = (outcome, ["(it does not fail each time)"] + lines) }
        let file = directory.appendingPathComponent("model-\(sequenceSeed).json")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(short).write(to: file)
        let replay = "torture model --replay \(file.path)"
        say(
            """
            FREEHOLD_SEED=\(sequenceSeed), \(short.operations.count) operations after \
            \(shrinker.runs) runs\(short.settings):
            \(lines.joined(separator: "\n"))
            \(last.text)
            kept at \(file.path); once more: \(replay)

            """)
        let found = ModelCommand.Found(
            seed: sequenceSeed, number: number, difference: last.text,
            operations: short.operations.count, file: file.path, replay: replay)
        state.withLock { $0.found.append(found) }
    }

    private func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
