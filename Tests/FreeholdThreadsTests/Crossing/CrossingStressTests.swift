import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Threads, serial queues and actors write, read, freeze and resolve at once, a fixed number of
/// operations each. Each records what it saw, and the histories are judged afterwards:
///
/// - every version has the same sum over all accounts, so no transaction is seen in part;
/// - a frozen version reads the same at the end of the run as when it was taken;
/// - the number of transactions that a realm sees never falls;
/// - each writer finds its own last write;
/// - at the end there are as many transactions as were acknowledged, and each writer's counter
///   is what it counted.
@Suite struct CrossingStressTests {
    final class Account: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var balance = 0
    }

    /// What one writer has done; its id is the writer's number.
    final class Ledger: Object {
        @Persisted(primaryKey: true) var writer = 0
        @Persisted var transactions = 0
        @Persisted var last: Account?
    }

    private static let accounts = 16
    private static let opening = 1_000
    private static let operations = Stress.rounds(75)

    /// What was seen at one moment.
    private struct Observation: Sendable {
        let transactions: Int
        let sum: Int
    }

    /// A version that was kept, with what it said then.
    private struct Kept: Sendable {
        let accounts: Frozen<Results<Account>>
        let ledgers: Frozen<Results<Ledger>>
        let then: Observation

        init(_ realm: Realm) {
            let frozen = realm.freeze()
            accounts = Frozen(frozen.objects(Account.self))
            ledgers = Frozen(frozen.objects(Ledger.self))
            then = Observation(
                transactions: ledgers.sum(of: \.transactions), sum: accounts.sum(of: \.balance))
        }

        var isStable: Bool {
            ledgers.sum(of: \.transactions) == then.transactions
                && accounts.sum(of: \.balance) == then.sum
                && accounts.reduce(0) { $0 + $1.balance } == then.sum
        }
    }

    /// Everything that one participant saw and did.
    private struct History: Sendable {
        var writer: Int
        var acknowledged = 0
        var observations: [Observation] = []
        var kept: [Kept] = []
        var problems: [String] = []

        init(_ writer: Int) { self.writer = writer }

        mutating func observe(_ realm: Realm) {
            let seen = Observation(
                transactions: realm.objects(Ledger.self).sum(of: \.transactions),
                sum: realm.objects(Account.self).sum(of: \.balance))
            observations.append(seen)
            let own = realm.object(ofType: Ledger.self, forPrimaryKey: writer)?.transactions ?? 0
            if own != acknowledged {
                problems.append("writer \(writer) wrote \(acknowledged) times and finds \(own)")
            }
        }
    }

    /// The body of a transaction: moves an amount and counts it. In a write.
    private static func transfer(_ realm: Realm, _ writer: Int, _ random: inout SeededGenerator) {
        let from = realm.object(
            ofType: Account.self, forPrimaryKey: Int.random(in: 0..<accounts, using: &random))
        let to = realm.object(
            ofType: Account.self, forPrimaryKey: Int.random(in: 0..<accounts, using: &random))
        let amount = Int.random(in: 0...50, using: &random)
        from?.balance -= amount
        to?.balance += amount
        let ledger =
            realm.object(ofType: Ledger.self, forPrimaryKey: writer)
            ?? realm.create(Ledger.self, value: ["writer": writer])
        ledger.transactions += 1
        ledger.last = to
    }

    /// References to one object, thrown from participant to participant.
    private final class Exchange: Sendable {
        private let references = Mailbox<ThreadSafeReference<Account>>()

        func step(_ realm: Realm, _ history: inout History, _ random: inout SeededGenerator) {
            if let reference = references.take() {
                guard let account = realm.resolve(reference) else {
                    return history.problems.append("a reference to an account that exists is nil")
                }
                if account.realm != realm {
                    history.problems.append("a reference was resolved in another realm")
                }
            } else if let account = realm.objects(Account.self).randomElement(using: &random) {
                references.put(ThreadSafeReference(to: account))
            }
        }
    }

    // MARK: Participants

    private static func runThread(
        _ writer: Int, _ configuration: Realm.Configuration, _ exchange: Exchange, seed: UInt64
    ) throws -> History {
        var random = SeededGenerator(seed: seed)
        var history = History(writer)
        let realm = try Realm(configuration: configuration)
        for _ in 0..<operations {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                try realm.write { transfer(realm, writer, &random) }
                history.acknowledged += 1
            case 4:
                struct Undo: Error {}
                try? realm.write {
                    transfer(realm, writer, &random)
                    throw Undo()
                }
            case 5: history.kept.append(Kept(realm))
            case 6: exchange.step(realm, &history, &random)
            default: realm.refresh()
            }
            history.observe(realm)
        }
        return history
    }

    /// A queue's realm writes asynchronously; its completions count.
    private static func runQueue(_ writer: Int, _ configuration: Realm.Configuration, seed: UInt64)
        throws -> History
    {
        let queue = DispatchQueue(label: "stress \(writer)")
        let done = DispatchGroup()
        nonisolated(unsafe) var history = History(writer)
        try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            nonisolated(unsafe) var random = SeededGenerator(seed: seed)
            for _ in 0..<operations {
                done.enter()
                let grouped = Bool.random(using: &random)
                realm.beginAsyncWrite {
                    transfer(realm, writer, &random)
                    if Int.random(in: 0..<8, using: &random) == 0 {
                        realm.cancelWrite()
                        return done.leave()
                    }
                    realm.commitAsyncWrite(allowGrouping: grouped) { error in
                        if let error { history.problems.append("\(error)") }
                        done.leave()
                    }
                    // The realm reads its own writes from here on.
                    history.acknowledged += 1
                    history.observe(realm)
                }
            }
        }
        done.wait()
        return queue.sync { history }
    }

    private actor Participant {
        private var history: History
        private var random: SeededGenerator
        private var realm: Realm?

        init(_ writer: Int, seed: UInt64) {
            history = History(writer)
            random = SeededGenerator(seed: seed)
        }

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }

        /// Cancelled or not: it is counted exactly if the block ran.
        func write() async throws {
            guard let realm else { return }
            let writer = history.writer
            try await realm.asyncWrite {
                CrossingStressTests.transfer(realm, writer, &random)
                history.acknowledged += 1
            }
            history.observe(realm)
        }

        func step(_ exchange: Exchange) async throws {
            guard let realm else { return }
            switch Int.random(in: 0..<5, using: &random) {
            case 0: history.kept.append(Kept(realm))
            case 1: exchange.step(realm, &history, &random)
            default: await realm.asyncRefresh()
            }
            history.observe(realm)
        }

        func finish() -> History { history }
    }

    private static func runActor(
        _ writer: Int, _ configuration: Realm.Configuration, _ exchange: Exchange, seed: UInt64
    ) async throws -> History {
        var random = SeededGenerator(seed: seed)
        let participant = Participant(writer, seed: seed)
        try await participant.open(configuration)
        for _ in 0..<operations / 6 {
            let tasks = (0..<6).map { _ in Task { try await participant.write() } }
            if let victim = tasks.randomElement(using: &random), Bool.random(using: &random) {
                victim.cancel()
            }
            try await participant.step(exchange)
            for task in tasks {
                do { try await task.value } catch is CancellationError {}
            }
        }
        return await participant.finish()
    }

    // MARK: The run

    @Test func everyHistoryIsOneOfAnOrderOfTransactions() async throws {
        let seed = Seed.random().seed
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: [Account.self, Ledger.self])
        try prepare(configuration)
        let exchange = Exchange()
        let histories = try await withThrowingTaskGroup(of: [History].self) { group in
            group.addTask {
                try await awaitThread {
                    try runThreads(3) {
                        try Self.runThread($0, configuration, exchange, seed: seed &+ UInt64($0))
                    }
                }
            }
            group.addTask {
                try await awaitThread {
                    try runThreads(2) {
                        try Self.runQueue($0 + 3, configuration, seed: seed &+ UInt64($0 + 3))
                    }
                }
            }
            for number in 5..<8 {
                group.addTask {
                    [
                        try await Self.runActor(
                            number, configuration, exchange, seed: seed &+ UInt64(number))
                    ]
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        try judge(histories, configuration, seed: seed)
        directory.delete()
    }

    private func prepare(_ configuration: Realm.Configuration) throws {
        let realm = try Realm(configuration: configuration)
        try realm.write {
            for id in 0..<Self.accounts {
                realm.create(Account.self, value: ["id": id, "balance": Self.opening])
            }
        }
    }

    private func judge(_ histories: [History], _ configuration: Realm.Configuration, seed: UInt64)
        throws
    {
        let sum = Self.accounts * Self.opening
        #expect(histories.count == 8)
        for history in histories {
            #expect(history.problems == [], "FREEHOLD_SEED=\(seed)")
            #expect(
                history.observations.allSatisfy { $0.sum == sum },
                "FREEHOLD_SEED=\(seed): writer \(history.writer) saw a transaction in part")
            let counts = history.observations.map(\.transactions)
            #expect(
                counts == counts.sorted(),
                "FREEHOLD_SEED=\(seed): writer \(history.writer) went back in time")
            #expect(
                history.kept.allSatisfy { $0.then.sum == sum && $0.isStable },
                "FREEHOLD_SEED=\(seed): a version of writer \(history.writer) changed")
        }
        let realm = try Realm(configuration: configuration)
        for history in histories {
            let counted =
                realm.object(ofType: Ledger.self, forPrimaryKey: history.writer)?.transactions ?? 0
            #expect(
                counted == history.acknowledged, "FREEHOLD_SEED=\(seed): writer \(history.writer)")
        }
        #expect(realm.objects(Account.self).sum(of: \.balance) == sum)
        #expect(try realm.check() == [])
    }
}

/// Holds one thing that anybody may take.
private final class Mailbox<Content: Sendable>: @unchecked Sendable {
    // @unchecked: protected by `lock`.
    private let lock = NSLock()
    private var contents: [Content] = []

    func put(_ content: Content) { lock.withLock { contents.append(content) } }

    func take() -> Content? { lock.withLock { contents.popLast() } }
}
