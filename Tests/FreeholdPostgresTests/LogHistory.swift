import Foundation
import FreeholdSharing

/// What clients of one realm asked and were answered, in the order in which it happened.
///
/// Events of one process have one clock: an operation whose answer came before another was asked
/// precedes it, and the log must show that order (linearizability).
actor LogHistory {
    struct Operation: Sendable {
        enum Kind: Sendable {
            case push(client: UUID, numbers: ClosedRange<Int64>, expecting: Int64?)
            case read(after: Int64)
            case head
        }

        enum Answer: Sendable {
            case appended(last: Int64)
            case conflict(head: Int64)
            case commits([LoggedCommit])
            case head(Int64)
            /// The connection broke: the push is in the log or not.
            case unknown
        }

        let kind: Kind
        let began: Int
        var ended: Int = .max
        var answer: Answer = .unknown
    }

    private(set) var operations: [Operation] = []
    private var time = 0

    func begin(_ kind: Operation.Kind) -> Int {
        time += 1
        operations.append(Operation(kind: kind, began: time))
        return operations.count - 1
    }

    func end(_ index: Int, _ answer: Operation.Answer) {
        time += 1
        operations[index].ended = time
        operations[index].answer = answer
    }
}

/// Judges a history by the log at its end.
struct LogChecker {
    private let log: [LoggedCommit]
    private let places: [Key: Int64]
    private(set) var problems: [String] = []

    private struct Key: Hashable {
        let client: UUID
        let number: Int64
    }

    init(_ log: [LoggedCommit]) {
        self.log = log
        places = Dictionary(
            log.map { (Key(client: $0.client, number: $0.clientSequence), $0.sequence) },
            uniquingKeysWith: { first, _ in first })
    }

    mutating func check(_ operations: [LogHistory.Operation]) {
        checkNumbers()
        for operation in operations { checkAnswer(operation) }
        checkRealTime(operations)
    }

    /// Numbers have no gaps; no commit is there twice; each client's are in its order.
    private mutating func checkNumbers() {
        var last: [UUID: Int64] = [:]
        for (index, commit) in log.enumerated() {
            if commit.sequence != Int64(index + 1) {
                problems.append("Place \(index + 1) of the log has number \(commit.sequence).")
            }
            if commit.clientSequence <= last[commit.client, default: 0] {
                problems.append(
                    "\(commit.sequence): the client's \(commit.clientSequence) came before.")
            }
            last[commit.client] = commit.clientSequence
        }
    }

    private mutating func checkAnswer(_ operation: LogHistory.Operation) {
        switch (operation.kind, operation.answer) {
        case (.push(let client, let numbers, let expecting), .appended(let answer)):
            let found = numbers.map { places[Key(client: client, number: $0)] }
            guard let first = found.first ?? nil, let last = found.last ?? nil,
                !found.contains(nil)
            else {
                return problems.append("Acknowledged \(numbers) of \(client) are lost: \(found).")
            }
            if last - first != Int64(numbers.count - 1) {
                problems.append("\(numbers) of \(client) are not together: \(first)...\(last).")
            }
            if last > answer { problems.append("\(numbers) were acknowledged before they came.") }
            if let expecting, expecting != first - 1 {
                problems.append("\(numbers) expected \(expecting) and came at \(first).")
            }
        case (.push(_, _, let expecting), .conflict(let head)):
            if head == expecting { problems.append("A conflict with the expected head \(head).") }
        case (.read(let after), .commits(let found)):
            let start = Int(after)
            let end = min(log.count, start + found.count)
            if start > log.count || Array(log[min(start, end)..<end]) != found {
                problems.append("A reader saw other commits after \(after) than the log has.")
            }
        default: break
        }
    }

    /// Heads never go back, and a push that was acknowledged is below all heads seen later.
    private mutating func checkRealTime(_ operations: [LogHistory.Operation]) {
        let floors = operations.compactMap { operation -> (time: Int, head: Int64)? in
            lowestHead(after: operation).map { (operation.ended, $0) }
        }.sorted { $0.time < $1.time }
        var next = 0
        var highest: Int64 = 0
        for operation in operations.sorted(by: { $0.began < $1.began }) {
            while next < floors.count, floors[next].time < operation.began {
                highest = max(highest, floors[next].head)
                next += 1
            }
            guard let seen = headSeen(by: operation), seen < highest else { continue }
            problems.append("An operation saw head \(seen) after \(highest) had been seen.")
        }
    }

    /// The head that everybody must see after an answer.
    private func lowestHead(after operation: LogHistory.Operation) -> Int64? {
        switch operation.answer {
        case .appended(let last): last
        case .conflict(let head), .head(let head): head
        case .commits(let found): found.last?.sequence
        case .unknown: nil
        }
    }

    private func headSeen(by operation: LogHistory.Operation) -> Int64? {
        switch (operation.kind, operation.answer) {
        case (_, .head(let head)), (_, .conflict(let head)): return head
        case (.push(let client, let numbers, _), .appended):
            return places[Key(client: client, number: numbers.upperBound)]
        // All that there was: the call asks for more bytes than the log has.
        case (.read(let after), .commits(let found)): return found.last?.sequence ?? after
        default: return nil
        }
    }
}
