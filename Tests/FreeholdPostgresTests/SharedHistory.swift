import Foundation
import Freehold
import FreeholdSharing
import FreeholdStorage

/// What programs on several machines did with a shared realm, and were told.
struct SharedHistory: Sendable {
    /// A transaction, as the program that made it knows it.
    struct Transaction: Sendable, Hashable {
        enum Outcome: Sendable, Hashable {
            /// It returned.
            case done
            /// It threw, and promised that nothing was done.
            case notDone
            /// It threw, and may be done.
            case unknown
        }

        var machine: Int
        var number: Int
        var isShared = false
        /// Events of the process have one clock.
        var began = 0
        var ended = 0
        var outcome = Outcome.unknown
    }

    /// A change that a program was told of: it is not in the shared realm.
    struct Rejection: Sendable, Hashable {
        var machine: Int
        /// The number of the commit among those of the file.
        var commit: Int64
        var className: String
        var key: String
    }

    private(set) var transactions: [Transaction] = []
    var rejections: [Rejection] = []
    /// How many of them came again, because a loop had them when its machine was closed.
    var toldAgainCount = 0
    /// Machines whose acknowledged commits the server lost, as they were told.
    var losers: Set<Int> = []
    private var time = 0

    mutating func begin(machine: Int, _ number: Int, isShared: Bool = false) -> Int {
        time += 1
        transactions.append(
            Transaction(machine: machine, number: number, isShared: isShared, began: time))
        return transactions.count - 1
    }

    mutating func end(_ index: Int, _ outcome: Transaction.Outcome) {
        time += 1
        (transactions[index].ended, transactions[index].outcome) = (time, outcome)
    }
}

/// A commit of the log, as the checker needs it.
struct NotedCommit: Sendable {
    /// Its number in the log.
    var sequence: Int64
    var machine: Int
    /// Its number among those of the machine's file.
    var clientSequence: Int64
    /// The number of the transaction; nil for a commit without a note.
    var number: Int?
    var isShared = false
    /// For each machine, the last transaction that was found, and how many.
    var seen: [(last: Int, count: Int)] = []
    /// "Class key" of objects.
    var deleted: [String] = []
    var inserted: [String] = []
    var updated: [String] = []
}

extension NotedCommit {
    /// - Parameter machines: The machines of clients.
    init(_ entry: LoggedCommit, machines: [UUID: Int]) throws {
        guard let commit = SharedCommit(decoding: entry.payload),
            let machine = machines[entry.client]
        else { throw UnknownCommit() }
        sequence = entry.sequence
        clientSequence = entry.clientSequence
        self.machine = machine
        func name(_ object: SharedReference) -> String {
            "\(object.className) \(object.key.keyText)"
        }
        deleted = commit.deleted.map(name)
        inserted = commit.inserted.map { name($0.object) }
        updated = commit.updated.map { name($0.object) }
        for note in commit.inserted where note.object.className == "Note" {
            number = note.values["number"]?.number ?? 0
            isShared = note.values["isShared"] == .boolean(true)
            if case .list(let values)? = note.values["seen"] {
                let numbers = values.compactMap(\.number)
                seen = stride(from: 0, to: numbers.count - 1, by: 2).map {
                    (numbers[$0], numbers[$0 + 1])
                }
            }
        }
    }

    struct UnknownCommit: Error {}
}

extension SharedValue {
    fileprivate var number: Int? {
        if case .integer(let number) = self { Int(number) } else { nil }
    }

    /// A primary key as ``SharedHistory/Rejection/key`` has it.
    fileprivate var keyText: String {
        switch self {
        case .integer(let number): "\(number)"
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        default: "\(self)"
        }
    }
}
