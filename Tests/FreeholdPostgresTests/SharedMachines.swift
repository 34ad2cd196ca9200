import Foundation
import Freehold
import FreeholdPostgres
import FreeholdRealmTestSupport
import FreeholdSharing
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Five machines that share a realm, and what is expected of them at the end.
///
/// `FREEHOLD_SHARING_TRANSACTIONS` gives the number of their transactions, for `Tests/sharing`.
struct SharedMachines {
    static let transactions =
        ProcessInfo.processInfo.environment["FREEHOLD_SHARING_TRANSACTIONS"].flatMap(Int.init)
        ?? 300
    static let count = 5
    static let realm = "shop"

    let machines: [SharedMachine]
    private let directory: TemporaryDirectory
    private let recorded = Locked(SharedHistory())

    /// - Parameter upstream: Of each machine.
    init(
        _ random: inout SeededGenerator, beginEpochs: Bool = false,
        upstream: (Int) -> PostgresUpstream
    ) async throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        machines = (0..<Self.count).map { [recorded] index in
            SharedMachine(
                index, directory.file("\(index).realm"), upstream(index), seed: random.next(),
                beginsEpochs: beginEpochs, recorded)
        }
        for machine in machines { try await machine.begin(Self.count) }
    }

    var history: SharedHistory { recorded.withLock { $0 } }

    /// Lets all machines write, each at its pace.
    ///
    /// - Parameters:
    ///   - transactions: Of all machines together.
    ///   - fail: Brings faults meanwhile. Its argument has an element for each transaction.
    func run(
        _ transactions: Int = transactions,
        _ fail: @escaping @Sendable (inout Steps) async throws -> Void
    ) async throws {
        let (stream, step) = AsyncStream<Void>.makeStream()
        let each = transactions / Self.count
        try await withThrowingTaskGroup(of: Void.self) { group in
            for machine in machines {
                group.addTask { try await machine.run(each) { step.yield() } }
            }
            group.addTask {
                var steps = Steps(stream, each * Self.count)
                try await fail(&steps)
            }
            // The first error ends the others, too.
            for try await _ in group {}
        }
    }

    /// The transactions of a run, as they end.
    struct Steps {
        private var iterator: AsyncStream<Void>.AsyncIterator
        private(set) var remaining: Int

        init(_ stream: AsyncStream<Void>, _ count: Int) {
            iterator = stream.makeAsyncIterator()
            remaining = count
        }

        /// Waits for so many transactions, or for the last one.
        mutating func wait(for count: Int) async {
            for _ in 0..<min(count, remaining) {
                await iterator.next()
                remaining -= 1
            }
        }
    }

    /// Synchronizes all machines, and expects that their files are equal and intact.
    ///
    /// - Returns: What is in each of them, and whose identities they had.
    func finish() async throws -> (contents: [String: String], machines: [UUID: Int]) {
        for machine in machines { try await machine.open() }
        // What one pushes, those before it have after the second time.
        for _ in 0..<2 {
            for machine in machines { try await machine.synchronize() }
        }
        var identities: [UUID: Int] = [:]
        for machine in machines { identities[try await machine.finish()] = machine.index }
        let first = try SharedShop.contents(machines[0].configuration)
        for machine in machines.dropFirst() {
            let other = try SharedShop.contents(machine.configuration)
            for key in Set(first.keys).union(other.keys) where first[key] != other[key] {
                Issue.record("\(key): \(first[key] ?? "none") / \(other[key] ?? "none")")
            }
        }
        try SharedShop.judgeAccounts(first)
        return (first, identities)
    }

    /// Expects of a file at the end that it has each transaction that was done, and none that was
    /// not: by the notes, where the log no longer has all commits.
    ///
    /// - Parameter mayLose: Whether the server lost commits. The machine was told then.
    func judgeNotes(mayLose: Bool = false) throws {
        let realm = try Realm(configuration: machines[0].configuration)
        let history = history
        var lost = 0
        for transaction in history.transactions {
            let key = "\(transaction.machine) \(transaction.number)"
            let isThere = realm.object(ofType: Note.self, forPrimaryKey: key) != nil
            switch transaction.outcome {
            case .done where !isThere:
                lost += 1
                if mayLose, history.losers.contains(transaction.machine) { continue }
                Issue.record("The transaction \(key) returned, and is lost without a report.")
            case .notDone where isThere:
                Issue.record("The transaction \(key) threw, and is done.")
            default: break
            }
        }
        let counts = realm.objects(MachineClock.self).map { clock in
            clock.count == realm.objects(Note.self).where { $0.machine == clock.machine }.count
        }
        #expect(counts.allSatisfy { $0 }, "A counter has an amount twice, or lacks it.")
        if !mayLose { #expect(history.losers.isEmpty) }
        print("\(history.transactions.count) transactions, \(lost) of them lost with the server.")
    }

    func delete() { directory.delete() }
}
