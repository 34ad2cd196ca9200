import Foundation

/// How a sequence ended.
enum ModelOutcome: Equatable {
    case agreed
    case differed(String)
    case crashed(String)
    case hung

    var isFailure: Bool { self != .agreed }

    /// Failures of other kinds are other failures, which shrinking does not change to.
    var kind: Int {
        switch self {
        case .agreed: 0
        case .differed: 1
        case .crashed: 2
        case .hung: 3
        }
    }

    var text: String {
        switch self {
        case .agreed: "the realm and the model agree"
        case .differed(let text): text
        case .crashed(let text): "the process crashed:\n\(text)"
        case .hung: "the process hung"
        }
    }
}

/// Runs sequences in worker processes; a new one after each trap or hang.
final class ModelRunner {
    let directory: URL
    /// How long a sequence may take.
    let patience: Double
    private var worker: ModelChild?
    private(set) var workers = 0

    init(_ directory: URL, patience: Double) {
        (self.directory, self.patience) = (directory, patience)
    }

    private var errors: String {
        directory.appendingPathComponent("worker-errors-\(ObjectIdentifier(self).hashValue).txt")
            .path
    }
    private var trace: String {
        directory.appendingPathComponent("worker-trace-\(ObjectIdentifier(self).hashValue).txt")
            .path
    }

    func run(_ request: ModelRequest) throws -> ModelOutcome {
        let worker = try worker ?? start()
        worker.send(String(decoding: try JSONEncoder().encode(request), as: UTF8.self))
        switch worker.receive(seconds: patience) {
        case .line(let line):
            let reply = try JSONDecoder().decode(ModelReply.self, from: Data(line.utf8))
            if let difference = reply.difference {
                // What it holds of the file that went wrong is not to be in the way of the next.
                stop()
                return .differed(difference)
            }
            return .agreed
        case .ended:
            let end = worker.wait()
            self.worker = nil
            let said = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
            // Without the stack, which names nothing.
            return .crashed(
                "\(end)\n\(said.components(separatedBy: "\nCurrent stack trace:")[0].suffix(3000))")
        case .silent:
            stop()
            return .hung
        }
    }

    /// Runs a sequence once more, and says what it did.
    func traced(_ sequence: ModelSequence) throws -> (outcome: ModelOutcome, lines: [String]) {
        let outcome = try run(ModelRequest(sequence: sequence, isTraced: true))
        let text = (try? String(contentsOfFile: trace, encoding: .utf8)) ?? ""
        return (outcome, text.split(separator: "\n").map(String.init))
    }

    private func start() throws -> ModelChild {
        workers += 1
        let child = try ModelChild(
            ["model-worker", directory.path, "--trace", trace], errors: errors)
        worker = child
        return child
    }

    func stop() {
        worker?.kill()
        worker = nil
    }
}

/// Makes a sequence that fails shorter and simpler, as long as it fails in the same way.
struct ModelShrinker {
    let runner: ModelRunner
    let kind: Int
    let deadline: Date
    private(set) var runs = 0

    init(_ runner: ModelRunner, _ outcome: ModelOutcome, seconds: Double) {
        (self.runner, kind, deadline) = (runner, outcome.kind, Date(timeIntervalSinceNow: seconds))
    }

    private mutating func fails(_ sequence: ModelSequence) throws -> Bool {
        if Date() > deadline { return false }
        runs += 1
        return try runner.run(ModelRequest(sequence: sequence)).kind == kind
    }

    mutating func shrunk(_ sequence: ModelSequence) throws -> ModelSequence {
        var best = sequence
        for setting in [\ModelSequence.isEncrypted, \.isSynced, \.isTiny]
        where best[keyPath: setting] {
            var candidate = best
            candidate[keyPath: setting] = false
            if try fails(candidate) { best = candidate }
        }
        var count = 0
        repeat {
            count = best.operations.count
            try removeChunks(&best)
        } while best.operations.count < count && Date() < deadline
        try simplify(&best)
        try removeChunks(&best)
        return best
    }

    private mutating func removeChunks(_ best: inout ModelSequence) throws {
        var size = max(best.operations.count / 2, 1)
        while true {
            // From the end: what comes after the failure goes first.
            var end = best.operations.count
            while end > 0 {
                let start = max(0, end - size)
                var candidate = best
                candidate.operations.removeSubrange(start..<end)
                if try fails(candidate) { best = candidate }
                end = start
            }
            if size == 1 { return }
            size /= 2
        }
    }

    private mutating func simplify(_ best: inout ModelSequence) throws {
        for index in best.operations.indices {
            for operand in [\ModelOperation.a, \.b, \.c, \.d] {
                let value = best.operations[index][keyPath: operand]
                for simpler in [0, 1, 2, value % 24] where simpler < value {
                    var candidate = best
                    candidate.operations[index][keyPath: operand] = simpler
                    if try fails(candidate) { best = candidate; break }
                }
            }
        }
    }
}
